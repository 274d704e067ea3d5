// IFBs of the hub: the programme for the crews of units, interrupted by the speech in the rooms of each.
import type { ServerFailure, WantedIfbListener } from '@backhaul/contract/gateway/servers'
import type { ServerInterface } from '@backhaul/contract/nouns/interfaces'
import type { Log } from '@backhaul/runtime/log'
import { createSpeechEncoder, type SpeechEncoder } from '@backhaul/speech/codec'
import { FRAME_SAMPLES, type Frame, silence } from '@backhaul/speech/frames'
import { mixMinus, sumOf } from '@backhaul/speech/mixing'
import type { SpeechWay } from '@backhaul/speech/speech-port'
import { endingFault, failureOf } from '../failures.ts'
import type { ReturnSource } from '../messages.ts'
import { type IfbProgramme, startIfbProgramme } from './ifb-programme.ts'
import type { RoomUnits } from './room-units.ts'

/** The programme during speech: 14 dB below. */
const DUCKED = 0.2
/** From full to ducked in 60 ms, and back in 400 ms. */
const DOWN_PER_FRAME = (1 - DUCKED) / 3
const UP_PER_FRAME = (1 - DUCKED) / 20
/** A voice holds the programme down through the pauses between its words. */
const HELD_FRAMES = 30
/** Louder counts as speech. */
const SPOKEN = 500

/** One for each source, in the order of the settings. */
export const ifbInterfaces = (sources: readonly ReturnSource[]): ServerInterface[] =>
  sources.map((_, at) => ({ id: `ifb-${at + 1}`, kind: 'ifb', name: `IFB ${at + 1}` }))

/** Lowers the programme of an IFB under speech, from frame to frame. */
export interface Ducking {
  /** The programme of this turn, lowered under the speech of the same turn. */
  duck(programme: Frame, spoken: Frame): Frame
}

export function createDucking(): Ducking {
  let gain = 1
  let held = 0
  return {
    duck(programme, spoken) {
      held = spoken.some((sample) => Math.abs(sample) > SPOKEN) ? HELD_FRAMES : Math.max(0, held - 1)
      const next = held > 0 ? Math.max(DUCKED, gain - DOWN_PER_FRAME) : Math.min(1, gain + UP_PER_FRAME)
      const from = gain
      gain = next
      return Int16Array.from(programme, (sample, at) =>
        Math.round(sample * (from + ((next - from) * at) / FRAME_SAMPLES)),
      )
    },
  }
}

export interface Ifbs {
  /** Admits these listeners and no others. */
  apply(listeners: readonly WantedIfbListener[]): void
  /** To be called every 20 ms, when the speech of the rooms is known. */
  turn(): void
  /** The IFBs whose programme does not run. */
  failures(): ServerFailure[]
  stop(): Promise<void>
}

export interface IfbsOptions {
  sources: readonly ReturnSource[]
  /** Undefined without ffmpeg: then no programme is heard, only speech. */
  ffmpegPath: string | undefined
  busOf: Parameters<typeof startIfbProgramme>[0]['busOf']
  units: Pick<RoomUnits, 'port' | 'listen' | 'spoken' | 'unitOf'>
  log: Log
}

interface Listener {
  readonly wanted: WantedIfbListener
  readonly way: SpeechWay
  readonly ducking: Ducking
  encoder: SpeechEncoder | undefined
  isEnded: boolean
  frames: number
}

export function createIfbs({ sources, ffmpegPath, busOf, units, log }: IfbsOptions): Ifbs {
  const listeners = new Map<string, Listener>()
  const programmes = new Map<string, IfbProgramme>()
  const endings = new Set<Promise<void>>()
  const interfaces = ifbInterfaces(sources)

  function admit(wanted: WantedIfbListener): void {
    const session = { sessionId: wanted.id, key: Buffer.from(wanted.key, 'base64') }
    const listener: Listener = {
      wanted,
      way: units.port.admit({ ...session, onFrame: () => {} }),
      ducking: createDucking(),
      encoder: undefined,
      isEnded: false,
      frames: 0,
    }
    listeners.set(wanted.id, listener)
    void createSpeechEncoder().then(
      (encoder) => {
        if (listener.isEnded) encoder.free()
        else listener.encoder = encoder
      },
      (error) => log.error(error, 'no encoder for an IFB'),
    )
    log.info({ interfaceId: wanted.interfaceId, unitId: wanted.unitId }, 'unit hears the IFB')
  }

  function release(listener: Listener): void {
    listeners.delete(listener.wanted.id)
    listener.isEnded = true
    listener.way.close()
    listener.encoder?.free()
  }

  /** A program for each IFB that is heard. */
  function follow(): void {
    const heard = new Set([...listeners.values()].map(({ wanted }) => wanted.interfaceId))
    for (const [id, programme] of programmes) {
      if (heard.has(id)) continue
      programmes.delete(id)
      const ending = programme.stop()
      endings.add(ending)
      void ending.finally(() => endings.delete(ending))
    }
    for (const [at, { id }] of interfaces.entries()) {
      const source = sources[at]
      if (!source || ffmpegPath === undefined || !heard.has(id) || programmes.has(id)) continue
      programmes.set(id, startIfbProgramme({ ffmpegPath, source, busOf, log }))
    }
    const roomIds = [...listeners.values()].flatMap(({ wanted }) => wanted.roomIds)
    units.listen(listeners.size > 0 ? new Set(roomIds) : undefined)
  }

  /** The speech in the rooms of the IFB, without the crew that hears it. */
  function spokenFor({ wanted: { roomIds, unitId } }: Listener): Frame[] {
    return roomIds.flatMap((roomId) =>
      [...units.spoken(roomId)].flatMap(([id, frame]) => (units.unitOf(id) === unitId ? [] : [frame])),
    )
  }

  return {
    apply(wanted) {
      const isKept = ({ wanted: now }: Listener) =>
        wanted.some((one) => JSON.stringify(one) === JSON.stringify(now))
      for (const listener of [...listeners.values()]) if (!isKept(listener)) release(listener)
      for (const one of wanted) if (!listeners.has(one.id)) admit(one)
      follow()
    },
    turn() {
      const now = new Map([...programmes].map(([id, programme]) => [id, programme.next()]))
      for (const listener of listeners.values()) {
        const voices = spokenFor(listener)
        const programme = now.get(listener.wanted.interfaceId)
        const spoken = mixMinus(sumOf(voices))
        const ducked = listener.ducking.duck(programme ?? silence, spoken)
        listener.frames++
        if (!listener.encoder || (!programme && voices.length === 0)) continue
        listener.way.send(listener.frames, listener.encoder.encode(mixMinus(sumOf([ducked, spoken]))))
      }
    },
    failures: () =>
      interfaces.flatMap(({ id, name }) => {
        const message = programmes.get(id)?.failure()
        return message === undefined ? [] : [failureOf('ifbFailed', endingFault(message), name)]
      }),
    async stop() {
      for (const listener of [...listeners.values()]) release(listener)
      follow()
      await Promise.all(endings)
    },
  }
}
