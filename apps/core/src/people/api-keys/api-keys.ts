// API keys: a program acts for the user who made its key, with at most the rights of that user at that moment.

import { randomBytes, randomUUID } from 'node:crypto'
import type { Page, PageQuery } from '@backhaul/contract/define/answers'
import {
  Conflict,
  fault,
  InvalidRequest,
  NotAllowed,
  NotFound,
  NotSignedIn,
} from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import { adminGroup, holdsAny, type Role } from '@backhaul/contract/define/roles'
import {
  API_KEY_MARK,
  API_KEY_PREFIX_LENGTH,
  API_KEYS_AT_MOST,
  type ApiKey,
  apiKeyKeys,
  type MadeApiKey,
  type NewApiKey,
} from '@backhaul/contract/nouns/api-keys'
import { mayGiveRole, rolesOfKey } from '@backhaul/contract/nouns/granting'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { pagingOf } from '../../database/paging.ts'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import { hashSecret } from '../../database/secrets.ts'
import type { Caller } from '../../doors/api/caller.ts'
import { createLoginRateLimit } from '../../doors/api/login-rate-limit.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Events } from '../../world/events.ts'
import type { Groups } from '../groups/groups.ts'
import type { Users } from '../users/users.ts'
import * as table from './api-key-table.ts'

/** Use is recorded at most this often, so that reads do not cause writes. */
const noteUseMs = 3_600_000
const sweepMs = 600_000

export interface ApiKeys {
  page(scope: Scope, query: PageQuery): Promise<Page<ApiKey>>
  /** Throws NotFound for an inventory out of scope, NotAllowed for a role that the caller may not give, Conflict when full. */
  create(caller: Caller, wanted: NewApiKey): Promise<MadeApiKey>
  /** Answers what it was; throws NotFound. */
  revoke(scope: Scope, id: string): Promise<ApiKey>
  /** Throws NotSignedIn for an invalid key, TooMany after too many of them from one address. */
  callerOf(key: string, address: string): Promise<Caller>
  /** Closes the sockets of expired keys. */
  start(): void
  stop(): void
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  inventories: Inventories
  groups: Groups
  users: Users
}

export function createApiKeys(needs: Needs): ApiKeys {
  const { db, clock, log, events, inventories, groups, users } = needs
  const attempts = createLoginRateLimit({ db, clock }, 'API key')
  let sweeping: Timer | undefined
  let sweptMs = clock.nowMs()

  const emitEnded = ({ id, userId }: { id: string; userId: string }) =>
    events.emit('signInEnded', { signInId: id, userId })

  /** Closes sockets; they are opened again with the rights that the user has then. */
  async function emitShutOut(userId: string): Promise<void> {
    for (const id of await table.keyIdsOf(db, userId)) emitEnded({ id, userId })
  }
  events.on('userShutOut', ({ userId }) => {
    emitShutOut(userId).catch((error) => log.error(error, 'api keys: closing the sockets of a user failed'))
  })

  async function sweep(): Promise<void> {
    const nowMs = clock.nowMs()
    for (const key of await table.keysEndedBetween(db, sweptMs, nowMs)) emitEnded(key)
    sweptMs = nowMs
  }

  /** The scope of a key: limited by its role and customer, and by the scope of its maker. */
  async function scopeOf(inventoryId: string, roles: readonly Role[], makers: Scope): Promise<Scope> {
    const wholeInventories = holdsAny(roles, adminGroup)
    const own = { id: inventoryId, withSecondaries: wholeInventories }
    const customers = makers.everything ? [own] : [own, ...makers.customers]
    const reached = await inventories.idsIn(customers)
    const isReached = new Set(reached)
    return {
      everything: false,
      inventories: reached,
      customers,
      wholeInventories,
      everyGroup: makers.everything || makers.everyGroup,
      ...(makers.member && { member: { ...makers.member, ownCustomersOnly: true } }),
      readsGroup: (groupId) => makers.readsGroup(groupId) && isReached.has(groups.inventoryOf(groupId) ?? ''),
    }
  }

  return {
    page: (scope, query) => table.keyPage(db, scope, pagingOf(query, apiKeyKeys)),
    async create(caller, { name, inventory, role, expiresOn }) {
      const { id: inventoryId } = await inventories.get(caller.scope, inventory)
      if (!mayGiveRole(caller.roles, role))
        throw new NotAllowed('role.notAllowed', [fault('role', 'role.notAllowed')])
      const nowMs = clock.nowMs()
      const expiresMs = expiresOn === null ? null : Date.parse(expiresOn)
      if (expiresMs !== null && expiresMs <= nowMs) throw InvalidRequest.at('expiresOn', 'date.inFuture')
      if ((await table.countOfInventory(db, inventoryId)) >= API_KEYS_AT_MOST)
        throw new Conflict(because('apiKey.tooMany', { most: API_KEYS_AT_MOST }))
      const key = API_KEY_MARK + randomBytes(32).toString('base64url')
      const id = randomUUID()
      await table.insertKey(db, {
        id,
        inventoryId,
        userId: caller.userId,
        name,
        role,
        prefix: key.slice(0, API_KEY_PREFIX_LENGTH),
        // 256 random bits cannot be guessed from their hash, however fast that is made; a password's slow hash would
        // only let a sender of wrong keys keep core busy.
        secretHash: hashSecret(key),
        createdMs: nowMs,
        expiresMs,
      })
      const made = await table.findKey(db, caller.scope, id)
      if (!made) throw new NotFound('apiKey')
      return { ...made, key }
    },
    async revoke(scope, id) {
      const key = await table.findKey(db, scope, id)
      const ended = key && (await table.deleteKey(db, id))
      if (!ended) throw new NotFound('apiKey')
      emitEnded(ended)
      return key
    },
    async callerOf(secret, address) {
      const key = await table.findByHash(db, hashSecret(secret))
      // Read in any case, so that an unknown key, an expired one and one of a closed account take the same time.
      const person = await users.person(key?.userId ?? '')
      const nowMs = clock.nowMs()
      const isOver = key?.expiresMs != null && key.expiresMs <= nowMs
      if (!key || !person?.active || isOver) {
        // Only wrong keys count: a program with the right key is not blocked by the mistakes of another.
        await attempts.take({ address })
        throw new NotSignedIn('apiKey.unknown')
      }
      if (nowMs - (key.lastUsedMs ?? 0) >= noteUseMs) await table.noteUse(db, key.id, nowMs)
      const { id: userId, username, ODA } = person
      const roles = rolesOfKey(person.roles, key.role)
      const scope = await scopeOf(key.inventoryId, roles, await users.scopeOf(person))
      const apiKey = `${key.name} (${key.prefix}…)`
      return { userId, username, roles, ODA, scope, signInId: key.id, csrfHash: undefined, apiKey }
    },
    start() {
      const failed = (error: unknown) =>
        log.error(error, 'api keys: closing the sockets of expired keys failed')
      sweeping = clock.setInterval(() => void sweep().catch(failed), sweepMs)
    },
    stop: () => clock.clearInterval(sweeping),
  }
}
