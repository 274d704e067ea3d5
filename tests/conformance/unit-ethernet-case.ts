/**
 * The Ethernet of a real agent: one whose links are given by address has no sockets to set, so that a second one runs in a
 * network namespace, where NetworkManager manages its interface.
 */
import { join } from 'node:path'
import { canManageEthernet, openManagedEthernet } from '../stage/managed-ethernet.ts'
import { mainOfStage } from '../stage/programs.ts'
import { until } from '../stage/until.ts'
import { startScriptedCore } from './scripted-core.ts'
import { patienceMs } from './shared-cases.ts'
import { followUnit } from './unit-at-core.ts'
import type { UnitUnderTest } from './unit-under-test.ts'
import type { Look } from './verdicts.ts'

const trialS = 10

/** Addresses are on the interface once they are confirmed; those without a way to core are refused and taken off again. */
export const setsAddresses: Look<UnitUnderTest> = async ({ actual }) => {
  if (actual().settings?.ethernet !== undefined) throw new Error('it claims sockets of the machine')
  if (!canManageEthernet())
    return { absent: 'this machine has no NetworkManager, or no network namespaces for it' }
  const core = await startScriptedCore()
  const network = await openManagedEthernet(core.url).catch(async (error: unknown) => {
    await core.close()
    throw error
  })
  try {
    const unit = followUnit(core)
    network.runInUnit(process.execPath, [mainOfStage('agent')], {
      BACKHAUL_LOG: 'json',
      BACKHAUL_REGISTRATION_KEY: 'key-of-the-group',
      BACKHAUL_CORE_URL: network.coreUrl,
      BACKHAUL_DATA: join(network.folder, 'agent'),
      BACKHAUL_ADDRESSES_WITHIN_S: String(trialS),
      BACKHAUL_RETURN_PORT: '0',
    })
    const sockets = () => Object.entries(unit.actual().settings?.ethernet ?? {})
    const [port, first] = await until('its socket', () => sockets()[0], patienceMs)
    const set = (changes: Partial<typeof first>) =>
      unit.want({ settings: { ethernet: { [port]: { ...first, ...changes } } } })

    await set({ ip: '10.178.0.7' })
    const confirmed = network.addresses().join()
    if (confirmed !== '10.178.0.7/24') throw new Error(`the interface has ${confirmed}`)
    const isRefused = await set({ ip: '10.199.0.9', defaultGateway: '10.199.0.1' }).then(
      () => false,
      () => true,
    )
    if (!isRefused) throw new Error('addresses without a way to core were confirmed')
    const after = network.addresses().join()
    if (after !== confirmed) throw new Error(`the interface was left with ${after}`)
    return `under NetworkManager the interface has ${confirmed}, also after addresses without a way to core`
  } finally {
    await network.stop()
    await core.close()
  }
}
