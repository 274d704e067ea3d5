// The tenancy scope of a caller: the customers and groups that they can see, as a pure rule and as a part of a query.
import { type Expression, type SqlBool, sql } from 'kysely'

/** A caller without any membership has empty lists and reads nothing. */
export interface Scope {
  /** Vendor staff see every customer. */
  everything: boolean
  /** Customers that the caller belongs to. */
  inventories: readonly string[]
  /** Administrators see all objects of their customers, others only what is in their groups. */
  wholeInventories: boolean
  /** Customers of which the caller reads every group: there may be 100,000, so they are never listed here. */
  groupsOf: readonly string[]
  /** Whose memberships let the caller read further groups; `within` narrows them to those of some customers. */
  member?: { userId: string; within?: readonly string[] }
  /** Whether the caller may read what is in a group. */
  readsGroup(groupId: string): boolean
}

export const everything: Scope = {
  everything: true,
  inventories: [],
  wholeInventories: true,
  groupsOf: [],
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

function isOneOf(column: Expression<string>, values: readonly string[]): Where {
  return values.length === 0 ? never : sql<SqlBool>`${column} in (${sql.join(values)})`
}

/** Rows of customers that the caller belongs to. */
export function inventoryInScope(scope: Scope, inventoryId: Expression<string>): Where {
  return scope.everything ? always : isOneOf(inventoryId, scope.inventories)
}

/** A row with an id and the customer that it belongs to. */
interface ScopedColumns {
  id: Expression<string>
  inventoryId: Expression<string>
}

/** Groups whose content the caller may read. */
export function groupInScope(scope: Scope, group: ScopedColumns): Where {
  if (scope.everything) return always
  const ofCustomer = isOneOf(group.inventoryId, scope.groupsOf)
  if (!scope.member) return ofCustomer
  const { userId, within } = scope.member
  const own = sql<SqlBool>`${group.id} in (select group_id from user_groups where user_id = ${userId})`
  const ofMember = within ? sql<SqlBool>`(${own} and ${isOneOf(group.inventoryId, within)})` : own
  return sql<SqlBool>`(${ofCustomer} or ${ofMember})`
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
  return sql<SqlBool>`(${isOneOf(unit.inventoryId, scope.inventories)} or ${byGroup})`
}
