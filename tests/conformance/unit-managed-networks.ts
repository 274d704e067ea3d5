/**
 * The networks of a real agent whose machine lets it set them: the real NetworkManager has its Ethernet, in a network namespace,
 * and the real ModemManager its modem, which is a script that speaks AT commands.
 */
import { join } from 'node:path'
import type { UnitNetworkOrder } from '@backhaul/contract/gateway/unit-networks'
import type { Link } from '@backhaul/contract/gateway/units'
import { type AtModem, carriers, openAtModem } from '@backhaul/device/testing/at-modem'
import { modemManager, startModemManager } from '@backhaul/device/testing/modem-service'
import { canManageEthernet, type ManagedEthernet, openManagedEthernet } from '../stage/managed-ethernet.ts'
import { mainOfStage } from '../stage/programs.ts'
import { until } from '../stage/until.ts'
import { startScriptedCore } from './scripted-core.ts'
import { confirmed, logOf, patienceMs } from './shared-cases.ts'
import { followUnit, type UnitAtCore } from './unit-at-core.ts'
import { type NetworkStand, networkAgent } from './unit-network-looks.ts'
import type { Look } from './verdicts.ts'

interface ManagedUnit extends UnitAtCore {
  readonly network: ManagedEthernet
  readonly modem: AtModem
  stop(): Promise<void>
}

