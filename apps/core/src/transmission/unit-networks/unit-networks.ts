// The networks of units: Wi-Fi, modems and their carriers, as the unit reports them and as users request them.
import type { LinkChanges, LinkConfiguration } from '@backhaul/contract/api/unit-networks'
import { Conflict, InvalidRequest } from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import type { Link } from '@backhaul/contract/gateway/units'
import {
  type CellularScan,
  type ModemChanges,
  type ModemConfiguration,
  type NetworkSelection,
  type SimSlot,
  scanRefusal,
  type UnitModem,
  type UnitModemChanges,
  type WifiJoin,
  type WifiStatus,
} from '@backhaul/contract/nouns/unit-networks'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { Scope } from '../../database/scope.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Events } from '../../world/events.ts'
import type { Transmissions } from '../transmissions/transmissions.ts'
import type { UnitSettingsOfUnits } from '../unit-settings/unit-settings.ts'
import type { ModemDataMeter } from './modem-data.ts'

/** Every method throws NotFound for a unit that is not there, InvalidRequest for such a link; commands answer their id. */
export interface UnitNetworks {
  modem(scope: Scope, unitId: string, port: number): ModemConfiguration
  /** Answers no command where the unit itself has nothing to change. */
  setModem(caller: Caller, unitId: string, port: number, changes: ModemChanges): Promise<string | undefined>
  link(scope: Scope, unitId: string, port: number): LinkConfiguration
  /** Answers the id of the last of its commands. */
  setLink(caller: Caller, unitId: string, changes: LinkChanges): Promise<string | undefined>
  queryWifi(caller: Caller, unitId: string, port: number | undefined, isForced: boolean): Promise<string>
  connectWifi(caller: Caller, unitId: string, join: WifiJoin): Promise<string>
  disconnectWifi(caller: Caller, unitId: string, port: number | undefined): Promise<string>
  selection(scope: Scope, unitId: string, port: number): NetworkSelection | null
  scan(caller: Caller, unitId: string, port: number): Promise<string>
  scanResults(scope: Scope, unitId: string, port: number): CellularScan | null
  /** Undefined lets the modem choose. */
  select(caller: Caller, unitId: string, port: number, network: string | undefined): Promise<string>
  /** Selects the slot in all modems that have a SIM there when no port is given. */
  setActiveSim(caller: Caller, unitId: string, port: number | undefined, sim: SimSlot): Promise<string>
}

interface Needs {
  events: Events
  units: Units
  transmissions: Transmissions
  unitSettings: UnitSettingsOfUnits
  modemData: ModemDataMeter
}

