// The on-air state of a unit: shown with the unit, and sent to units that show it to their crew.

import type { Channels } from '../../fleet/channels/channels.ts'
import type { Devices } from '../../fleet/devices/devices.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Events } from '../../world/events.ts'

export interface UnitTallies {
  /** Units as they were last known. */
  start(): void
}

interface Needs {
  events: Events
  devices: Devices
  channels: Channels
  units: Units
}

/** A unit is on air while a channel that receives it is; one with several cameras, while any of its channels is. */
export function createUnitTallies({ events, devices, channels, units }: Needs): UnitTallies {
  const show = units.provide('tally')
  /** The unit that each channel on air receives. */
  const unitOnAir = new Map<string, string>()
  /** The tallies sent to each unit since it connected. */
  const sent = new Map<string, boolean>()

  function refresh(unitId: string): void {
    const supportedByUnit = units.values(unitId)?.capabilities.tally === true
    const onAir = unitOnAir.values().some((one) => one === unitId)
    show(unitId, { tally: { onAir, supportedByUnit } })
    if (!supportedByUnit || sent.get(unitId) === onAir) return
    if (devices.send(unitId, { type: 'tally', onAir })) sent.set(unitId, onAir)
  }

  events.on('channelChanged', ({ channelId }) => {
    const channel = channels.known(channelId)
    const before = unitOnAir.get(channelId)
    const now = (channel?.tally.onAir && channel.allocatedToUnitUid) || undefined
    if (now === before) return
    if (now === undefined) unitOnAir.delete(channelId)
    else unitOnAir.set(channelId, now)
    for (const unitId of [before, now]) if (unitId !== undefined) refresh(unitId)
  })
  events.on('deviceConnected', ({ deviceId }) => void sent.delete(deviceId))
  events.on('deviceDisconnected', ({ deviceId }) => void sent.delete(deviceId))
  events.on('device:report', ({ deviceId, message }) => {
    if (message.actual.capabilities) refresh(deviceId)
  })

  return {
    start() {
      for (const { uid } of units.all()) refresh(uid)
    },
  }
}
