import type { batchUpgrades as endpoints } from '@backhaul/contract/api/batch-upgrades'
import type { Handlers } from '../../doors/api/bind.ts'
import type { BatchUpgrades } from './batch-upgrades.ts'

export function batchUpgradeRoutes(batches: BatchUpgrades): Handlers<typeof endpoints> {
  return {
    list: ({ query }) => batches.page(query),
    async check({ caller, body, note }) {
      const batch = await batches.check(caller, body.csv)
      note({ objectId: batch.id, details: { devices: batch.rows.length } })
      return batch
    },
    one: ({ params }) => batches.one(params.id),
    async run({ caller, params, note }) {
      const batch = await batches.run(caller, params.id)
      const refused = batch.rows.filter(({ state }) => state === 'refused').length
      note({ objectId: batch.id, details: { devices: batch.rows.length - refused, refused } })
      return batch
    },
  }
}