export function createUnitNetworks(needs: Needs): UnitNetworks {
  const { units, transmissions, unitSettings, modemData } = needs
  const noteScan = followScans(needs)

  const actualOf = (unitId: string) => units.memory(unitId)?.actual ?? {}

  function modemOf(scope: Scope, unitId: string, port: number): { unit: Unit; modem: UnitModem } {
    const unit = units.get(scope, unitId)
    const modem = actualOf(unitId).modems?.find((one) => one.port === port)
    if (!modem) throw InvalidRequest.at('port', 'unit.noInterface')
    return { unit, modem }
  }

  function linkOf(scope: Scope, unitId: string, port: number): { unit: Unit; link: Link } {
    const unit = units.get(scope, unitId)
    const link = actualOf(unitId).links?.find((one) => one.port === port)
    if (!link) throw InvalidRequest.at('port', 'unit.noInterface')
    return { unit, link }
  }

  function wifiOf(scope: Scope, unitId: string, port: number | undefined): WifiStatus {
    const { wifi } = units.get(scope, unitId)
    const found = port === undefined ? wifi[0] : wifi.find((one) => one.port === port)
    if (found) return found
    if (wifi.length === 0) throw new Conflict('wifi.notBuiltIn')
    throw InvalidRequest.at('port', 'unit.noInterface')
  }

  function modem(scope: Scope, unitId: string, port: number): ModemConfiguration {
    const { unit, modem } = modemOf(scope, unitId, port)
    return configurationOf(unit, modem, modemData.of({ unitId, port }))
  }

  async function setModem(
    caller: Caller,
    unitId: string,
    port: number,
    { dataMonitoring, password, ...changes }: ModemChanges,
  ): Promise<string | undefined> {
    const { modem } = modemOf(caller.scope, unitId, port)
    requireModemChanges(modem, { ...changes, ...(password !== undefined && { password }) })
    const isForUnit = password !== undefined || Object.keys(changes).length > 0
    const secret = password === undefined ? undefined : { password }
    const commandId = isForUnit
      ? await transmissions.order(caller, unitId, 'set_modem_configuration', {
          args: { port, changes },
          secret,
        })
      : undefined
    if (dataMonitoring) await modemData.watch({ unitId, port }, dataMonitoring)
    return commandId
  }

  return {
    modem,
    setModem,
    link(scope, unitId, port) {
      const { link } = linkOf(scope, unitId, port)
      const { wifi = [], modems = [] } = actualOf(unitId)
      const { ethernet, links } = unitSettings.of(scope, unitId)
      const { networks: _, scannedAt: __, ...status } = wifi.find((one) => one.port === port) ?? noWifi
      return {
        port,
        id: link.id,
        kind: link.kind,
        enabled: link.enabled,
        priority: links?.[port]?.priority ?? null,
        limitKbps: links?.[port]?.limitKbps ?? null,
        ethernet: ethernet?.[port] ?? null,
        wifi: status.port < 0 ? null : status,
        modem: modems.some((one) => one.port === port) ? modem(scope, unitId, port) : null,
      }
    },
    async setLink(caller, unitId, { port, enabled, ethernet, modem: modemChanges, ...share }) {
      linkOf(caller.scope, unitId, port)
      if (modemChanges) requireModemChanges(modemOf(caller.scope, unitId, port).modem, modemChanges)
      let commandId: string | undefined
      const hasShare = Object.keys(share).length > 0
      if (hasShare || ethernet)
        commandId = await unitSettings.configure(caller, unitId, {
          ...(hasShare && { links: { [port]: share } }),
          ...(ethernet && { ethernet: { [port]: ethernet } }),
        })
      if (enabled !== undefined)
        commandId = await transmissions.setLinks(caller, unitId, [{ interface: port, enabled }])
      if (!modemChanges) return commandId
      return (await setModem(caller, unitId, port, modemChanges)) ?? commandId
    },
    async queryWifi(caller, unitId, requested, forceScanNow) {
      const { port } = wifiOf(caller.scope, unitId, requested)
      return await transmissions.order(caller, unitId, 'wifi_query', { args: { port, forceScanNow } })
    },
    async connectWifi(caller, unitId, { password, ...join }) {
      const wifi = wifiOf(caller.scope, unitId, join.port)
      const isKnown = wifi.networks.some(({ ssid, isKnown }) => isKnown && ssid === join.ssid)
      if (join.security !== 'open' && password === undefined && !isKnown)
        throw InvalidRequest.at('password', 'field.required')
      return await transmissions.order(caller, unitId, 'wifi_connect', {
        args: { ...join, port: wifi.port },
        secret: password === undefined ? undefined : { password },
      })
    },
    async disconnectWifi(caller, unitId, requested) {
      const { port, ssid } = wifiOf(caller.scope, unitId, requested)
      if (ssid === null) throw new Conflict('wifi.notConnected')
      return await transmissions.order(caller, unitId, 'wifi_disconnect', { args: { port } })
    },
    selection: (scope, unitId, port) => modemOf(scope, unitId, port).modem.selection,
    async scan(caller, unitId, port) {
      const { unit, modem } = modemOf(caller.scope, unitId, port)
      const refusal = scanRefusal(modem, unit.modems)
      if (refusal !== undefined) throw new Conflict(refusal)
      const commandId = await transmissions.order(caller, unitId, 'network_scan', { args: { port } })
      noteScan(unitId, port)
      return commandId
    },
    scanResults(scope, unitId, port) {
      const { unit } = modemOf(scope, unitId, port)
      return unit.cellularNetworks.find((scan) => scan.port === port) ?? null
    },
    async select(caller, unitId, port, network) {
      if (modemOf(caller.scope, unitId, port).modem.selection === null)
        throw new Conflict('modem.noSelection')
      return network === undefined
        ? await transmissions.order(caller, unitId, 'network_select_automatic', { args: { port } })
        : await transmissions.order(caller, unitId, 'network_select_manual', { args: { port, network } })
    },
    async setActiveSim(caller, unitId, port, sim) {
      const { modems = [] } = units.get(caller.scope, unitId) && actualOf(unitId)
      const meant = port === undefined ? modems : [modemOf(caller.scope, unitId, port).modem]
      const ports = meant.filter((modem) => (sim === 'A' ? modem.simA : modem.simB)).map((one) => one.port)
      if (ports.length === 0) throw Conflict.at('sim', because('modem.noSim', { sim }))
      return await transmissions.order(caller, unitId, 'set_active_sim', { args: { ports, sim } })
    },
  }
}

