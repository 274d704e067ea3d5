// Groups of reads that core refuses to this user (GAP-SCR-04).
import { onRead } from '../doors/api.ts'
import { createValue } from '../ui/value.ts'

/** Groups of calls by the noun that their paths begin with; everything else counts as `others`. */
const groupOfNoun = {
  devices: 'units',
  devices_retry: 'units',
  ptmp: 'units',
  units: 'units',
  channels: 'channels',
  groups: 'groups',
  servers: 'servers',
  mmhservers: 'servers',
  alerts: 'alerts',
  users: 'users',
  inventories: 'inventories',
  outbox: 'outbox',
} as const
export type CallGroup = (typeof groupOfNoun)[keyof typeof groupOfNoun] | 'others'

const prefixes = new Set(['', 'v2', 'admin', 'internal'])

export function callGroupOf(path: string): CallGroup {
  const noun = path.split('/').find((part) => !prefixes.has(part)) ?? ''
  return noun in groupOfNoun ? groupOfNoun[noun as keyof typeof groupOfNoun] : 'others'
}

/** Groups of calls that core refused with 403 and has not answered since. */
export const refusedGroups = createValue<ReadonlySet<CallGroup>>(new Set())

export function watchReads(): void {
  onRead((path, wasRefused) => {
    const before = refusedGroups.get()
    const group = callGroupOf(path)
    if (before.has(group) === wasRefused) return
    const after = new Set(before)
    if (wasRefused) after.add(group)
    else after.delete(group)
    refusedGroups.set(after)
  })
}
