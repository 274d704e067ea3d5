/**
 * The networks of real agents: the unit under test, whose links are set by their addresses, claims none of them, and other agents,
 * which are checked meanwhile, set theirs.
 */
import { OrderName } from '@backhaul/contract/gateway/shared'
import { managedNetworks } from './unit-managed-networks.ts'
import { beginLooks } from './unit-network-looks.ts'
import { radioNetworks } from './unit-radio-networks.ts'
import type { UnitUnderTest } from './unit-under-test.ts'
import type { Cases, Missing } from './verdicts.ts'

export interface NetworkLooks {
  /** Resolves with what was seen, or with why this machine lacks it; rejects when the effect is missing. */
  found(row: string): Promise<string | Missing>
  /** Resolves when every agent of them has ended. */
  ended(): Promise<unknown>
}

export interface AgentUnderTest extends UnitUnderTest {
  readonly networks: NetworkLooks
}

export function lookAtNetworks(isWanted: (row: string) => boolean): NetworkLooks {
  const begun = [beginLooks(managedNetworks, isWanted), beginLooks(radioNetworks, isWanted)]
  const found = new Map(begun.flatMap((one) => [...one.found]))
  return {
    found: (row) => found.get(row) ?? Promise.reject(new Error('it was not checked')),
    ended: () => Promise.all(begun.map(({ ended }) => ended)),
  }
}

/** Fails where it claims networks of its machine, or follows an order about them. */
async function claimsNone({ core, actual }: UnitUnderTest, row: string): Promise<void> {
  const { wifi, modems, settings, capabilities = {} } = actual()
  if (wifi ?? modems ?? settings?.ethernet)
    throw new Error('with links that are addresses it reports networks that can be set')
  if (capabilities.wifi || capabilities.scanCellular || capabilities.activeSim)
    throw new Error('with links that are addresses it claims networks')
  const { data: name } = OrderName.safeParse(row.replace('order ', ''))
  if (name === undefined) return
  const { state, cause } = await core.order(name)
  if (state !== 'refused' || cause?.code !== 'network.notBuiltIn')
    throw new Error(`with links that are addresses it was ${state}`)
}

const rows = [managedNetworks, radioNetworks].flatMap(({ looks }) => Object.keys(looks))

export const networkCases: Cases<AgentUnderTest> = Object.fromEntries(
  rows.map((row) => [
    row,
    async (unit: AgentUnderTest) => {
      await claimsNone(unit, row)
      return await unit.networks.found(row)
    },
  ]),
)
