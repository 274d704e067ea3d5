// The intercom of the crew: calls on its lines, and the headsets that are set to them.
import type { Reason } from '@backhaul/contract/define/refusals'
import type { WantedIntercom } from '@backhaul/contract/gateway/units'
import {
  type AudioJack,
  type IntercomMode,
  type IntercomNumber,
  intercomNumbers,
  type JackUse,
} from '@backhaul/contract/nouns/intercom'
import { Refused } from '@backhaul/device/refused'
import type { IntercomHardware } from '@backhaul/device/unit-hardware'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { type Frame, silence } from '@backhaul/speech/frames'
import type { UnitLink } from '../links.ts'
import { type CrewCall, hasBegun, startCrewCall } from './crew-call.ts'
import type { Headset } from './headset.ts'
import { createMicrophoneMix, type MicrophoneMix } from './microphone-mix.ts'
import { createMicrophoneSwitch, type MicrophoneSwitch } from './microphone-switch.ts'

export interface IntercomOptions {
  headsets: readonly Headset[]
  /** The present use of each jack. */
  jacks: () => readonly AudioJack[]
  usable: () => readonly UnitLink[]
  clock: Clock
  log: Log
  onLost: (intercom: IntercomNumber, why: Reason) => void
}

/** A line as the crew sees it. */
export interface CrewLine {
  readonly intercom: IntercomNumber
  /** The kind of its connection; undefined while it is not connected. */
  readonly mode: IntercomMode | undefined
  /** The name of the audio room; undefined where core has not sent it. */
  readonly roomName: string | undefined
  /** The headsets that are assigned to the line. */
  readonly headsets: readonly Pick<Headset, 'jack' | 'hasMicrophone'>[]
  readonly isMuted: boolean
  /** The speech of the crew is sent. */
  readonly isOpen: boolean
}

/** The lines as the crew sees and operates them. */
export interface CrewTalk {
  /** The lines of the unit. */
  lines(): CrewLine[]
  /** Undefined for a line on which no headset has one. */
  microphone(intercom: IntercomNumber): MicrophoneSwitch | undefined
}

export interface Intercom {
  readonly hardware: IntercomHardware
  readonly talk: CrewTalk
  /** The usable links changed. */
  useLinks(): void
  /** The jacks are set to other lines. */
  followJacks(): void
  close(): Promise<void>
}

interface Line {
  readonly call: CrewCall
  readonly mode: IntercomMode
  readonly microphones: MicrophoneMix
}

/** The line of each jack at first: one headset for each. */
export const firstJacks = (headsets: readonly Pick<Headset, 'jack'>[]): AudioJack[] =>
  headsets.map(({ jack }, at) => ({ jack, use: useOf(intercomNumbers[at % intercomNumbers.length] ?? 1) }))

const useOf = (intercom: IntercomNumber): JackUse => (intercom === 1 ? 'intercom1' : 'intercom2')

export function createIntercom({ headsets, jacks, usable, clock, log, onLost }: IntercomOptions): Intercom {
  const lines = new Map<IntercomNumber, Line>()
  /** The name of the room of each session that is connected or being connected. */
  const roomNames = new Map<IntercomNumber, string | undefined>()
  /** The line that each open headset is on. */
  const on = new Map<Headset, IntercomNumber>()
  /** A line that is muted remains so in its next session. */
  const switches: Readonly<Record<IntercomNumber, MicrophoneSwitch>> = {
    1: createMicrophoneSwitch(clock),
    2: createMicrophoneSwitch(clock),
  }

  const isSetTo = (intercom: IntercomNumber, headset: Headset) =>
    jacks().some(({ jack, use }) => jack === headset.jack && use === useOf(intercom))
  const headsetsOn = (intercom: IntercomNumber) => headsets.filter((headset) => isSetTo(intercom, headset))
  const hasMicrophone = (intercom: IntercomNumber) =>
    headsetsOn(intercom).some((headset) => headset.hasMicrophone)

  function heard(intercom: IntercomNumber, frame: Frame): void {
    for (const [headset, line] of on) if (line === intercom) headset.play(frame)
  }

  /** Opens the headsets of connected lines, and closes all others. */
  function route(): void {
    for (const headset of headsets) {
      const intercom = [...lines.keys()].find((one) => isSetTo(one, headset))
      if (on.get(headset) === intercom) continue
      leave(headset)
      const line = intercom === undefined ? undefined : lines.get(intercom)
      if (intercom === undefined || !line) continue
      on.set(headset, intercom)
      if (headset.hasMicrophone) line.microphones.add(headset)
      const { microphones } = line
      const speak = (frame: Frame) => microphones.speak(headset, frame)
      void (closing.get(headset) ?? Promise.resolve()).then(() => {
        if (on.get(headset) === intercom) headset.open(speak)
      })
    }
  }

  const closing = new Map<Headset, Promise<void>>()
  function leave(headset: Headset): void {
    const intercom = on.get(headset)
    if (intercom === undefined) return
    on.delete(headset)
    lines.get(intercom)?.microphones.remove(headset)
    closing.set(headset, headset.close())
  }

  function end(intercom: IntercomNumber): void {
    lines.get(intercom)?.call.stop()
    for (const [headset, line] of on) if (line === intercom) leave(headset)
    lines.delete(intercom)
  }

  async function connect(wanted: WantedIntercom, signal: AbortSignal): Promise<void> {
    const { intercom, mode } = wanted
    roomNames.set(intercom, wanted.roomName)
    const { isOpen } = switches[intercom]
    signal.throwIfAborted()
    if (usable().length === 0) throw new Refused('unit.noLink')
    const call = await startCrewCall(
      {
        clock,
        log,
        onHeard: (frame) => heard(intercom, frame),
        onLost(why) {
          end(intercom)
          onLost(intercom, why)
        },
      },
      wanted,
      usable(),
    )
    try {
      await hasBegun(call, signal)
    } catch (error) {
      call.stop()
      throw error
    }
    // Silence keeps the timing of later speech, and is not sent.
    const microphones = createMicrophoneMix((frame) => call.speak(isOpen() ? frame : silence))
    lines.set(intercom, { call, mode, microphones })
    log.info({ intercom, roomId: wanted.roomId }, 'intercom connected')
    route()
  }

  return {
    hardware: {
      connect,
      async disconnect(intercom) {
        end(intercom)
        await Promise.all(closing.values())
      },
      renameRoom: ({ intercom, roomName }) => void roomNames.set(intercom, roomName),
      problem(intercom) {
        const own = headsetsOn(intercom)
        if (own.length === 0) return 'intercom.noHeadset'
        return own.map((headset) => headset.problem()).find((one) => one !== null) ?? null
      },
    },
    talk: {
      lines: () =>
        intercomNumbers.slice(0, headsets.length).map((intercom) => ({
          intercom,
          mode: lines.get(intercom)?.mode,
          roomName: lines.has(intercom) ? roomNames.get(intercom) : undefined,
          headsets: headsetsOn(intercom),
          isMuted: switches[intercom].isMuted(),
          isOpen: lines.has(intercom) && hasMicrophone(intercom) && switches[intercom].isOpen(),
        })),
      microphone: (intercom) => (hasMicrophone(intercom) ? switches[intercom] : undefined),
    },
    useLinks() {
      for (const { call } of lines.values()) call.useLinks(usable())
    },
    followJacks: route,
    async close() {
      for (const intercom of [...lines.keys()]) end(intercom)
      await Promise.all(closing.values())
    },
  }
}
