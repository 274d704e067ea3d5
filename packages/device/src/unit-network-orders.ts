/** Orders about the networks of a unit: Wi-Fi, the carriers of its modems, their SIMs and settings. */
import type { Order } from '@backhaul/contract/gateway/gateway'
import { type UnitNetworkOrder, unitNetworkOrders } from '@backhaul/contract/gateway/unit-networks'
import { Refused } from './refused.ts'
import type { NetworkHardware } from './unit-hardware.ts'

const isAboutNetworks = (name: Order['name']): name is UnitNetworkOrder =>
  Object.hasOwn(unitNetworkOrders, name)

/** `changed` when the present connection with core may have been cut; undefined for an order about something else. */
export async function carryOutNetworkOrder(
  hardware: NetworkHardware | undefined,
  { name, args }: Order,
): Promise<'changed' | 'read' | undefined> {
  if (!isAboutNetworks(name)) return undefined
  if (!hardware) throw new Refused('network.notBuiltIn')
  if (name === 'wifi_query') {
    const { port, forceScanNow } = unitNetworkOrders[name].parse(args)
    await hardware.scanWifi(port, forceScanNow)
    return 'read'
  }
  if (name === 'network_scan') {
    await hardware.scanCellular(unitNetworkOrders[name].parse(args).port)
    return 'read'
  }
  await change(hardware, name, args)
  return 'changed'
}

async function change(
  hardware: NetworkHardware,
  name: Exclude<UnitNetworkOrder, 'wifi_query' | 'network_scan'>,
  args: Order['args'],
): Promise<void> {
  if (name === 'wifi_connect') {
    const { port, ...join } = unitNetworkOrders[name].parse(args)
    await hardware.connectWifi(port, join)
  }
  if (name === 'wifi_disconnect') await hardware.disconnectWifi(unitNetworkOrders[name].parse(args).port)
  if (name === 'network_select_manual') {
    const { port, network } = unitNetworkOrders[name].parse(args)
    await hardware.selectNetwork(port, network)
  }
  if (name === 'network_select_automatic')
    await hardware.selectNetwork(unitNetworkOrders[name].parse(args).port, undefined)
  if (name === 'set_active_sim') {
    const { ports, sim } = unitNetworkOrders[name].parse(args)
    for (const port of ports) await hardware.setActiveSim(port, sim)
  }
  if (name === 'set_modem_configuration') {
    const { port, changes, password } = unitNetworkOrders[name].parse(args)
    await hardware.setModem(port, changes, password)
  }
}
