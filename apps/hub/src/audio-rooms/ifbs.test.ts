// The IFB of a real hub: what the crew of a unit hears of a programme, and how speech interrupts it.
import { randomBytes } from 'node:crypto'
import type { ServerWanted } from '@backhaul/contract/gateway/servers'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { until } from '@backhaul/runtime/testing/until'
import { FRAME_SAMPLES, type Frame, silence } from '@backhaul/speech/frames'
import { everyFrame } from '@backhaul/speech/pace'
import { openSpeechLine } from '@backhaul/speech/speech-line'
import { joined, loudnessOf, toneOf } from '@backhaul/speech/testing/tones'
import { afterEach, describe, expect, test } from 'vitest'
import { runHub } from '../testing/running-hub.ts'
import { createDucking } from './ifbs.ts'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

test('a voice lowers the programme without a jump, through the pauses between words, and no longer', () => {
  const ducking = createDucking()
  const programme: Frame = new Int16Array(FRAME_SAMPLES).fill(10_000)
  const word: Frame = new Int16Array(FRAME_SAMPLES).fill(5000)
  const play = (spoken: Frame, frames: number) =>
    joined(Array.from({ length: frames }, () => ducking.duck(programme, spoken)))
  const steps = (samples: Int16Array) =>
    Math.max(...samples.slice(1).map((sample, at) => Math.abs(sample - samples[at]!)))
  expect(new Set(play(silence, 2))).toEqual(new Set([10_000]))
  const down = play(word, 5)
  expect([down.at(-1), steps(down) < 10]).toEqual([2000, true])
  expect(new Set(play(silence, 20))).toEqual(new Set([2000]))
  const up = play(silence, 40)
  expect([up.at(-1), steps(up) < 10]).toEqual([10_000, true])
})

const secondFrames = 50

/** The newest second heard by a unit that is admitted with this key. */
async function listenTo(id: string, key: Buffer, port: number) {
  let frames: Frame[] = []
  const line = await openSpeechLine({
    sessionId: id,
    key,
    delayMs: 300,
    onHeard: (frame) => {
      frames = [...frames.slice(1 - secondFrames), frame]
    },
  })
  cleanUps.push(() => line.close())
  line.addLink({ id: 'modem', remoteHost: '127.0.0.1', remotePort: port })
  return {
    line,
    loudness: (hertz: number) => (frames.length < secondFrames ? 0 : loudnessOf(hertz, joined(frames))),
  }
}

describe.runIf(findFfmpeg())('an IFB of the hub', () => {
  test('[COMM-003] is the programme, lowered under the speech in its room, without the voice of its own crew', async () => {
    const hub = await runHub({ bonded: 0, ifbSources: [{ kind: 'testPattern' }] })
    cleanUps.push(() => hub.stop())
    expect(hub.hardware.facts().interfaces).toEqual([{ id: 'ifb-1', kind: 'ifb', name: 'IFB 1' }])
    const port = hub.hardware.facts().speechPort ?? 0
    const keys = { ifb: randomBytes(32), own: randomBytes(32), other: randomBytes(32) }
    const speech = (id: 'own' | 'other') => ({
      id,
      roomId: 'gallery',
      unitId: id === 'own' ? 'unit-1' : 'unit-2',
      key: keys[id].toString('base64'),
    })
    const wanted: ServerWanted = {
      channels: [],
      speech: [speech('own'), speech('other')],
      ifbs: [
        {
          id: 'ifb',
          interfaceId: 'ifb-1',
          unitId: 'unit-1',
          key: keys.ifb.toString('base64'),
          roomIds: ['gallery'],
        },
      ],
    }
    const { signal } = new AbortController()
    await hub.hardware.apply(wanted, signal)
    const crew = await listenTo('ifb', keys.ifb, port)
    await until(() => crew.loudness(440) > 3000)
    const full = crew.loudness(440)
    const own = await listenTo('own', keys.own, port)
    const other = await listenTo('other', keys.other, port)
    const [low, high] = [toneOf(700), toneOf(1500)]
    const ends = [everyFrame(() => own.line.speak(low())), everyFrame(() => other.line.speak(high()))]
    cleanUps.push(() => ends.map((end) => end()))
    await until(() => crew.loudness(1500) > 3000 && crew.loudness(440) < full / 3)
    expect(crew.loudness(700)).toBeLessThan(200)
    ends[1]?.()
    await until(() => crew.loudness(1500) < 50 && crew.loudness(440) > full / 2)
    await hub.hardware.apply({ ...wanted, ifbs: [] }, signal)
    await until(() => crew.loudness(440) === 0)
  })
  test('reports that its programme does not run, and why', async () => {
    const source = { kind: 'file', path: '/nowhere/programme.mkv' } as const
    const hub = await runHub({ bonded: 0, ifbSources: [source] })
    cleanUps.push(() => hub.stop())
    const listener = {
      id: 'ifb',
      interfaceId: 'ifb-1',
      unitId: 'unit-1',
      key: randomBytes(32).toString('base64'),
      roomIds: [],
    }
    const { signal } = new AbortController()
    await hub.hardware.apply({ channels: [], ifbs: [listener] }, signal)
    await until(() => hub.hardware.sample().failures?.length === 1)
    expect(hub.hardware.sample().failures).toMatchObject([
      { type: 'ifbFailed', name: 'IFB 1', reason: expect.stringContaining('No such file') },
    ])
    await hub.hardware.apply({ channels: [], ifbs: [] }, signal)
    await until(() => hub.hardware.sample().failures?.length === 0)
  })
})
