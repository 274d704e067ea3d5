// Notifies the followers of a group whose records have changed. What a browser reads of a unit in addition to the push (names
// of its customer and groups, accounts, codes) it reads again by age alone; a change by an administrator is named at once.
import type { Clock } from '@backhaul/runtime/clock'
import type { Events } from '../../world/events.ts'
import type { Devices } from '../devices/devices.ts'

interface Needs {
  clock: Clock
  events: Events
  devices: Devices
}

/** Readers that lag get the newest value only, so a unit is listed for this long; after it the age of records is enough. */
const namedForMs = 10_000

export function followRecords({ clock, events, devices: { ofInventory, memberships } }: Needs): void {
  function nameInGroup(groupId: string, unitIds: readonly string[]): void {
    if (unitIds.length === 0) return
    const topic = memberships.topicOf(groupId)
    const at = clock.nowMs()
    const { sync } = topic.values
    const before = sync !== null && at - sync.at < namedForMs ? sync.units : []
    topic.set({ sync: { units: [...new Set([...before, ...unitIds])], at } })
  }

  function name(unitIds: readonly string[]): void {
    const byGroup = new Map<string, string[]>()
    for (const unitId of unitIds) {
      for (const groupId of memberships.groupsOf('unit', unitId)) {
        const named = byGroup.get(groupId)
        if (named) named.push(unitId)
        else byGroup.set(groupId, [unitId])
      }
    }
    for (const [groupId, named] of byGroup) nameInGroup(groupId, named)
  }

  events.on('deviceDetailsChanged', ({ deviceId, kind }) => {
    if (kind === 'unit') name([deviceId])
  })
  events.on('inventoryChanged', ({ inventoryId }) =>
    name(ofInventory('unit', inventoryId).map(({ id }) => id)),
  )
  // A unit in several groups shows the name of each of them in each.
  events.on('groupRenamed', ({ groupId }) => name(memberships.membersOf('unit', groupId)))
}
