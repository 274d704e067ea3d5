/** The networks that a simulated unit finds, joins and leaves, and what it reports of its links. */
import type { UnitNetworkOrder } from '@backhaul/contract/gateway/unit-networks'
import type { Link } from '@backhaul/contract/gateway/units'
import type { NetworkMode } from '@backhaul/contract/nouns/unit-networks'
import { until } from '../stage/until.ts'
import { confirmed } from './shared-cases.ts'
import type { UnitAtCore } from './unit-at-core.ts'
import type { Cases, Look } from './verdicts.ts'

const wifiOf = (unit: UnitAtCore) => unit.actual().wifi?.[0]
const isUp = (unit: UnitAtCore, port: number | undefined) =>
  unit.sample()?.links.find((link) => link.port === port)?.up

const isAtHome = ({ kind, roaming }: Link) => kind === 'modem' && !roaming

/** A modem at a carrier of its country. Its technology is no mark of it: handovers change that at any time. */
function modemOf(unit: UnitAtCore) {
  const found = unit.actual().links?.find(isAtHome)
  if (!found) throw new Error('all modems are roaming')
  return modemAt(unit, found.port)
}

function modemAt(unit: UnitAtCore, port: number) {
  const link = () => unit.actual().links?.find((one) => one.port === port)
  const modem = () => unit.actual().modems?.find((one) => one.port === port)
  const order = (name: UnitNetworkOrder, args: object = {}) => confirmed(unit, name, { port, ...args })
  return { port, link, modem, order }
}

/** The technology in which the modem joins with this mode: the two are in one report. */
async function technologyIn(unit: UnitAtCore, port: number, networkMode: NetworkMode) {
  const { link, modem, order } = modemAt(unit, port)
  await order('set_modem_configuration', { changes: { networkMode } })
  await until(networkMode, () => modem()?.networkMode === networkMode)
  return link()?.technology
}

const networksAt = (unit: UnitAtCore, port: number) =>
  unit.actual().cellularNetworks?.find((scan) => scan.port === port)?.networks ?? []

const anyOf = <One>(found: readonly One[] = []) => (found.length > 0 ? found : undefined)

export const simulatedNetworkCases: Cases<UnitAtCore> = {
  async 'order wifi_query'(unit) {
    await confirmed(unit, 'wifi_query', { port: wifiOf(unit)?.port, forceScanNow: true })
    const networks = await until('the networks', () => anyOf(wifiOf(unit)?.networks))
    return networks.map(({ ssid }) => ssid).join(', ')
  },
  async 'order wifi_connect'(unit) {
    const { port } = wifiOf(unit) ?? {}
    const network = { ssid: 'Press centre', security: 'wpa3', password: 'on the wall' }
    await confirmed(unit, 'wifi_connect', { port, ...network })
    await until('the network', () => wifiOf(unit)?.ssid === network.ssid && isUp(unit, port))
    return 'the link is in the network, and up'
  },
  async 'order wifi_disconnect'(unit) {
    const { port } = wifiOf(unit) ?? {}
    await confirmed(unit, 'wifi_disconnect', { port })
    await until('no network', () => wifiOf(unit)?.ssid === null && isUp(unit, port) === false)
    return 'the link is in no network, and down'
  },
  async 'order network_scan'(unit) {
    const { port, order } = modemOf(unit)
    await order('network_scan')
    const networks = await until('the networks', () => anyOf(networksAt(unit, port)))
    return networks.map(({ name }) => name).join(', ')
  },
  async 'order network_select_manual'(unit) {
    const { port, link, modem, order } = modemOf(unit)
    await order('network_scan')
    const other = await until('another network', () =>
      networksAt(unit, port).find(({ state }) => state === 'available'),
    )
    const carrier = link()?.carrier
    await order('network_select_manual', { network: other.code })
    const isChosen = () => link()?.carrier === other.name && modem()?.selection?.mode === 'manual'
    await until('the other carrier', isChosen)
    await order('network_select_automatic')
    return `${carrier} became ${other.name}`
  },
  async 'order network_select_automatic'(unit) {
    const { port, link, modem, order } = modemOf(unit)
    await order('network_scan')
    const carrier = link()?.carrier
    const other = await until('another network', () =>
      networksAt(unit, port).find(({ state }) => state === 'available'),
    )
    await order('network_select_manual', { network: other.code })
    await until('the other carrier', () => link()?.carrier === other.name)
    await order('network_select_automatic')
    await until('the first carrier', () => link()?.carrier === carrier)
    if (modem()?.selection?.mode !== 'automatic') throw new Error('it is still chosen by hand')
    return `the carrier of its SIM: ${carrier}`
  },
  async 'order set_active_sim'(unit) {
    const { port, link } = modemOf(unit)
    const { activeSim: before = 'A', carrier } = link() ?? {}
    const sim = before === 'A' ? 'B' : 'A'
    await confirmed(unit, 'set_active_sim', { ports: [port], sim })
    await until('the other SIM', () => link()?.activeSim === sim && link()?.carrier !== carrier)
    await confirmed(unit, 'set_active_sim', { ports: [port], sim: before })
    return 'the carrier of the other SIM'
  },
  async 'order set_modem_configuration'(unit) {
    const found: string[] = []
    // Not every carrier has 5G.
    for (const { port } of unit.actual().links?.filter(isAtHome) ?? []) {
      const limited = await technologyIn(unit, port, '4G')
      const best = await technologyIn(unit, port, '3G/4G/5G')
      if (limited !== 'LTE') throw new Error(`it has ${limited} in 4G`)
      if (best?.startsWith('5G')) return `${best}, and LTE in 4G`
      found.push(`${best}`)
    }
    throw new Error(`its modems have ${found.join()}`)
  },
}

