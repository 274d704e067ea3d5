// Which parts of the console's data are missing now, and the way to ask for them again (GAP-SCR-04).
import type { ClientConfiguration } from '@backhaul/contract/nouns/client'
import { onRead } from '../doors/api.ts'
import { type LinkState, push } from '../doors/push.ts'
import { readConfigurationAgain } from '../features/sign-in/sign-in.ts'
import { createValue } from '../ui/value.ts'
import { workAgain } from './start-work.ts'

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
export type Missing = 'push' | 'internet' | CallGroup

const prefixes = new Set(['', 'v2', 'admin', 'internal'])

export function callGroupOf(path: string): CallGroup {
  const noun = path.split('/').find((part) => !prefixes.has(part)) ?? ''
  return noun in groupOfNoun ? groupOfNoun[noun as keyof typeof groupOfNoun] : 'others'
}

/** So many failures of the push connection, its break among them, are unusual connection behaviour. */
const unusualFailures = 3

/** What the person cannot get now, the most general first; nothing means that access is whole. */
export function missingNow(now: {
  link: LinkState
  configuration: Pick<ClientConfiguration, 'hasInternet'> | undefined
  refused: ReadonlySet<CallGroup>
}): Missing[] {
  const { link, configuration, refused } = now
  const isPushMissing = link.kind === 'gaveUp' || (link.kind === 'lost' && link.attempt >= unusualFailures)
  return [
    ...(isPushMissing ? (['push'] as const) : []),
    ...(configuration?.hasInternet === false ? (['internet'] as const) : []),
    ...refused,
  ]
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

/** Asks for everything that is missing again; what is refused again comes back by itself. */
export async function askAgain(missing: readonly Missing[]): Promise<void> {
  if (missing.includes('push')) push.retryNow()
  refusedGroups.set(new Set())
  await readConfigurationAgain().catch(() => {})
  workAgain()
}
