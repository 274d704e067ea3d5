// The tenancy scope of a caller: the customers and groups that they can see, as a pure rule and as a part of a query.
import { type Expression, type SqlBool, sql } from 'kysely'

/** One customer, or those that a user belongs to; with their secondary inventories where the role includes them. */
export type Customers = ({ id: string } | { ofUser: string }) & { withSecondaries: boolean }

/** A caller without any membership has empty lists and reads nothing. */
export interface Scope {
  /** Vendor staff see every customer. */
  everything: boolean
  /** Customers that the caller belongs to, for decisions in memory. No query binds them: it finds them by `customers`. */
  inventories: readonly string[]
  /** The same customers for a query: those that are in each of these. */
  customers: readonly Customers[]
  /** Administrators see all objects of their customers, others only what is in their groups. */
  wholeInventories: boolean
  /** Whether the caller reads every group of their customers. */
  everyGroup: boolean
  /** Whose memberships let the caller read further groups; `ownCustomersOnly` leaves out those of other customers. */
  member?: { userId: string; ownCustomersOnly: boolean }
  /** Whether the caller may read what is in a group. */
  readsGroup(groupId: string): boolean
}

export const everything: Scope = {
  everything: true,
  inventories: [],
  customers: [],
  wholeInventories: true,
  everyGroup: true,
  readsGroup: () => true,
}

export const readsInventory = (scope: Scope, inventoryId: string): boolean =>
  scope.everything || scope.inventories.includes(inventoryId)

/** `groupIds` are the groups of the object: the group itself, or those of a unit or a channel. */
export function reads(scope: Scope, thing: { inventoryId: string; groupIds: readonly string[] }): boolean {
  if (scope.everything) return true
  if (scope.wholeInventories && scope.inventories.includes(thing.inventoryId)) return true
  return thing.groupIds.some(scope.readsGroup)
}

type Where = Expression<SqlBool>

const always = sql<SqlBool>`1 = 1`
const never = sql<SqlBool>`1 = 0`

/** Whether an id is that of one of the customers. */
function isOneOf(inventoryId: Expression<string>, customers: Customers): Where {
  const own =
    'id' in customers
      ? sql`select cast(${customers.id} as text)`
      : sql`select own.inventory_id from user_inventories as own where own.user_id = ${customers.ofUser}`
  if (!customers.withSecondaries) return sql<SqlBool>`${inventoryId} in (${own})`
  return sql<SqlBool>`${inventoryId} in (
    ${own} union all
    select secondary.id from inventories as secondary where secondary.parent_id in (${own})
  )`
}

/** Whether an id is that of a customer that is in each of these; never where none is given. */
export function isCustomerIn(all: readonly Customers[], inventoryId: Expression<string>): Where {
  if (all.length === 0) return never
  const parts = all.map((customers) => isOneOf(inventoryId, customers))
  return sql<SqlBool>`(${sql.join(parts, sql` and `)})`
}

/** Rows of customers that the caller belongs to. */
export function inventoryInScope(scope: Scope, inventoryId: Expression<string>): Where {
  return scope.everything ? always : isCustomerIn(scope.customers, inventoryId)
}

/** A row with an id and the customer that it belongs to. */
interface ScopedColumns {
  id: Expression<string>
  inventoryId: Expression<string>
}

/** Groups whose content the caller may read. */
export function groupInScope(scope: Scope, group: ScopedColumns): Where {
  if (scope.everything) return always
  const ofCustomer = inventoryInScope(scope, group.inventoryId)
  if (scope.everyGroup) return ofCustomer
  if (!scope.member) return never
  const { userId, ownCustomersOnly } = scope.member
  const own = sql<SqlBool>`${group.id} in (select group_id from user_groups where user_id = ${userId})`
  return ownCustomersOnly ? sql<SqlBool>`(${own} and ${ofCustomer})` : own
}

/** Units in the caller's scope: in one of their groups or, for an administrator, of one of their customers. */
export function unitInScope(scope: Scope, unit: ScopedColumns): Where {
  if (scope.everything) return always
  // No column of these is named as one of the unit's, which the query may name without its table.
  const group = { id: sql<string>`held_id`, inventoryId: sql<string>`held_inventory_id` }
  const byGroup = sql<SqlBool>`exists (
    select 1 from group_units
    join (select id as held_id, inventory_id as held_inventory_id from groups) as held on held_id = group_id
    where group_units.unit_id = ${unit.id} and ${groupInScope(scope, group)}
  )`
  if (!scope.wholeInventories) return byGroup
  return sql<SqlBool>`(${inventoryInScope(scope, unit.inventoryId)} or ${byGroup})`
}
