// The tenancy scope of a caller: which customers and groups they may know of, as a pure rule and as a part of a query.
import { type Expression, type SqlBool, sql } from 'kysely'

/** A caller without any membership has empty lists and reads nothing. */
export interface Scope {
  /** Vendor staff see every customer. */
  everything: boolean
  /** Customers that the caller belongs to. */
  inventories: readonly string[]
  /** Administrators see all of their customers' things, others only what is in their groups. */
  wholeInventories: boolean
  /** Every group whose content the caller may read; for administrators all groups of their customers. */
  groups: readonly string[]
}

export const everything: Scope = { everything: true, inventories: [], wholeInventories: true, groups: [] }

export const readsInventory = (scope: Scope, inventoryId: string): boolean =>
  scope.everything || scope.inventories.includes(inventoryId)

/** `groupIds` are the groups that hold the thing: the group itself, or those of a unit or a channel. */
export function reads(scope: Scope, thing: { inventoryId: string; groupIds: readonly string[] }): boolean {
  if (scope.everything) return true
  if (scope.wholeInventories && scope.inventories.includes(thing.inventoryId)) return true
  return thing.groupIds.some((id) => scope.groups.includes(id))
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

/** Groups whose content the caller may read. */
export function groupInScope(scope: Scope, groupId: Expression<string>): Where {
  return scope.everything ? always : isOneOf(groupId, scope.groups)
}

interface ScopedColumns {
  id: Expression<string>
  inventoryId: Expression<string>
}

/** Units in the caller's reach: in one of their groups or, for an administrator, of one of their customers. */
export function unitInScope(scope: Scope, unit: ScopedColumns): Where {
  if (scope.everything) return always
  const byGroup =
    scope.groups.length === 0
      ? never
      : sql<SqlBool>`${unit.id} in (select unit_id from group_units where group_id in (${sql.join(scope.groups)}))`
  if (!scope.wholeInventories) return byGroup
  return sql<SqlBool>`(${isOneOf(unit.inventoryId, scope.inventories)} or ${byGroup})`
}
