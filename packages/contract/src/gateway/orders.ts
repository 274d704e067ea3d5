/** The `args` of every order to a device. */
import { z } from 'zod'
import { fileOrders, OverlayOrder } from './servers.ts'
import { type OrderName, UpgradeArgs } from './shared.ts'
import { unitNetworkOrders } from './unit-networks.ts'
import { unitFileOrders } from './units.ts'

const none = z.object({})
const ofLog = z.object({ logId: z.string().max(64) })

export const orderArgs: Readonly<Record<OrderName, z.ZodType>> = {
  reboot: none,
  shutdown: none,
  virtual_channels_updated: none,
  reset_instance: none,
  delete_certificate: none,
  send_logs: ofLog.extend({
    channelId: z.string().optional().describe('To servers: the channel that the lines are about'),
  }),
  stop_logs: ofLog,
  put_overlay: OverlayOrder,
  upgrade: UpgradeArgs,
  ...fileOrders,
  ...unitFileOrders,
  ...unitNetworkOrders,
}