const noWifi = { port: -1, ssid: null, security: null, networks: [], scannedAt: null }

/** Shows whether the scan that was requested last has results; answers what notes a request. */
function followScans({ events, units }: Pick<Needs, 'events' | 'units'>) {
  const showUpdated = units.provide('cellularNetworksUpdated')
  /** By unit: the requested modem, and when it scanned last before. */
  const requested = new Map<string, { port: number; beforeMs: number | undefined }>()
  const scannedAt = (unitId: string, port: number) =>
    units.memory(unitId)?.actual.cellularNetworks?.find((scan) => scan.port === port)?.scannedAt

  events.on('unitChanged', ({ unitId }) => {
    const scan = requested.get(unitId)
    if (!scan || scannedAt(unitId, scan.port) === scan.beforeMs) return
    requested.delete(unitId)
    showUpdated(unitId, { cellularNetworksUpdated: true })
  })
  events.on('deviceRemoved', ({ deviceId }) => void requested.delete(deviceId))

  return (unitId: string, port: number): void => {
    requested.set(unitId, { port, beforeMs: scannedAt(unitId, port) })
    showUpdated(unitId, { cellularNetworksUpdated: false })
  }
}

function configurationOf(
  { modems, offlineModems }: Unit,
  { access, ...modem }: UnitModem,
  watched: ReturnType<ModemDataMeter['of']>,
): ModemConfiguration {
  const link = [...modems, ...offlineModems].find(({ port }) => port === modem.port)
  const { rsrp, rssi } = link?.signalQualities ?? {}
  return {
    ...modem,
    ...(access ?? noAccess),
    hasAccess: access !== null,
    signalStrength: rssi ?? rsrp ?? null,
    activeSim: link?.activeSim ?? null,
    ...watched,
  }
}

const noAccess = {
  username: '',
  authProtocol: 'none',
  automaticApn: true,
  apn: '',
  hasPassword: false,
} as const

/** Throws for what the unit does not support, and for an APN that is missing. */
function requireModemChanges(
  { access, networkModes }: UnitModem,
  { networkMode, dataMonitoring: _, ...ofAccess }: UnitModemChanges & ModemChanges,
): void {
  const [first] = Object.keys(ofAccess)
  if (first !== undefined && access === null) throw Conflict.at(first, 'unitSetting.unsupported')
  if (ofAccess.dialInString !== undefined && access?.dialInString === undefined)
    throw Conflict.at('dialInString', 'unitSetting.unsupported')
  const after = { ...access, ...ofAccess }
  if (first !== undefined && after.automaticApn === false && after.apn === '')
    throw InvalidRequest.at('apn', 'field.required')
  if (networkMode !== undefined && !networkModes.includes(networkMode))
    throw Conflict.at('networkMode', because('modem.noMode', { mode: networkMode }))
}
