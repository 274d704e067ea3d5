// The objects behind the ids in the audit log: their names, and the customers that they belong to.
import { sql } from 'kysely'
import type { Queries } from '../../database/schema.ts'
import { readsInventory, type Scope } from '../../database/scope.ts'

export interface NamedObject {
  name: string
  /** A user may belong to several. */
  inventories: string[]
}

/** The objects that are in the database now, by id. */
export async function findObjects(db: Queries, ids: readonly string[]): Promise<Map<string, NamedObject>> {
  if (ids.length === 0) return new Map()
  const wanted = sql`(${sql.join(ids)})`
  const { rows } = await sql<{ id: string; name: string; inventory: string | null }>`
    select id, name, inventory_id as inventory from devices where id in ${wanted}
    union all select id, name, inventory_id from channels where id in ${wanted}
    union all select id, name, inventory_id from ${sql.table('groups')} where id in ${wanted}
    union all select id, name, id from inventories where id in ${wanted}
    union all select id, recipient, inventory_id from mails where id in ${wanted}
    union all select id, name, inventory_id from api_keys where id in ${wanted}
    union all select id, slugline, inventory_id from stories where id in ${wanted}
    union all select users.id, username, inventory_id from users
      left join user_inventories on user_id = users.id where users.id in ${wanted}`.execute(db)
  const objects = new Map<string, NamedObject>()
  for (const { id, name, inventory } of rows) {
    const inventories = objects.get(id)?.inventories ?? []
    objects.set(id, { name, inventories: inventory === null ? inventories : [...inventories, inventory] })
  }
  return objects
}

export const isWithin = (scope: Scope, { inventories }: NamedObject): boolean =>
  scope.everything || inventories.some((id) => readsInventory(scope, id))

/** Every text inside a value: one of them may be the id of an object. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)])
}

/** The value without the texts that `isHidden` names. */
export function without(value: unknown, isHidden: (text: string) => boolean): unknown {
  if (typeof value === 'string') return isHidden(value) ? null : value
  if (Array.isArray(value))
    return value
      .filter((one) => typeof one !== 'string' || !isHidden(one))
      .map((one) => without(one, isHidden))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => !isHidden(name))
  return Object.fromEntries(kept.map(([name, inner]) => [name, without(inner, isHidden)]))
}
