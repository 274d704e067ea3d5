// Organizations and the inventories that they reach, in the tables by which users are counted.

import { randomBytes } from 'node:crypto'
import { Conflict, fault, NotFound } from '@backhaul/contract/define/errors'
import type { Organization, OrganizationInventory } from '@backhaul/contract/nouns/system-settings'
import type { Database } from '../../database/schema.ts'
import { everything } from '../../database/scope.ts'
import type { Inventories } from '../inventories/inventories.ts'
import * as table from './organization-table.ts'
import { type Kept, namedPage, type SettingStore } from './setting-store.ts'

interface Needs {
  db: Database
  inventories: Inventories
}

export function createOrganizations({ db }: Pick<Needs, 'db'>): SettingStore<Organization> {
  const all = () => table.organizations(db)

  async function get(id: string): Promise<Kept<Organization>> {
    const found = (await all()).find((one) => one.id === id)
    if (!found) throw new NotFound('organization')
    return found
  }
  /** Names and external names are compared without case. */
  async function requireOwnNames(id: string, requested: Organization): Promise<void> {
    const others = (await all()).filter((one) => one.id !== id)
    for (const field of ['name', 'externalUid'] as const) {
      const isSame = (one: Organization) => one[field].toLowerCase() === requested[field].toLowerCase()
      if (others.some(isSame)) throw Conflict.at(field, 'field.notUnique')
    }
  }
  return {
    all,
    get,
    page: async (query) => namedPage(await all(), ({ name }) => name, query),
    async create(value) {
      const id = `og-${randomBytes(9).toString('base64url')}`
      await requireOwnNames(id, value)
      await table.insertOrganization(db, { id, ...value })
      return { id, ...value }
    },
    async change(id, value) {
      await get(id)
      await requireOwnNames(id, value)
      await table.updateOrganization(db, { id, ...value })
      return { id, ...value }
    },
    async remove(id) {
      await get(id)
      if (await table.hasInventories(db, id)) throw new Conflict('organization.inUse')
      await table.deleteOrganization(db, id)
    },
  }
}

const idOf = ({ organization, inventory }: OrganizationInventory) => `${organization}~${inventory}`

export function createOrganizationInventories(
  { db, inventories }: Needs,
  organizations: SettingStore<Organization>,
): SettingStore<OrganizationInventory> {
  const all = async () => (await table.associations(db)).map((one) => ({ id: idOf(one), ...one }))

  async function get(id: string): Promise<Kept<OrganizationInventory>> {
    const found = (await all()).find((one) => one.id === id)
    if (!found) throw new NotFound('association')
    return found
  }
  async function add(value: OrganizationInventory, before?: OrganizationInventory) {
    await organizations.get(value.organization)
    await inventories.get(everything, value.inventory)
    await db.transaction().execute(async (transaction) => {
      if (before) await table.disassociate(transaction, before)
      if (await table.associate(transaction, value)) return
      // Both texts: that of the refusal, and the one at the field (VA-MSG-04, ER-OTHER-16).
      const fields = [fault('inventory', 'field.notUnique')]
      throw new Conflict('association.exists', { fields })
    })
    return { id: idOf(value), ...value }
  }
  return {
    all,
    get,
    async page(query) {
      const [named, customers] = await Promise.all([
        organizations.all(),
        inventories.list(everything, { limit: 100_000 }),
      ])
      const nameOf = (of: readonly { id: string; name: string }[], id: string) =>
        of.find((one) => one.id === id)?.name ?? id
      const words = ({ organization, inventory }: OrganizationInventory) =>
        `${nameOf(named, organization)} ${nameOf(customers, inventory)}`
      return namedPage(await all(), words, query)
    },
    create: (value) => add(value),
    change: async (id, value) => await add(value, await get(id)),
    remove: async (id) => await table.disassociate(db, await get(id)),
  }
}
