// The account of each customer at its newsroom: password, address, mapping file, the switch of the sync and its turns.
import { Conflict, InvalidRequest, NotFound } from '@backhaul/contract/define/errors'
import { type PlainCode, reasonFields } from '@backhaul/contract/define/refusals'
import {
  type IngestAccount,
  type IngestAccountChange,
  type IngestConfiguration,
  NEWSROOM_SYNC_MS,
  type NewMappingFile,
  type NewsroomResult,
} from '@backhaul/contract/nouns/ingest'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Sealing } from '../../database/sealing.ts'
import { hashSecret, isSecretOf } from '../../database/secrets.ts'
import { createLoginRateLimit } from '../../doors/api/login-rate-limit.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import * as table from './ingest-table.ts'
import { mappingFault } from './mapping-file.ts'

/** Everything with a scope throws NotFound for a customer outside the caller's scope. */
export interface IngestAccounts {
  account(scope: Scope, inventoryId: string): Promise<IngestAccount>
  /** Throws Conflict without the service, InvalidRequest for a switch that is not confirmed or cannot be on. */
  changeAccount(
    scope: Scope,
    inventoryId: string,
    change: IngestAccountChange,
    address: string,
  ): Promise<IngestAccount>
  /** Throws InvalidRequest for another password than that of the account, TooMany after several. */
  checkPassword(scope: Scope, inventoryId: string, password: string, address: string): Promise<void>
  /** Throws Conflict without the service, InvalidRequest for what is not a style sheet. */
  uploadMapping(scope: Scope, inventoryId: string, file: NewMappingFile): Promise<IngestAccount>
  /** Throws Conflict while the sync needs it. */
  removeMapping(scope: Scope, inventoryId: string): Promise<IngestAccount>
  /** The style sheet; throws Conflict without the service and without a file. */
  mapping(scope: Scope, inventoryId: string): Promise<string>
  /** The next newsroom to read, which no other core gets in this period; undefined when none is due. */
  claimDue(): Promise<DueNewsroom | undefined>
  saveSync(inventoryId: string, result: NewsroomResult): Promise<void>
}

export interface DueNewsroom {
  inventoryId: string
  /** Why it cannot be read. */
  obstacle: PlainCode | undefined
  address: string
  username: string
  password: string
  mapping: string
}

interface Needs {
  db: Database
  clock: Clock
  sealing: Sealing
  inventories: Inventories
  requireService(scope: Scope, inventoryId: string): Promise<void>
  closed(inventoryId: string): Promise<PlainCode | undefined>
  requireServer(scope: Scope, inventoryId: string, serverId: string): unknown
  /** The default servers have changed. */
  reread(): Promise<void>
}

const configurationOf = (stored: table.StoredAccount): IngestConfiguration => ({
  defaultServerId: stored.defaultServerId,
  address: stored.address,
  username: stored.username,
  sync: stored.nextSyncMs !== null,
})

