// A unit with Wi-Fi and modems that can be set from here, and the calls about its networks.
import type { UnitModem, WifiStatus } from '@backhaul/contract/nouns/unit-networks'
import type { TestDevice, TestFleet } from './fleet.ts'
import { type RequestTarget, target } from './tenancy-target.ts'
import { until } from './wait.ts'

export const wifiPort = 0

export const wifi: WifiStatus = {
  port: wifiPort,
  ssid: 'Van',
  security: 'wpa',
  networks: [
    { ssid: 'Van', security: 'wpa', signalPercent: 80, isKnown: true },
    { ssid: 'Press centre', security: 'wpa3', signalPercent: 60, isKnown: false },
  ],
  scannedAt: 1_795_000_000_000,
}

export const modemAt = (port: number, more: Partial<UnitModem> = {}): UnitModem => ({
  port,
  vendor: 'Maker',
  type: 'Model 5',
  imei: `49015420323751${port}`,
  simA: { iccid: `894405400102030467${port}`, eid: '' },
  simB: null,
  access: { username: '', authProtocol: 'both', automaticApn: true, apn: '', hasPassword: false },
  networkMode: '3G/4G',
  networkModes: ['3G/4G', '4G'],
  cellId: '00C3D4',
  locationAreaCode: '1A2B',
  selection: { mode: 'automatic', network: null },
  canScan: true,
  ...more,
})

/** Wi-Fi at port 0, modems at 1 to 3; the second has two SIMs. */
export async function networkedUnit(fleet: TestFleet, name: string): Promise<TestDevice> {
  const unit = await fleet.unit(name)
  const simB = { iccid: '8944054001020304699', eid: '89049032000000000000000000000001' }
  unit.report({
    links: [
      { port: wifiPort, id: 'wlan0', kind: 'wifi', enabled: true },
      ...[1, 2, 3].map((port) => ({
        port,
        id: `Modem ${port}`,
        kind: 'modem' as const,
        enabled: true,
        activeSim: 'A' as const,
      })),
    ],
    wifi: [wifi],
    modems: [modemAt(1), modemAt(2, { simB }), modemAt(3)],
    cellularNetworks: [],
  })
  await until(() => fleet.core.units.values(unit.id)?.wifi.length === 1)
  return unit
}

const port = { port: 1 }

/** The way in which each call names its unit. */
export const networkTargets: Readonly<Record<string, RequestTarget>> = {
  'unitNetworks.modem': target('unit', 'id', { params: { port: '1' } }),
  'unitNetworks.setModem': target('unit', 'id', { params: { port: '1' }, body: { networkMode: '4G' } }),
  'unitNetworks.link': target('unit', 'id', { body: port }),
  'unitNetworks.setLink': target('unit', 'id', { body: { ...port, enabled: true } }),
  'unitNetworks.queryWifi': target('unit', 'id', { body: {} }),
  'unitNetworks.connectWifi': target('unit', 'id', { body: { ssid: 'Van', security: 'open' } }),
  'unitNetworks.disconnectWifi': target('unit', 'id', { body: {} }),
  'unitNetworks.selectionMode': target('unit', 'id', { body: port }),
  'unitNetworks.setActiveSim': target('unit', 'id', { body: { ...port, sim: 'B' } }),
  'unitNetworks.scanNetworks': target('unit', 'id', { body: port }),
  'unitNetworks.scanResults': target('unit', 'id', { body: port }),
  'unitNetworks.selectNetwork': target('unit', 'id', { body: { ...port, network: '24405' } }),
  'unitNetworks.selectAutomatically': target('unit', 'id', { body: port }),
}

/** The calls that write; `id` is that of a networked unit. */
export function networkChanges(id: () => string): Record<string, () => { params: object; body: unknown }> {
  const of = (body: unknown) => () => ({ params: { id: id() }, body })
  return {
    'unitNetworks.setModem': () => ({ params: { id: id(), port: 1 }, body: { networkMode: '4G' } }),
    'unitNetworks.setLink': of({ port: 1, enabled: true }),
    'unitNetworks.queryWifi': of({}),
    'unitNetworks.connectWifi': of({ ssid: 'Press centre', security: 'wpa3', password: 'on-the-road' }),
    'unitNetworks.disconnectWifi': of({}),
    'unitNetworks.setActiveSim': of({ port: 2, sim: 'B' }),
    'unitNetworks.scanNetworks': of(port),
    'unitNetworks.selectNetwork': of({ ...port, network: '24405' }),
    'unitNetworks.selectAutomatically': of(port),
  }
}
