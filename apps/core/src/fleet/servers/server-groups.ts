// The groups of servers, which are in the records of the servers themselves: those who follow a group are notified of each
// that joins or leaves it.
import type { Events } from '../../world/events.ts'
import type { Devices } from '../devices/devices.ts'

interface Needs {
  events: Events
  devices: Devices
}

const none: readonly string[] = []

export function followServerGroups({ events, devices }: Needs): { start(): void } {
  /** The groups of each server as last announced. */
  const groupsOf = new Map<string, readonly string[]>()

  function announce(serverId: string, after: readonly string[]): void {
    const before = groupsOf.get(serverId) ?? none
    groupsOf.set(serverId, after)
    const { noteServer } = devices.memberships
    for (const groupId of after) if (!before.includes(groupId)) noteServer(groupId, serverId, true)
    for (const groupId of before) if (!after.includes(groupId)) noteServer(groupId, serverId, false)
  }

  const lookAt = ({ deviceId }: { deviceId: string }) => {
    const device = devices.get(deviceId)
    if (device?.kind === 'server') announce(deviceId, device.details.groups ?? none)
  }
  events.on('deviceRegistered', lookAt)
  // A known server that registers again may have the key of another group.
  events.on('deviceConnected', lookAt)
  events.on('deviceDetailsChanged', lookAt)
  events.on('deviceRemoved', ({ deviceId }) => {
    if (groupsOf.has(deviceId)) announce(deviceId, none)
    groupsOf.delete(deviceId)
  })

  return {
    start() {
      for (const { id, details } of devices.all('server')) groupsOf.set(id, details.groups ?? none)
    },
  }
}