export function createIngestAccounts(needs: Needs): IngestAccounts {
  const { db, clock, sealing, inventories, requireService, closed, requireServer, reread } = needs
  const attempts = createLoginRateLimit({ db, clock }, 'ingest')

  async function account(scope: Scope, inventoryId: string): Promise<IngestAccount> {
    await inventories.get(scope, inventoryId)
    const stored = await table.account(db, inventoryId)
    const why = reasonFields(await closed(inventoryId))
    return {
      inventoryId,
      hasPassword: stored.password !== null,
      xsltFile: stored.mapping && {
        name: stored.mapping.name,
        size: stored.mapping.content.length,
        uploadedAt: new Date(stored.mapping.uploadedMs).toISOString(),
      },
      configuration: configurationOf(stored),
      lastSync: stored.lastSync,
      closed: why.reason,
      closedCause: why.cause,
    }
  }

  const passwordOf = ({ password }: table.StoredAccount, inventoryId: string) =>
    password === null ? undefined : sealing.open(password, inventoryId)

  /** Throws InvalidRequest for another password than that of the account, TooMany after several. */
  async function confirm(
    { stored, inventoryId, address }: { stored: table.StoredAccount; inventoryId: string; address: string },
    given: string,
    refusal: { field: string; why: PlainCode },
  ): Promise<void> {
    const takeBack = await attempts.take({ account: inventoryId, address })
    const right = passwordOf(stored, inventoryId)
    if (right === undefined || !isSecretOf(hashSecret(right), given))
      throw InvalidRequest.at(refusal.field, refusal.why)
    await takeBack()
  }

  /** The security check: users who switch the sync, or send the password elsewhere, know the password. */
  async function requireConfirmation(
    about: { stored: table.StoredAccount; inventoryId: string; address: string },
    { password, confirmation }: IngestAccountChange,
  ): Promise<void> {
    if (password !== undefined) return
    if (about.stored.password === null) throw InvalidRequest.at('password', 'ingest.noPassword')
    if (confirmation === undefined) throw InvalidRequest.at('confirmation', 'field.required')
    await confirm(about, confirmation, { field: 'confirmation', why: 'ingest.securityCheck' })
  }

  return {
    account,
    async changeAccount(scope, inventoryId, change, address) {
      await requireService(scope, inventoryId)
      const { password, configuration = {} } = change
      const stored = await table.account(db, inventoryId)
      const before = configurationOf(stored)
      const next = { ...before, ...configuration }
      const { defaultServerId } = configuration
      if (defaultServerId != null) requireServer(scope, inventoryId, defaultServerId)
      const isOther = (['address', 'username', 'sync'] as const).some((name) => next[name] !== before[name])
      if (next.sync) requireSyncable(next, stored)
      if (isOther) await requireConfirmation({ stored, inventoryId, address }, change)
      await table.saveAccount(db, inventoryId, {
        ...(password !== undefined && { password: sealing.seal(password, inventoryId) }),
        ...(defaultServerId !== undefined && { defaultServerId }),
        // Due immediately.
        ...(isOther && { address: next.address, username: next.username, nextSyncMs: next.sync ? 0 : null }),
      })
      await reread()
      return await account(scope, inventoryId)
    },
    async checkPassword(scope, inventoryId, password, address) {
      await inventories.get(scope, inventoryId)
      const stored = await table.account(db, inventoryId)
      await confirm({ stored, inventoryId, address }, password, {
        field: 'password',
        why: 'ingest.wrongPassword',
      })
    },
    async uploadMapping(scope, inventoryId, { name, content }) {
      await requireService(scope, inventoryId)
      const fault = mappingFault(content)
      if (fault !== undefined) throw InvalidRequest.at('content', fault)
      const { nextSyncMs } = await table.account(db, inventoryId)
      await table.saveAccount(db, inventoryId, {
        mapping: { name, content, uploadedMs: clock.nowMs() },
        ...(nextSyncMs !== null && { nextSyncMs: 0 }),
      })
      return await account(scope, inventoryId)
    },
    async removeMapping(scope, inventoryId) {
      const before = await account(scope, inventoryId)
      if (before.xsltFile === null) throw new NotFound('mappingFile')
      if (before.configuration.sync) throw new Conflict('ingest.mappingInUse')
      await table.saveAccount(db, inventoryId, { mapping: null })
      return { ...before, xsltFile: null }
    },
    async mapping(scope, inventoryId) {
      await requireService(scope, inventoryId)
      const { mapping } = await table.account(db, inventoryId)
      if (mapping === null) throw new Conflict('ingest.noMapping')
      return mapping.content
    },
    async claimDue() {
      const inventoryId = await table.claimDueSync(db, clock.nowMs(), NEWSROOM_SYNC_MS)
      if (inventoryId === undefined) return undefined
      const stored = await table.account(db, inventoryId)
      return {
        inventoryId,
        obstacle: await closed(inventoryId),
        address: stored.address ?? '',
        username: stored.username,
        password: passwordOf(stored, inventoryId) ?? '',
        mapping: stored.mapping?.content ?? '',
      }
    },
    saveSync: (inventoryId, result) => table.saveSync(db, inventoryId, result),
  }
}

function requireSyncable({ address }: IngestConfiguration, { mapping }: table.StoredAccount): void {
  if (mapping === null) throw InvalidRequest.at('configuration.sync', 'ingest.noMapping')
  if (address === null) throw InvalidRequest.at('configuration.address', 'field.required')
}
