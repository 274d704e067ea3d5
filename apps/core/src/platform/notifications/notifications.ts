// System messages: written by vendor staff, shown to the users that they concern until they expire.
import { randomBytes } from 'node:crypto'
import type { Page, PageQuery } from '@backhaul/contract/define/answers'
import { InvalidRequest, NotFound } from '@backhaul/contract/define/errors'
import {
  type ClientNotification,
  expiryFlags,
  type NewNotification,
  type NotificationChange,
  type WrittenNotification,
} from '@backhaul/contract/nouns/notifications'
import type { Clock } from '@backhaul/runtime/clock'
import { pagingOf } from '../../database/paging.ts'
import type { Database } from '../../database/schema.ts'
import { everything, type Scope } from '../../database/scope.ts'
import type { Inventories } from '../inventories/inventories.ts'
import * as table from './notification-table.ts'

export interface Notifications {
  /** The notifications that have not expired, for all users and for the caller's inventories; the newest first. */
  current(scope: Scope): Promise<ClientNotification[]>
  page(query: PageQuery): Promise<Page<WrittenNotification>>
  /** Throws InvalidRequest for an expiration in the past, and for a message without readers. */
  create(notification: NewNotification): Promise<WrittenNotification>
  change(id: string, change: NotificationChange): Promise<WrittenNotification>
  /** Throws NotFound. */
  remove(id: string): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  inventories: Inventories
}

export function createNotifications({ db, clock, inventories }: Needs): Notifications {
  const shown = ({
    id,
    body,
    global,
    intervals,
    expiresMs,
  }: table.StoredNotification): ClientNotification => ({
    id,
    body,
    expiration: new Date(expiresMs).toISOString(),
    global,
    intervals,
    ...expiryFlags(expiresMs, clock.nowMs()),
  })
  const written = (stored: table.StoredNotification): WrittenNotification => ({
    ...shown(stored),
    inventory: stored.inventory,
    inventoryName: stored.inventoryName,
    createdOn: new Date(stored.createdMs).toISOString(),
  })

  /** The readers of a message: all users, or those of an existing inventory. */
  async function audienceOf({
    global,
    inventory,
  }: {
    global: boolean
    inventory: string | null
  }): Promise<Pick<table.StoredNotification, 'global' | 'inventory' | 'inventoryName'>> {
    if (global) return { global, inventory: null, inventoryName: null }
    if (inventory === null) throw InvalidRequest.at('inventory', 'field.required')
    const { name } = await inventories.get(everything, inventory)
    return { global, inventory, inventoryName: name }
  }

  function expiryOf(expiration: string): number {
    const expiresMs = Date.parse(expiration)
    if (expiresMs <= clock.nowMs()) throw InvalidRequest.at('expiration', 'date.inFuture')
    return expiresMs
  }

  return {
    current: async (scope) => (await table.notificationsFor(db, scope, clock.nowMs())).map(shown),
    async page(query) {
      const page = await table.notificationPage(db, pagingOf(query, ['expiration', 'body', 'name']))
      return { ...page, items: page.items.map(written) }
    },
    async create({ body, expiration, intervals, ...audience }) {
      const stored = {
        id: `cn-${randomBytes(9).toString('base64url')}`,
        body,
        intervals,
        createdMs: clock.nowMs(),
        expiresMs: expiryOf(expiration),
        ...(await audienceOf(audience)),
      }
      await table.insertNotification(db, stored)
      return written(stored)
    },
    async change(id, { expiration, ...change }) {
      const before = await table.findNotification(db, id)
      if (!before) throw new NotFound('systemMessage')
      const requested = { ...before, ...change } as table.StoredNotification
      const expiresMs = expiration === undefined ? before.expiresMs : expiryOf(expiration)
      const stored = { ...requested, expiresMs, ...(await audienceOf(requested)) }
      await table.updateNotification(db, stored)
      return written(stored)
    },
    async remove(id) {
      if (!(await table.deleteNotification(db, id))) throw new NotFound('systemMessage')
    },
  }
}
