/** The speech that the crew of a unit sends and hears: an audio room that it calls, as a server has them. */
import { existsSync, readFileSync } from 'node:fs'
import type { WantedIntercom } from '@backhaul/contract/gateway/units'
import type { IntercomMode } from '@backhaul/contract/nouns/intercom'
import { createSpeechDecoder, createSpeechEncoder } from '@backhaul/speech/codec'
import { type Frame, SAMPLE_RATE } from '@backhaul/speech/frames'
import { everyFrame } from '@backhaul/speech/pace'
import { openSpeechPort } from '@backhaul/speech/speech-port'
import { joined, loudnessOf, toneOf } from '@backhaul/speech/testing/tones'
import { pause, until } from '../stage/until.ts'
import { sessionKey } from './received-picture.ts'
import { patienceMs } from './shared-cases.ts'
import type { UnitAtCore } from './unit-at-core.ts'
import type { Look } from './verdicts.ts'

/** A tone counts as heard from this loudness on. */
export const audible = 500
/** The tone of the room. */
const roomHertz = 700
const silentAfterMs = 300

export interface Room {
  /** The server of a wanted session. */
  readonly place: Pick<WantedIntercom, 'serverId' | 'key' | 'targets'>
  /** Frames of the crew that came so far. */
  frames(): number
  /** The loudness of a tone in the last second of frames. */
  loudness(hertz: number): number
  close(): Promise<void>
}

export async function openRoom(sessionId: string): Promise<Room> {
  const [encoder, decoder] = await Promise.all([createSpeechEncoder(), createSpeechDecoder()])
  const port = await openSpeechPort('127.0.0.1', 0)
  let heard: Frame[] = []
  let frames = 0
  const way = port.admit({
    sessionId,
    key: sessionKey,
    onFrame({ payload }) {
      frames++
      const frame = decoder.decode(payload)
      if (frame) heard = [...heard.slice(-49), frame]
    },
  })
  const next = toneOf(roomHertz)
  let spoken = 0
  const endTone = everyFrame(() => way.send(++spoken, encoder.encode(next())))
  return {
    place: {
      serverId: 'server-1',
      key: sessionKey.toString('base64'),
      targets: [{ host: '127.0.0.1', port: port.port }],
    },
    frames: () => frames,
    loudness: (hertz) => loudnessOf(hertz, joined(heard)),
    async close() {
      endTone()
      await port.close()
      encoder.free()
      decoder.free()
    },
  }
}

/** Whether a program that plays to this file has played the tone of the room during the last tenth of a second. */
export function plays(path: string): boolean {
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  const last = bytes.subarray(0, bytes.length - (bytes.length % 2)).subarray(-SAMPLE_RATE / 5)
  const samples = Int16Array.from({ length: last.length / 2 }, (_, at) => last.readInt16LE(at * 2))
  return samples.length > 0 && loudnessOf(roomHertz, samples) > audible
}

/** `look` runs while the first line is connected, and sound of the crew has come over it. */
export async function talks(
  unit: UnitAtCore,
  look: (room: Room) => Promise<string>,
  mode: IntercomMode = 'audioRoom',
): Promise<string> {
  const room = await openRoom('talk-1')
  const line = { intercom: 1, destination: 'room', server: '', account: null, roomId: 'room-1' } as const
  try {
    await unit.want({ intercoms: [{ id: 'talk-1', ...line, mode, ...room.place }] })
    await until('the line', () => unit.actual().intercoms?.[0]?.state === 'connected', patienceMs)
    await until('the sound of the crew', () => room.frames() > 0, patienceMs)
    return await look(room)
  } finally {
    await unit.want({ intercoms: [] })
    await room.close()
  }
}

/** Core wants a session by what the unit reports of its line. */
export const callsChannel: Look<UnitAtCore> = (unit) =>
  unit.withSettings({ intercoms: [{ mode: 'targetChannel', destinationAccount: '' }] }, () =>
    talks(
      unit,
      async () => {
        const { audioRoom, audioCallBySelectedChannel: call } = unit.actual().applications ?? {}
        if (audioRoom || call?.state !== 'connected') throw new Error(`its call is ${call?.state}`)
        return 'the session of the line is a call with its channel, in which the crew is heard'
      },
      unit.actual().settings?.intercoms?.[0]?.mode,
    ),
  )

/** A jack that is switched off leaves its line without a headset. */
export const leavesLine: Look<UnitAtCore> = (unit) =>
  talks(unit, async (room) => {
    const problem = () => unit.actual().intercoms?.[0]?.failureCause?.code
    async function isSilent(): Promise<boolean> {
      const before = room.frames()
      await pause(silentAfterMs)
      return room.frames() === before
    }
    if (problem() !== undefined) throw new Error(`there is ${problem()}`)
    await unit.withSettings({ audioJacks: [{ jack: 1, use: 'off' }] }, async () => {
      await until('the headset to be missing', () => problem() === 'intercom.noHeadset', patienceMs)
      await until('silence', isSilent, patienceMs)
    })
    await until('the headset', () => problem() === undefined, patienceMs)
    return 'a line without a jack has no headset, and no sound is sent on it'
  })
