// Finds which parts of the console's data are missing now, and requests them again (GAP-SCR-04).
import type { ClientConfiguration } from '@backhaul/contract/nouns/client'
import { type LinkState, push } from '../doors/push.ts'
import { readConfigurationAgain } from '../session/sign-ins/sign-ins.ts'
import { type CallGroup, refusedGroups } from './refused-reads.ts'
import { workAgain } from './start-work.ts'

export type Missing = 'push' | 'internet' | CallGroup

/** This many failures of the push connection, its break among them, are unusual connection behaviour. */
const unusualFailures = 3

/** Data that the user cannot get now, the most general first; empty means that access is whole. */
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

/** Requests everything that is missing again; refused reads come back by themselves. */
export async function askAgain(missing: readonly Missing[]): Promise<void> {
  if (missing.includes('push')) push.retryNow()
  refusedGroups.set(new Set())
  await readConfigurationAgain().catch(() => {})
  workAgain()
}
