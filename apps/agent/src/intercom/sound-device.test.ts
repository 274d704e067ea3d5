// The headset of a unit at a real sound server: what the speaker plays comes back by a microphone at its other end.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { until } from '@backhaul/runtime/testing/until'
import type { Frame } from '@backhaul/speech/frames'
import { everyFrame } from '@backhaul/speech/pace'
import { joined, loudnessOf, toneOf } from '@backhaul/speech/testing/tones'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHeadset } from './headset.ts'
import { microphoneProgram, readSound, speakerProgram } from './sound-device.ts'

const programs = ['pulseaudio', 'pacat', 'arecord', 'aplay']
const isInstalled = (name: string): boolean =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)))
const log = createLog({ name: 'test', format: 'json', level: 'silent' })

describe.runIf(programs.every(isInstalled))('a headset at a sound server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-sound-'))
  const socket = join(folder, 'server')
  const alsaSettings = join(folder, 'asound.conf')
  const settings = { PULSE_SERVER: `unix:${socket}`, ALSA_CONFIG_PATH: alsaSettings }
  const before = { PULSE_SERVER: process.env.PULSE_SERVER, ALSA_CONFIG_PATH: process.env.ALSA_CONFIG_PATH }
  let server: ChildProcess

  /** The microphone of each sink hears what is played to it; the first one is the usual device. */
  beforeAll(async () => {
    writeFileSync(
      alsaSettings,
      `pcm.headset { type pulse device "headset" }\npcm.microphone { type pulse device "headset.monitor" }\n`,
    )
    const modules = [
      `module-native-protocol-unix auth-anonymous=1 socket=${socket}`,
      ...['usual', 'headset'].map((name) => `module-null-sink sink_name=${name} rate=48000`),
    ].flatMap((module) => ['-L', module])
    server = spawn('pulseaudio', ['-n', '--exit-idle-time=-1', '--use-pid-file=no', ...modules], {
      env: { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder },
      stdio: 'ignore',
    })
    await until(() => existsSync(socket))
    Object.assign(process.env, settings)
  })
  afterAll(() => {
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    server.kill()
    rmSync(folder, { recursive: true, force: true })
  })

  function listen(microphone: string, speaker?: string) {
    const frames: Frame[] = []
    const headset = createHeadset({
      jack: 1,
      microphone: microphoneProgram(readSound(microphone)),
      speaker: speaker === undefined ? undefined : speakerProgram(readSound(speaker)),
      clock: systemClock,
      log,
      onChange: () => {},
    })
    headset.open((frame) => frames.push(frame))
    /** The loudness of a frequency in the newest 0.4 s. */
    const hears = (hertz: number) => loudnessOf(hertz, joined(frames.slice(-20)))
    /** Plays a tone until the returned function is called. */
    const play = (hertz: number) => {
      const tone = toneOf(hertz)
      return everyFrame(() => headset.play(tone()))
    }
    return { headset, frames, hears, play }
  }

  test.for([
    ['pulse:headset.monitor', 'pulse:headset'],
    ['alsa:microphone', 'alsa:headset'],
  ] as const)('is heard by %s from %s, and at no other device', async ([microphone, speaker]) => {
    const crew = listen(microphone, speaker)
    const other = listen('pulse')
    const end = everyFrame(
      (
        (tone) => () =>
          crew.headset.play(tone())
      )(toneOf(900)),
    )
    try {
      await until(() => crew.hears(900) > 5000)
      await until(() => other.frames.length > 20)
      expect(other.hears(900)).toBeLessThan(100)
      expect(crew.headset.problem()).toBeNull()
    } finally {
      end()
      await Promise.all([crew.headset.close(), other.headset.close()])
    }
  })

  test('is at the usual device where no other is named', async () => {
    const crew = listen('pulse', 'pulse')
    const end = everyFrame(
      (
        (tone) => () =>
          crew.headset.play(tone())
      )(toneOf(700)),
    )
    try {
      await until(() => crew.hears(700) > 5000)
    } finally {
      end()
      await crew.headset.close()
    }
  })
})
