// Sound through mixer and codec, judged by its tones.
import { CallSeal } from '@backhaul/bonding/call-seal'
import { expect, test } from 'vitest'
import { createSpeechDecoder, createSpeechEncoder } from './codec.ts'
import { bytesOf, createFrameCutter, FRAME_SAMPLES, type Frame, isSilent, silence } from './frames.ts'
import { mixMinus, sumOf } from './mixing.ts'
import { joined, loudnessOf, toneOf } from './testing/tones.ts'

const frames = (hertz: number, count: number): Frame[] => Array.from({ length: count }, toneOf(hertz))

test('each listener hears all others and not their own voice', () => {
  const tones = { anna: 400, ben: 700, carl: 1100 }
  const voices = new Map(Object.entries(tones).map(([name, hertz]) => [name, toneOf(hertz)()]))
  const sum = sumOf(voices.values())
  for (const [name, own] of Object.entries(tones)) {
    const heard = mixMinus(sum, voices.get(name))
    for (const hertz of Object.values(tones)) {
      const level = loudnessOf(hertz, heard)
      if (hertz === own) expect(level).toBeLessThan(50)
      else expect(level).toBeGreaterThan(7500)
    }
  }
})

test('a line takes about 60 kbit/s of each link in one direction, regardless of the speech', async () => {
  const encoder = await createSpeechEncoder()
  const seal = new CallSeal({ sessionId: 'ic-1', key: new Uint8Array(32).fill(5) }, 'sender')
  let seed = 1
  const noise = () =>
    Int16Array.from({ length: FRAME_SAMPLES }, () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return (seed / 2 ** 31 - 0.5) * 40_000
    })
  const [headers, framesPerSecond] = [28, 50]
  const datagrams = Array.from({ length: framesPerSecond }, (_, at) =>
    seal.sealFrame(at, encoder.encode(noise())),
  )
  const bits = datagrams.reduce((sum, { length }) => sum + 8 * (length + headers), 0)
  expect(bits).toBeLessThan(70_000)
  encoder.free()
})

test('voices that are too loud together are limited, not turned over', () => {
  const loud = Int16Array.from({ length: FRAME_SAMPLES }, (_, at) => (at % 2 ? 30_000 : -30_000))
  const mix = mixMinus(sumOf([loud, loud, loud]))
  expect(new Set(mix)).toEqual(new Set([32_767, -32_768]))
})

test('a tone is the same after Opus, a lost packet is concealed, and what is not Opus is no sound', async () => {
  const [encoder, decoder] = await Promise.all([createSpeechEncoder(), createSpeechDecoder()])
  const packets = frames(440, 50).map(encoder.encode)
  expect(Math.max(...packets.map(({ length }) => length))).toBeLessThan(200)
  const heard = joined(packets.slice(0, 40).map((packet) => decoder.decode(packet) ?? silence))
  expect(loudnessOf(440, heard.subarray(20 * FRAME_SAMPLES))).toBeGreaterThan(6000)
  expect(loudnessOf(440, decoder.conceal())).toBeGreaterThan(1000)
  expect(decoder.decode(Uint8Array.of(255, 255, 255))).toBeUndefined()
  encoder.free()
  decoder.free()
})

test('bytes of a sound program are cut into frames wherever they are parted', () => {
  const bytes = Buffer.concat(frames(300, 3).map(bytesOf))
  const cut: Frame[] = []
  const push = createFrameCutter((frame) => cut.push(frame))
  for (let at = 0; at < bytes.length; at += 777) push(bytes.subarray(at, at + 777))
  expect(joined(cut)).toEqual(joined(frames(300, 3)))
  expect([isSilent(silence), isSilent(cut[0]!)]).toEqual([true, false])
})
