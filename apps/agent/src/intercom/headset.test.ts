// A headset of a unit: real programs in place of microphone and speaker, judged by the sound that goes through them.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { isRunning } from '@backhaul/runtime/testing/processes'
import { until } from '@backhaul/runtime/testing/until'
import { bytesOf, FRAME_SAMPLES, type Frame, silence } from '@backhaul/speech/frames'
import { everyFrame } from '@backhaul/speech/pace'
import { joined, loudnessOf, toneOf } from '@backhaul/speech/testing/tones'
import { afterEach, expect, test } from 'vitest'
import { createHeadset } from './headset.ts'
import { createMicrophoneMix } from './microphone-mix.ts'
import { microphoneProgram, readSound, speakerProgram } from './sound-device.ts'

const log = createLog({ name: 'test', format: 'json', level: 'silent' })
const folder = mkdtempSync(join(tmpdir(), 'backhaul-headset-'))
const cleanUps: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(1).toReversed()) await cleanUp()
})

function openHeadset(microphone: string | undefined, speaker: string | undefined) {
  const headset = createHeadset({
    jack: 2,
    microphone: microphone === undefined ? undefined : microphoneProgram(readSound(microphone)),
    speaker: speaker === undefined ? undefined : speakerProgram(readSound(speaker)),
    clock: systemClock,
    log,
    onChange: () => {},
  })
  cleanUps.push(() => headset.close())
  return headset
}

test('a setting names a device of a sound server or of ALSA, or is a command', () => {
  expect(microphoneProgram(readSound('alsa:hw:1,0'))).toEqual({
    command: 'arecord',
    args: '-q -t raw -f S16_LE -r 48000 -c 1 --buffer-time=60000 -D hw:1,0'.split(' '),
  })
  expect(speakerProgram(readSound('alsa')).command).toBe('aplay')
  expect(speakerProgram(readSound('pulse:usb headset'))).toEqual({
    command: 'pacat',
    args: [
      ...'--playback --raw --format=s16le --rate=48000 --channels=1 --latency-msec=60'.split(' '),
      '--device=usb headset',
    ],
  })
  expect(microphoneProgram(readSound('pulse')).args).toContain('--record')
  expect(speakerProgram(readSound('sox - -d'))).toEqual({
    command: '/bin/sh',
    args: ['-c', 'sox - -d'],
    isShell: true,
  })
})

test('the programs of a command end with the headset', async () => {
  const path = join(folder, 'microphone.pid')
  const headset = openHeadset(`sh -c 'echo $$ > ${path}; exec sleep 600'; true`, undefined)
  headset.open(() => {})
  await until(() => existsSync(path) && readFileSync(path, 'utf8').endsWith('\n'))
  const pid = Number(readFileSync(path, 'utf8'))
  expect(isRunning(pid)).toBe(true)
  await headset.close()
  await until(() => !isRunning(pid))
})

test('the sound of the microphone comes in frames, and that of the room goes to the speaker', async () => {
  const path = join(folder, 'said.raw')
  const played = join(folder, 'played.raw')
  const next = toneOf(500)
  const said = Array.from({ length: 30 }, next)
  writeFileSync(path, Buffer.concat(said.map(bytesOf)))
  const frames: Frame[] = []
  const headset = openHeadset(`cat ${path}; exec sleep 60`, `cat > ${played}`)
  headset.open((frame) => frames.push(frame))
  await until(() => frames.length === said.length)
  expect(joined(frames)).toEqual(joined(said))
  const tone = toneOf(900)
  const end = everyFrame(() => headset.play(tone()))
  const bytes = () => (existsSync(played) ? readFileSync(played) : Buffer.alloc(0))
  await until(() => bytes().length > 40 * FRAME_SAMPLES * 2)
  end()
  const heard = bytes()
  const samples = Int16Array.from({ length: 20 * FRAME_SAMPLES }, (_, at) => heard.readInt16LE(at * 2))
  expect(loudnessOf(900, samples)).toBeGreaterThan(7000)
})

test('silence is not written for long, so that a player that is behind plays what waits', async () => {
  const played = join(folder, 'silent.raw')
  const headset = openHeadset(undefined, `cat > ${played}`)
  headset.open(() => {})
  const size = () => (existsSync(played) ? readFileSync(played).length : 0)
  cleanUps.push(everyFrame(() => headset.play(silence)))
  await until(() => size() > 0)
  await until(async () => {
    const before = size()
    await new Promise((resolve) => setTimeout(resolve, 300))
    return size() === before
  })
  expect(size()).toBeLessThanOrEqual(50 * FRAME_SAMPLES * 2)
})

test('a speaker program that stalls gets less than a second of sound late, regardless of how long it stalls', async () => {
  const played = join(folder, 'late.raw')
  const headset = openHeadset(undefined, `sleep 3; exec cat > ${played}`)
  headset.open(() => {})
  const tone = toneOf(900)
  // Nothing is written to a player that has just been started.
  await new Promise((resolve) => setTimeout(resolve, 600))
  for (let frame = 0; frame < 500; frame++) {
    headset.play(tone())
    await new Promise(setImmediate)
  }
  const size = () => (existsSync(played) ? readFileSync(played).length : 0)
  await until(() => size() > 0)
  await until(async () => {
    const before = size()
    await new Promise((resolve) => setTimeout(resolve, 300))
    return size() === before
  })
  expect(size()).toBeLessThan(50 * FRAME_SAMPLES * 2)
})

test('a program that ends is the problem with its last words, and is started again', async () => {
  const starts = join(folder, 'starts')
  const headset = openHeadset(`echo start >> ${starts}; echo no such card >&2; exit 1`, undefined)
  headset.open(() => {})
  await until(() => headset.problem())
  expect(headset.problem()).toEqual({ code: 'headset.ended', params: { jack: 2, message: 'no such card' } })
  await until(() => readFileSync(starts, 'utf8').trim().split('\n').length >= 2)
  await headset.close()
  expect(headset.problem()).toBeNull()
})

test('several microphones of one line are one voice, and one that is silent is not waited for', () => {
  const heard: Frame[] = []
  const mix = createMicrophoneMix((frame) => heard.push(frame))
  const [one, two] = [{}, {}]
  mix.add(one)
  const [low, high] = [toneOf(400), toneOf(700)]
  mix.speak(one, low())
  expect(heard).toHaveLength(1)
  mix.add(two)
  mix.speak(one, low())
  mix.speak(two, high())
  const both = heard[1] ?? silence
  expect(Math.min(loudnessOf(400, both), loudnessOf(700, both))).toBeGreaterThan(7000)
  for (let at = 0; at < 5; at++) mix.speak(one, low())
  expect(heard.length).toBeGreaterThan(3)
  mix.remove(one)
  const before = heard.length
  mix.speak(one, low())
  expect(heard).toHaveLength(before)
})
