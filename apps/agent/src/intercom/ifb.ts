// The IFB of the crew: the sound of its channel, played on a speaker of its own.
import type { Reason } from '@backhaul/contract/define/refusals'
import { Refused } from '@backhaul/device/refused'
import type { IfbHardware } from '@backhaul/device/unit-hardware'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { UnitLink } from '../links.ts'
import { type CrewCall, hasBegun, startCrewCall } from './crew-call.ts'
import type { Headset } from './headset.ts'

export interface UnitIfbOptions {
  speaker: Headset
  usable: () => readonly UnitLink[]
  clock: Clock
  log: Log
  onLost: (why: Reason) => void
}

export interface UnitIfb {
  readonly hardware: IfbHardware
  /** The usable links changed. */
  useLinks(): void
  close(): Promise<void>
}

export function createUnitIfb({ speaker, usable, clock, log, onLost }: UnitIfbOptions): UnitIfb {
  let call: CrewCall | undefined

  async function end(): Promise<void> {
    call?.stop()
    call = undefined
    await speaker.close()
  }

  return {
    hardware: {
      async start(wanted, signal) {
        signal.throwIfAborted()
        if (usable().length === 0) throw new Refused('unit.noLink')
        const { delayMs } = wanted
        const lost = (why: Reason) => void end().then(() => onLost(why))
        const options = { clock, log, delayMs, onHeard: speaker.play, onLost: lost }
        const starting = await startCrewCall(options, wanted, usable())
        call = starting
        try {
          await hasBegun(starting, signal)
        } catch (error) {
          await end()
          throw error
        }
        log.info({ channelId: wanted.channelId }, 'IFB begun')
        speaker.open(() => {})
      },
      stop: end,
    },
    useLinks: () => call?.useLinks(usable()),
    close: end,
  }
}
