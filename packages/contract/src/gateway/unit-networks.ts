/** The orders about the networks of a unit and their `args`. Each is confirmed when it is done, and core is reached then. */
import { z } from 'zod'
import {
  LinkPort,
  ModemPassword,
  NetworkCode,
  SimSlot,
  UnitModemChanges,
  WifiJoin,
} from '../nouns/unit-networks.ts'

const ofLink = z.object({ port: LinkPort })

/**
 * The unit reports what it finds as `wifi`, `modems` and `cellularNetworks`. A change by which it does not reach core within
 * a time of its own is undone by itself, and the order refused. The password of `wifi_connect` and
 * `set_modem_configuration` is sent once: core does not store it, and the unit never reports or logs it.
 */
export const unitNetworkOrders = {
  wifi_query: ofLink.extend({ forceScanNow: z.boolean() }),
  wifi_connect: z.object(WifiJoin.shape).extend({ port: LinkPort }),
  wifi_disconnect: ofLink,
  network_scan: ofLink,
  network_select_manual: ofLink.extend({ network: NetworkCode }),
  network_select_automatic: ofLink,
  set_active_sim: z.object({ ports: z.array(LinkPort).min(1), sim: SimSlot }),
  set_modem_configuration: ofLink.extend({
    changes: UnitModemChanges,
    password: ModemPassword.optional(),
  }),
} as const
export type UnitNetworkOrder = keyof typeof unitNetworkOrders
