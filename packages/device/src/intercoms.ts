/** The lines of a unit's intercom: each is connected, retried while it is wanted, and ended by itself. */
import { type Reason, type Wording, wordingOf } from '@backhaul/contract/define/refusals'
import type { UnitActual, WantedIntercom } from '@backhaul/contract/gateway/units'
import { type ActualIntercom, type IntercomNumber, intercomNumbers } from '@backhaul/contract/nouns/intercom'
import type { Activity } from '@backhaul/contract/nouns/unit-status'
import type { Clock } from '@backhaul/runtime/clock'
import { cutReason, Refused } from './refused.ts'
import { createTransmission, shownState, type Transmission } from './transmission.ts'
import type { IntercomHardware } from './unit-hardware.ts'

export interface Intercoms {
  /** Sessions that are connected or being connected. */
  wanted(): WantedIntercom[]
  /** Throws without an intercom. */
  start(session: WantedIntercom): void
  /** The same session in an audio room with another name. */
  renameRoom(session: WantedIntercom): void
  stop(intercom: IntercomNumber): Promise<void>
  stopAll(): Promise<void>
  /** The hardware reports that the session on the line has ended. */
  lost(intercom: IntercomNumber, why: Reason | Wording): void
  /** Empty where the unit has no intercom; a session that is being ended is reported until it is gone. */
  actual(): Pick<UnitActual, 'intercoms'>
  activities(): NonNullable<UnitActual['applications']>
}

interface Needs {
  hardware: IntercomHardware | undefined
  onChange: () => void
  clock: Clock
  random?: (() => number) | undefined
}

const activityOf = {
  audioRoom: 'audioRoom',
  targetChannel: 'audioCallBySelectedChannel',
} as const satisfies Record<WantedIntercom['mode'], Activity>

const wordOf = { connecting: 'connecting', streaming: 'connected', stopping: 'disconnecting' } as const

export function createIntercoms({ hardware, ...needs }: Needs): Intercoms {
  const lines = new Map(
    intercomNumbers.map((intercom) => [
      intercom,
      createTransmission<WantedIntercom>({
        ...needs,
        hardware: {
          startTransmission: async (wanted, _, signal) => await hardware?.connect(wanted, signal),
          stopTransmission: async () => await hardware?.disconnect(intercom),
        },
      }),
    ]),
  )

  /** Each with its state. */
  const sessions = () =>
    [...lines.values()].flatMap((line) => {
      const [session, state] = [line.wanted(), shownState(line)]
      return session === undefined || state === 'idle' ? [] : [{ session, line, word: wordOf[state] }]
    })

  function failureOf(line: Transmission<WantedIntercom>, intercom: IntercomNumber) {
    const problem = hardware?.problem?.(intercom) ?? undefined
    const why = line.failure() ?? (problem && wordingOf(problem))
    const cut = why && cutReason(why)
    return { failure: cut?.reason ?? null, failureCause: cut?.cause ?? null }
  }

  return {
    wanted: () => sessions().map(({ session }) => session),
    start(session) {
      if (!hardware) throw new Refused('intercom.notBuiltIn')
      lines.get(session.intercom)?.start(session, 0)
    },
    renameRoom(session) {
      lines.get(session.intercom)?.adjust(session)
      hardware?.renameRoom?.(session)
    },
    stop: async (intercom) => await lines.get(intercom)?.stop(),
    async stopAll() {
      await Promise.all([...lines.values()].map((line) => line.stop()))
    },
    lost: (intercom, why) => lines.get(intercom)?.lost(why),
    actual() {
      if (!hardware) return {}
      return {
        intercoms: sessions().map(
          ({ session: { id, intercom }, line, word }): ActualIntercom => ({
            intercom,
            sessionId: id,
            state: word === 'connecting' ? 'connecting' : 'connected',
            ...failureOf(line, intercom),
          }),
        ),
      }
    },
    /** The state of two lines of one kind is that of the one in transition. */
    activities() {
      const settledFirst = sessions().sort(
        (a, b) => Number(b.word === 'connected') - Number(a.word === 'connected'),
      )
      return Object.fromEntries(
        settledFirst.map(({ session, line, word }) => [
          activityOf[session.mode],
          { state: word, since: line.sinceMs() },
        ]),
      )
    },
  }
}
