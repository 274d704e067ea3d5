import type { deviceHistories as endpoints } from '@backhaul/contract/api/device-histories'
import type { Handlers } from '../../doors/api/bind.ts'
import type { DeviceHistories } from './device-histories.ts'

export const deviceHistoryRoutes = (histories: DeviceHistories): Handlers<typeof endpoints> => ({
  ofGroups: ({ query }) => histories.page('group', query),
  ofInventories: ({ query }) => histories.page('inventory', query),
})
