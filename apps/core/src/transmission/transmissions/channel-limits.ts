// The limit of a channel: set on its record, and kept by the unit that sends to it.

import { Conflict } from '@backhaul/contract/define/errors'
import type { UnitWanted, WantedFeed, WantedTransmission } from '@backhaul/contract/gateway/units'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { ChannelChange, Channels } from '../../fleet/channels/channels.ts'
import type { Devices, WantedChange } from '../../fleet/devices/devices.ts'
import type { Units } from '../../fleet/units/units.ts'

/** The limit as it is sent to units: absent without one. */
export const limitKbpsOf = (bandwidthLimit: number | undefined): Pick<WantedFeed, 'limitKbps'> =>
  bandwidthLimit ? { limitKbps: bandwidthLimit } : {}

/** The transmission with the limits that its channels have now. */
export function withLimits(
  transmission: WantedTransmission,
  limitOf: (channelId: string) => number | undefined,
): WantedTransmission {
  const limited = <Part extends Pick<WantedFeed, 'channelId' | 'limitKbps'>>({
    limitKbps: _,
    ...part
  }: Part) => ({
    ...part,
    ...limitKbpsOf(limitOf(part.channelId)),
  })
  const { feeds } = transmission
  return { ...limited(transmission), ...(feeds && { feeds: feeds.map(limited) }) }
}

interface Needs {
  db: Database
  devices: Devices
  channels: Channels
  units: Units
}

type Change = (
  transaction: DatabaseTransaction,
  unitId: string,
  next: (wanted: UnitWanted) => UnitWanted,
) => Promise<WantedChange>

export function createLimitChange({ db, devices, channels, units }: Needs, change: Change) {
  /** The unit that holds the channel gets the limit for the transmission that it is to send now. */
  async function unitChange(
    transaction: DatabaseTransaction,
    { facts: { id, allocatedUnitId, transmissionId } }: ChannelChange,
    kbps: number,
  ): Promise<WantedChange | undefined> {
    if (allocatedUnitId === null) return undefined
    return await change(transaction, allocatedUnitId, (wanted) => {
      const { transmission } = wanted
      if (!transmission || transmission.id !== transmissionId) return wanted
      const limitOf = (one: string) => (one === id ? kbps : channels.known(one)?.bandwidthLimit)
      return { ...wanted, transmission: withLimits(transmission, limitOf) }
    })
  }

  return async (scope: Scope, channelId: string, kbps: number): Promise<void> => {
    const { inputType, kind } = await channels.administration.one(scope, channelId)
    if (kind === 'GROUP_CHANNEL') throw new Conflict('channel.groupPart')
    if (inputType !== null) throw new Conflict('channel.encoderLimit')
    const [limited, unit] = await db.transaction().execute(async (transaction) => {
      const limited = await channels.setLimit(transaction, channelId, kbps)
      return [limited, await unitChange(transaction, limited, kbps)] as const
    })
    channels.adopt([limited])
    if (!unit) return
    devices.adopt([unit])
    units.wantedChanged(unit.deviceId)
  }
}
