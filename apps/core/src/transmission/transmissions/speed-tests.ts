// Speed tests: a transmission of test data for some seconds, whose figures the unit reports (GAP-STRM-05).

import { Conflict } from '@backhaul/contract/define/errors'
import { reasonFields, wordingOf } from '@backhaul/contract/define/refusals'
import { speedTestRefusal } from '@backhaul/contract/nouns/unit-refusals'
import type { Log } from '@backhaul/runtime/log'
import type { Caller } from '../../doors/api/caller.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Events } from '../../world/events.ts'
import type { ActiveTransmissions } from './active-transmissions.ts'
import type { OpenTransmission } from './transmission-table.ts'

interface Needs {
  log: Log
  events: Events
  channels: Channels
  units: Units
}

export function createSpeedTests({ log, events, channels, units }: Needs, active: ActiveTransmissions) {
  events.on('device:report', ({ deviceId, message }) => {
    const test = message.actual.speedTest
    const transmission = active.running.get(deviceId)
    if (!test || transmission?.id !== test.transmissionId) return
    const { channelId } = transmission
    const why = test.state === 'cancelled' ? 'speedTest.cancelled' : undefined
    const done = test.state !== 'running'
    active.showSpeedTest(deviceId, { channelId, links: test.links, done, ...reasonFields(why) })
    if (test.state === 'running') return
    active
      .release(transmission, null, { message: 'speed test' })
      .catch((error) => log.error({ err: error, unitId: deviceId }, 'end of the speed test not stored'))
  })

  return {
    /** The transmission that carries the test. Throws Conflict when the unit cannot be tested now. */
    prepare(caller: Caller, unitId: string, seconds: number): OpenTransmission {
      const unit = units.get(caller.scope, unitId)
      const channel = channels.known(unit.channelId ?? '')
      const refusal = speedTestRefusal(unit, channel)
      if (refusal !== undefined || !channel) throw new Conflict(refusal ?? 'channel.busyOrOffline')
      channels.requireJoin(caller, channel)
      return {
        ...active.newTransmission(caller.username, unitId, channel.uniqueId),
        speedTestMs: seconds * 1000,
      }
    },
    /** From the moment that it is wanted. */
    begun({ unitId, channelId }: OpenTransmission): void {
      active.showSpeedTest(unitId, { channelId, links: [], done: false, reason: null })
    },
    /** Another channel was chosen: a test on the old one is of no use any more. */
    async channelChanged(caller: Caller, transmission: OpenTransmission): Promise<void> {
      await active.release(transmission, caller.username, wordingOf('speedTest.channelChanged'))
    },
  }
}