async function open(): Promise<ManagedUnit> {
  const core = await startScriptedCore()
  const modem = await openAtModem(`conformance-${process.pid}`)
  // Without any context this plugin of ModemManager 1.20 ends the whole service.
  modem.answer('AT+CGDCONT?', '+CGDCONT: 1,"IP","internet","",0,0')
  let network: ManagedEthernet | undefined
  async function stop(): Promise<void> {
    await network?.stop()
    modem.close()
    await core.close()
  }
  try {
    network = await openManagedEthernet(core.url)
    await startModemManager(network.bus, modem, 'cinterion')
    const unit = followUnit(core)
    network.runInUnit(process.execPath, [mainOfStage('agent')], {
      ...networkAgent,
      BACKHAUL_CORE_URL: network.coreUrl,
      BACKHAUL_DATA: join(network.folder, 'agent'),
    })
    return { ...unit, network, modem, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Addresses are on the interface once they are confirmed; those without a way to core are refused and taken off again. */
const setsAddresses: Look<ManagedUnit> = async ({ want, actual, network }) => {
  const sockets = () => Object.entries(actual().settings?.ethernet ?? {})
  const [port, first] = await until('its socket', () => sockets()[0], patienceMs)
  const set = (changes: Partial<typeof first>) =>
    want({ settings: { ethernet: { [port]: { ...first, ...changes } } } })

  await set({ ip: '10.178.0.7' })
  const confirmed = network.addresses().join()
  if (confirmed !== '10.178.0.7/24') throw new Error(`the interface has ${confirmed}`)
  const isRefused = await set({ ip: '10.199.0.9', defaultGateway: '10.199.0.1' }).then(
    () => false,
    () => true,
  )
  await want({ settings: {} })
  if (!isRefused) throw new Error('addresses without a way to core were confirmed')
  const after = network.addresses().join()
  if (after !== confirmed) throw new Error(`the interface was left with ${after}`)
  return `under NetworkManager the interface has ${confirmed}, also after addresses without a way to core`
}

const linkOf = ({ actual }: UnitAtCore, wanted: Link['kind']) =>
  actual().links?.find(({ kind }) => kind === wanted)
const modemLink = (unit: UnitAtCore) => linkOf(unit, 'modem')

/** Resolves when the link of the modem has this value. */
const linkHas = <Name extends keyof Link>(unit: UnitAtCore, name: Name, value: Link[Name]) =>
  until(`${name} ${value}`, () => modemLink(unit)?.[name] === value, patienceMs)

const links: Record<string, Look<ManagedUnit>> = {
  async 'link address'(unit) {
    const [onInterface = ''] = unit.network.addresses()
    const address = onInterface.replace(/\/\d+$/, '')
    await until(address, () => linkOf(unit, 'ethernet')?.address === address, patienceMs)
    return `${address}, which the interface has`
  },
  async 'link data'(unit) {
    const sent = () => linkOf(unit, 'ethernet')?.data?.sentBytes ?? 0
    const first = await until('data of the cable', () => sent() || undefined, patienceMs)
    await until('more data', () => sent() > first, patienceMs)
    if (sent() > unit.network.bytesSent()) throw new Error(`${sent()} bytes, more than the kernel counts`)
    return 'what the kernel counts on the interface, and more when it has sent more'
  },
  async 'link carrier'(unit) {
    await linkHas(unit, 'carrier', 'Carrier A')
    return 'that of the network that the modem names'
  },
  async 'link technology'(unit) {
    await linkHas(unit, 'technology', 'EDGE')
    return 'EDGE, as the modem reports it'
  },
  async 'link roaming'(unit) {
    await linkHas(unit, 'roaming', false)
    unit.modem.roam(true)
    await linkHas(unit, 'roaming', true)
    unit.modem.roam(false)
    await linkHas(unit, 'roaming', false)
    return 'reported while the modem is registered abroad'
  },
  async 'link signal'(unit) {
    const rsrp = () => unit.sample()?.links.find(({ port }) => port === modemLink(unit)?.port)?.signal?.rsrp
    await until('the signal', () => rsrp() === -97, patienceMs)
    unit.modem.answer('AT+CESQ', '+CESQ: 99,99,255,255,20,30')
    await until('a weaker signal', () => rsrp() === -111, patienceMs)
    return '-97 dBm became -111 when the modem measured so'
  },
}

const sentTo = ({ modem }: ManagedUnit, start: string) =>
  modem.commands.filter((command) => command.startsWith(start))

async function isSent(unit: ManagedUnit, command: string): Promise<void> {
  await until(`${command} at the modem`, () => sentTo(unit, command).length > 0, patienceMs)
}

/** An order about the modem, confirmed. */
async function order(unit: ManagedUnit, name: UnitNetworkOrder, args: object = {}): Promise<void> {
  const { port } = await until('its modem', () => unit.actual().modems?.[0], patienceMs)
  await confirmed(unit, name, { port, ...args })
}

const storesNetwork = ({ network }: ManagedUnit, code: string) =>
  network.storedProfiles().some((profile) => profile.includes(`network-id=${code}`))

const [own, other] = Object.entries(carriers)

const carrierOrders: Record<string, Look<ManagedUnit>> = {
  async 'order network_scan'(unit) {
    await order(unit, 'network_scan')
    await isSent(unit, 'AT+COPS=?')
    const all = Object.values(carriers).join()
    const found = () => unit.actual().cellularNetworks?.[0]?.networks.map(({ name }) => name)
    // The unit confirms the order before it reports.
    await until(`a report of ${all}`, () => found()?.join() === all, patienceMs)
    return `${found()?.join(', ')}, as the modem found them`
  },
  async 'order network_select_manual'(unit) {
    const [code = '', name = ''] = other ?? []
    await order(unit, 'network_select_manual', { network: code })
    await isSent(unit, `AT+COPS=1,2,"${code}"`)
    await linkHas(unit, 'carrier', name)
    if (!storesNetwork(unit, code)) throw new Error('NetworkManager does not keep it')
    return `the modem is registered with ${name}, and NetworkManager keeps it`
  },
  async 'order network_select_automatic'(unit) {
    const [code = '', name = ''] = own ?? []
    const before = sentTo(unit, 'AT+COPS=0').length
    await order(unit, 'network_select_automatic')
    if (sentTo(unit, 'AT+COPS=0').length === before) throw new Error('the modem was not let choose')
    await linkHas(unit, 'carrier', name)
    if (storesNetwork(unit, code)) throw new Error('NetworkManager keeps a network')
    return `the modem chooses ${name}, and NetworkManager keeps no network`
  },
}

const access = { automaticApn: false, apn: 'news.example', username: 'crew', authProtocol: 'CHAP' } as const
const password = 'sim-password-7'
const inProfile = ['apn=news.example', 'username=crew', `password=${password}`, 'refuse-pap=true']

const configuresModem: Look<ManagedUnit> = async (unit) => {
  await order(unit, 'set_modem_configuration', { changes: { networkMode: '4G', ...access }, password })
  // 4G alone, in the numbers of the modem.
  await isSent(unit, 'AT^SXRAT=3')
  const isUsed = () => sentTo(unit, 'AT+CGDCONT=').some((command) => command.endsWith('"news.example"'))
  await until('the APN at the modem', isUsed, patienceMs)
  const isKept = unit.network
    .storedProfiles()
    .some((profile) => inProfile.every((line) => profile.includes(line)))
  if (!isKept) throw new Error('the profile of NetworkManager does not have it')
  const reported = () => unit.actual().modems?.[0]
  await until(
    'the new configuration',
    () => reported()?.networkMode === '4G' && reported()?.access?.hasPassword,
  )
  const shown = `${JSON.stringify(unit.actual())}${await logOf(unit, 'log-of-networks')}`
  if (shown.includes(password)) throw new Error('the unit shows the password')
  return 'the modem uses 4G and the APN; NetworkManager keeps APN, user and password, which the unit does not show'
}

export const managedNetworks: NetworkStand<ManagedUnit> = {
  fault: () =>
    canManageEthernet(modemManager)
      ? undefined
      : 'this machine has no NetworkManager and ModemManager, or no network namespaces for them',
  open,
  looks: {
    'setting ethernet': setsAddresses,
    ...links,
    ...carrierOrders,
    'order set_modem_configuration': configuresModem,
  },
}
