// For each write about upgrades a request that succeeds: on a record whose machine has not joined, so that it waits.
import { api } from '@backhaul/contract/api/api'
import type { Browser } from '../testing.ts'

let made = 0

async function target(root: Browser) {
  const number = made++
  const version = { number: `9.8.${number}`, path: 'r', products: ['LU-600'] }
  const { id: versionNumberId } = await root.call(api.softwareVersions.create, { body: version })
  const record = { name: `Waits-${number}`, productType: 'LU-600', serialNumber: `W-${number}` }
  const body = { ...record, inventory: 'north' }
  const { uid } = await root.call(api.deviceAdministration.createUnit, { body })
  return { params: { id: uid }, body: { versionNumberId, upgradeNow: false } }
}

async function batch(root: Browser): Promise<string> {
  const { params, body } = await target(root)
  const unit = await root.call(api.units.one, params && { params })
  const version = (await root.call(api.softwareVersions.list, { query: { limit: 1000 } })).items.find(
    ({ id }) => id === body.versionNumberId,
  )
  return `serialNumber,targetVersion\n${unit.serialNumber},${version?.number}`
}

export const upgradeChanges = (rootOf: () => Browser) => ({
  'upgrades.setTarget': () => target(rootOf()),
  'upgrades.setTargetOfUnit': () => target(rootOf()),
  'upgrades.clear': async () => {
    const request = await target(rootOf())
    await rootOf().call(api.upgrades.setTarget, request)
    return { params: request.params }
  },
  'batchUpgrades.check': async () => ({ body: { csv: await batch(rootOf()) } }),
  'batchUpgrades.run': async () => {
    const { id } = await rootOf().call(api.batchUpgrades.check, { body: { csv: await batch(rootOf()) } })
    return { params: { id } }
  },
})
