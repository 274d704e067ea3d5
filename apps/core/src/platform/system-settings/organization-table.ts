import type { Organization, OrganizationInventory } from '@backhaul/contract/nouns/system-settings'
import type { Queries } from '../../database/schema.ts'
import type { OrganizationRow } from '../../database/settings-schema.ts'
import type { Kept } from './setting-store.ts'

export async function organizations(db: Queries): Promise<Kept<Organization>[]> {
  const rows = await db.selectFrom('organizations').selectAll().orderBy('id').execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    externalUid: row.external_uid,
    defaultRole: row.default_role as Organization['defaultRole'],
    maxUsers: row.max_users,
  }))
}

const rowOf = ({ id, name, externalUid, defaultRole, maxUsers }: Kept<Organization>): OrganizationRow => ({
  id,
  name,
  external_uid: externalUid,
  default_role: defaultRole,
  max_users: maxUsers,
})

export async function insertOrganization(db: Queries, organization: Kept<Organization>): Promise<void> {
  await db.insertInto('organizations').values(rowOf(organization)).execute()
}

export async function updateOrganization(db: Queries, organization: Kept<Organization>): Promise<void> {
  const { id, ...changes } = rowOf(organization)
  await db.updateTable('organizations').set(changes).where('id', '=', id).execute()
}

export async function deleteOrganization(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('organizations').where('id', '=', id).execute()
}

export async function associations(db: Queries): Promise<OrganizationInventory[]> {
  return await db
    .selectFrom('organization_inventories')
    .select(['organization_id as organization', 'inventory_id as inventory'])
    .orderBy('organization_id')
    .orderBy('inventory_id')
    .execute()
}

export const hasInventories = async (db: Queries, organizationId: string): Promise<boolean> =>
  (await associations(db)).some(({ organization }) => organization === organizationId)

/** Answers false where it exists already. */
export async function associate(db: Queries, one: OrganizationInventory): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('organization_inventories')
    .values({ organization_id: one.organization, inventory_id: one.inventory })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) > 0
}

export async function disassociate(db: Queries, one: OrganizationInventory): Promise<void> {
  await db
    .deleteFrom('organization_inventories')
    .where('organization_id', '=', one.organization)
    .where('inventory_id', '=', one.inventory)
    .execute()
}
