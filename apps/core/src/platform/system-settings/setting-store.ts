// One child of the system settings: a short list of records of one shape, each with a unique key.

import { randomBytes } from 'node:crypto'
import type { Page, PageQuery } from '@backhaul/contract/define/answers'
import { Conflict, type MissingNoun, NotFound } from '@backhaul/contract/define/errors'
import type { PlainCode } from '@backhaul/contract/define/refusals'
import type { Clock } from '@backhaul/runtime/clock'
import { isTaken } from '../../database/dialect.ts'
import { pageOf, pagingOf } from '../../database/paging.ts'
import type { Database, Queries } from '../../database/schema.ts'
import type { SystemSettingRow } from '../../database/settings-schema.ts'
import * as table from './setting-table.ts'

export type Kept<T> = T & { id: string }

export interface SettingStore<T> {
  all(db?: Queries): Promise<Kept<T>[]>
  page(query: PageQuery): Promise<Page<Kept<T>>>
  /** Throws NotFound. */
  get(id: string): Promise<Kept<T>>
  /** Throws Conflict where the key is taken. */
  create(value: T): Promise<Kept<T>>
  /** Throws NotFound, and Conflict likewise. */
  change(id: string, value: T): Promise<Kept<T>>
  /** Throws NotFound, and Conflict for a record that is in use. */
  remove(id: string): Promise<void>
}

export interface ChildRules<T> {
  /** Last part of its route. */
  child: string
  /** The name of one record. */
  thing: MissingNoun
  /** The field that it is searched and sorted by. */
  nameOf(value: T): string
  /** The unique key, and the field that is named when it is taken. */
  keyOf(value: T): string
  keyField: string
  /** The refusal where there is one with this key already. */
  takenReason?: PlainCode
  /** Refuses what the schema cannot see; `others` are all but itself. */
  check?(value: T, others: readonly Kept<T>[]): Promise<void> | void
  /** Refuses to remove what something else needs. */
  checkRemoval?(value: Kept<T>): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
}

export function createSettingStore<T extends object>(
  { db, clock }: Needs,
  rules: ChildRules<T>,
): SettingStore<T> {
  const { child, thing, keyField } = rules
  const all = async (within: Queries = db): Promise<Kept<T>[]> =>
    (await table.settingRows(within, child)).map(({ id, data }) => ({ id, ...(JSON.parse(data) as T) }))

  async function get(id: string): Promise<Kept<T>> {
    const found = (await all()).find((kept) => kept.id === id)
    if (!found) throw new NotFound(thing)
    return found
  }

  /** The others are read in the transaction that writes. */
  async function write(
    id: string,
    value: T,
    run: (within: Queries, row: Pick<SystemSettingRow, 'unique_key' | 'data'>) => Promise<void>,
  ): Promise<Kept<T>> {
    const row = { unique_key: rules.keyOf(value).toLowerCase(), data: JSON.stringify(value) }
    try {
      await db.transaction().execute(async (transaction) => {
        const others = (await all(transaction)).filter((kept) => kept.id !== id)
        await rules.check?.(value, others)
        await run(transaction, row)
      })
    } catch (error) {
      if (!isTaken(error)) throw error
      throw Conflict.at(keyField, rules.takenReason ?? 'field.notUnique')
    }
    return { id, ...value }
  }

  return {
    all,
    get,
    async page(query) {
      return namedPage(await all(), rules.nameOf, query)
    },
    create(value) {
      const id = `set-${randomBytes(9).toString('base64url')}`
      return write(id, value, (within, row) =>
        table.insertSetting(within, { id, child, created_ms: clock.nowMs(), ...row }),
      )
    },
    async change(id, value) {
      await get(id)
      return await write(id, value, (within, row) => table.updateSetting(within, id, row))
    },
    async remove(id) {
      await rules.checkRemoval?.(await get(id))
      await table.deleteSetting(db, id)
    },
  }
}

/** A page of a short list in memory, searched and sorted by one name. */
export function namedPage<T>(all: readonly T[], nameOf: (value: T) => string, query: PageQuery): Page<T> {
  const values = new Map(all.map((value, at) => [String(at), value]))
  const named = all.map((value, at) => ({ at: String(at), name: nameOf(value) }))
  const { items, ...page } = pageOf<'name', { at: string; name: string }>(named, pagingOf(query, ['name']))
  return { ...page, items: items.flatMap(({ at }) => values.get(at) ?? []) }
}
