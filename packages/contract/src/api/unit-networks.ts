/** The networks of a unit: its Wi-Fi, its modems and their carriers, and the configuration of each link. */
import { z } from 'zod'
import { accepted } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { LinkKind } from '../nouns/modems.ts'
import {
  CellularScan,
  LinkPort,
  ModemChanges,
  ModemConfiguration,
  NetworkCode,
  NetworkSelection,
  SimSlot,
  unmonitored,
  WifiJoin,
  WifiStatus,
} from '../nouns/unit-networks.ts'
import { Ethernet, LinkShare } from '../nouns/unit-settings.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const ofModem = id.extend({ port: z.coerce.number().int().min(0).max(63) })
const modemPath = '/v2/units/{id}/interfaces/modem/{port}/config'
const port = LinkPort

/** Carried out by the unit alone, which reports what it finds or has changed. */
const command = <B extends z.ZodType>(token: string, summary: string, body: B, rows: readonly string[]) =>
  endpoint({
    method: 'POST',
    path: `/devices/{id}/commands/${token}`,
    summary,
    permission: 'operateUnits',
    params: id,
    body,
    ...accepted,
    rows,
  })

const exampleModem: ModemConfiguration = {
  port: 2,
  vendor: 'Maker',
  type: 'Model 5',
  imei: '490154203237518',
  simA: { iccid: '8944054001020304678', eid: '' },
  simB: null,
  networkMode: '3G/4G/5G',
  networkModes: ['3G/4G/5G', '3G/4G', '4G'],
  cellId: '00C3D4',
  locationAreaCode: '1A2B',
  selection: { mode: 'automatic', network: null },
  canScan: true,
  username: '',
  authProtocol: 'both',
  automaticApn: true,
  apn: '',
  hasPassword: false,
  hasAccess: true,
  signalStrength: -97,
  activeSim: 'A',
  dataMonitoring: unmonitored,
  dataUse: null,
}

/** The settings of a link, by its kind; null where one does not apply, or cannot be set from here. */
export const LinkConfiguration = z.object({
  port,
  id: z.string().describe('Name of the interface'),
  kind: LinkKind,
  enabled: z.boolean(),
  priority: LinkShare.shape.priority.nullable(),
  limitKbps: z.number().int().nullable().describe('0 limits nothing'),
  ethernet: Ethernet.nullable(),
  wifi: WifiStatus.omit({ networks: true, scannedAt: true }).nullable(),
  modem: ModemConfiguration.nullable(),
})
export type LinkConfiguration = z.infer<typeof LinkConfiguration>

export const LinkChanges = z.strictObject({
  port,
  enabled: z.boolean().optional(),
  priority: LinkShare.shape.priority.optional(),
  limitKbps: LinkShare.shape.limitKbps.optional(),
  ethernet: Ethernet.optional(),
  modem: ModemChanges.optional(),
})
export type LinkChanges = z.infer<typeof LinkChanges>

export const unitNetworks = {
  modem: endpoint({
    method: 'GET',
    path: modemPath,
    summary: 'A modem of a unit: its SIMs, and how it joins the network of its carrier',
    permission: 'viewUnits',
    params: ofModem,
    response: ModemConfiguration,
    errors: [404],
    example: exampleModem,
    rows: ['EP-USET-38', 'GAP-CONF-13'],
  }),
  setModem: endpoint({
    method: 'PUT',
    path: modemPath,
    summary:
      'Changes how a modem joins its network; with settings by which the unit does not reach core it returns to the previous ones',
    permission: 'operateUnits',
    params: ofModem,
    body: ModemChanges,
    ...accepted,
    rows: ['EP-USET-39', 'GAP-CONF-13'],
  }),
  link: endpoint({
    method: 'POST',
    path: '/devices/{id}/commands/get_link_configuration',
    summary: 'The configuration of a link',
    permission: 'viewUnits',
    audited: false,
    params: id,
    body: z.strictObject({ port }),
    response: LinkConfiguration,
    errors: [404],
    example: {
      port: 2,
      id: 'Modem 1',
      kind: 'modem',
      enabled: true,
      priority: 1,
      limitKbps: 0,
      ethernet: null,
      wifi: null,
      modem: exampleModem,
    },
    rows: ['EP-UCMD-06'],
  }),
  setLink: command('set_link_configuration', 'Changes the configuration of a link', LinkChanges, [
    'EP-UCMD-07',
  ]),
  queryWifi: command(
    'wifi_query',
    'Requests the Wi-Fi networks around the unit; they come by push',
    z.strictObject({ port: port.optional(), forceScanNow: z.boolean().default(false) }),
    ['EP-UCMD-08'],
  ),
  connectWifi: command(
    'wifi_connect',
    'Connects the unit to a Wi-Fi network; if it does not reach core then, it returns to the previous one',
    WifiJoin,
    ['EP-UCMD-09'],
  ),
  disconnectWifi: command(
    'wifi_disconnect',
    'Disconnects the unit from its Wi-Fi network',
    z.strictObject({ port: port.optional() }),
    ['EP-UCMD-10'],
  ),
  selectionMode: endpoint({
    method: 'POST',
    path: '/devices/{id}/commands/get_network_selection_mode',
    summary: 'Whether a modem selects its network automatically; null where it does not report it',
    permission: 'viewUnits',
    audited: false,
    params: id,
    body: z.strictObject({ port }),
    response: NetworkSelection.nullable(),
    errors: [404],
    example: { mode: 'manual', network: '24491' },
    rows: ['EP-UCMD-23'],
  }),
  setActiveSim: command(
    'set_active_sim',
    'Changes to the SIM of this slot, in one modem or in all that have one there',
    z.union([z.strictObject({ port, sim: SimSlot }), z.strictObject({ all: z.literal(true), sim: SimSlot })]),
    ['EP-UCMD-24'],
  ),
  scanNetworks: command(
    'network_scan',
    'Scans for cellular networks, which takes 1-2 minutes; the results come by push',
    z.strictObject({ port }),
    ['EP-UCMD-25', 'ER-UNIT-13', 'ER-UNIT-14', 'ER-UNIT-15'],
  ),
  scanResults: endpoint({
    method: 'POST',
    path: '/devices/{id}/commands/network_scan_results',
    summary: 'The networks that the newest scan of a modem found; null before the first',
    permission: 'viewUnits',
    audited: false,
    params: id,
    body: z.strictObject({ port }),
    response: CellularScan.nullable(),
    errors: [404],
    example: {
      port: 2,
      networks: [{ code: '24405', name: 'Carrier A', technology: 'LTE', state: 'current' }],
      selected: null,
      scannedAt: 1_795_000_042_000,
    },
    rows: ['EP-UCMD-26'],
  }),
  selectNetwork: command(
    'network_select_manual',
    'Registers a modem with this network, which takes up to 30 seconds',
    z.strictObject({ port, network: NetworkCode }),
    ['EP-UCMD-27'],
  ),
  selectAutomatically: command(
    'network_select_automatic',
    'Lets a modem select its network by itself again',
    z.strictObject({ port }),
    ['EP-UCMD-28'],
  ),
}
