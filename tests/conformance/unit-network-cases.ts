/** Orders about networks, to an agent whose networks were set up by the machine's owner: it claims none of them. */
import { type UnitNetworkOrder, unitNetworkOrders } from '@backhaul/contract/gateway/unit-networks'
import type { UnitUnderTest } from './unit-under-test.ts'
import type { Absence, Cases } from './verdicts.ts'

const names = Object.keys(unitNetworkOrders) as UnitNetworkOrder[]

const notHere = (name: UnitNetworkOrder): Absence<UnitUnderTest> => ({
  reason: 'its links are set by their addresses: networks belong to the owner of the machine',
  async check({ core, actual }) {
    const { wifi, modems, capabilities = {} } = actual()
    if (wifi ?? modems) throw new Error('it reports networks that can be set')
    if (capabilities.wifi || capabilities.scanCellular || capabilities.activeSim)
      throw new Error('it claims networks')
    const { state, cause } = await core.order(name)
    if (state !== 'refused' || cause?.code !== 'network.notBuiltIn') throw new Error(`it was ${state}`)
    return 'refused'
  },
})

export const networkCases: Cases<UnitUnderTest> = Object.fromEntries(
  names.map((name) => [`order ${name}`, notHere(name)]),
)