const linksOf = (unit: UnitAtCore, wanted: Link['kind']) =>
  unit.actual().links?.filter(({ kind }) => kind === wanted) ?? []
const signalsOf = (unit: UnitAtCore, kind: Link['kind']) =>
  linksOf(unit, kind).map(({ port }) => unit.sample()?.links.find((link) => link.port === port)?.signal)

/** Checks the values that its modems report under this name. */
const ofModems =
  (name: 'technology' | 'roaming', isRight: (values: readonly unknown[]) => boolean): Look<UnitAtCore> =>
  async (unit) => {
    const values = linksOf(unit, 'modem').map((link) => link[name])
    if (!isRight(values)) throw new Error(`its modems report ${values.join()}`)
    return `${values.join(', ')} of its modems`
  }

export const simulatedLinkCases: Cases<UnitAtCore> = {
  'link data': {
    reason: 'no interface of a kernel that counts',
    async check(unit) {
      if (unit.actual().links?.some(({ data }) => data !== undefined)) throw new Error('its links have data')
      return 'no data'
    },
  },
  async 'link address'(unit) {
    const [socket] = linksOf(unit, 'ethernet')
    const { ip } = unit.actual().settings?.ethernet?.[socket?.port ?? ''] ?? {}
    if (!ip || socket?.address !== ip) throw new Error(`the link has ${socket?.address}, its socket ${ip}`)
    return `${ip}, which its socket has`
  },
  async 'link carrier'(unit) {
    const { port, link, order } = modemOf(unit)
    await order('network_scan')
    const used = await until('the network in use', () =>
      networksAt(unit, port).find(({ state }) => state === 'current'),
    )
    if (link()?.carrier !== used.name) throw new Error(`it is ${link()?.carrier}, in use is ${used.name}`)
    return `${used.name}, the network in use`
  },
  'link technology': ofModems('technology', (values) => values.every((value) => typeof value === 'string')),
  'link roaming': ofModems('roaming', (values) => values.every((value) => typeof value === 'boolean')),
  async 'link activeSim'(unit) {
    const { port, link } = modemOf(unit)
    const { activeSim: before = 'A' } = link() ?? {}
    for (const sim of [before === 'A' ? 'B' : 'A', before]) {
      await confirmed(unit, 'set_active_sim', { ports: [port], sim })
      await until(`SIM ${sim}`, () => link()?.activeSim === sim)
    }
    return 'the one that was set'
  },
  async 'link signal'(unit) {
    // A modem that was just set is down, and has none.
    const figures = await until('the signal of its modems', () => {
      const found = signalsOf(unit, 'modem').map((signal) => signal?.rsrp)
      return found.every((dbm) => dbm !== undefined) ? found : undefined
    })
    if (signalsOf(unit, 'ethernet').some((signal) => signal !== undefined)) throw new Error('a cable has one')
    return `${figures.join(', ')} dBm`
  },
}
