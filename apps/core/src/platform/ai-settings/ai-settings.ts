// AI settings: what AI sessions may be started with; vendor staff set them up, and the secret is never shown again.
import { randomBytes } from 'node:crypto'
import type { Page, PageQuery } from '@backhaul/contract/define/answers'
import { InvalidRequest, NotFound } from '@backhaul/contract/define/errors'
import {
  type AiSettingsChange,
  type AiSettings as AiSettingsOf,
  aiSettingsKeys,
  hasPlace,
  type NewAiSettings,
} from '@backhaul/contract/nouns/ai'
import type { AiSettingsRow } from '../../database/ai-schema.ts'
import { pagingOf } from '../../database/paging.ts'
import type { Database } from '../../database/schema.ts'
import type { Sealing } from '../../database/sealing.ts'
import { uniqueName } from '../../database/unique.ts'
import * as table from './ai-settings-table.ts'

export interface AiSettings {
  page(query: PageQuery): Promise<Page<AiSettingsOf>>
  /** The settings by name. */
  all(): Promise<AiSettingsOf[]>
  /** With the secret, for requests to the provider; '' where there is none. */
  open(id: string): Promise<(AiSettingsOf & { secret: string }) | undefined>
  /** Throws Conflict for a taken name. */
  create(settings: NewAiSettings): Promise<AiSettingsOf>
  /** Throws the same, NotFound, and InvalidRequest when a provider that has an address would lose it. */
  change(id: string, change: AiSettingsChange): Promise<AiSettingsOf>
  /** Throws NotFound. */
  remove(id: string): Promise<void>
}

export function createAiSettings({ db, sealing }: { db: Database; sealing: Sealing }): AiSettings {
  const sealed = (secret: string, id: string) => (secret === '' ? null : sealing.seal(secret, id))

  return {
    page: (query) => table.settingsPage(db, pagingOf(query, aiSettingsKeys)),
    all: () => table.allSettings(db),
    async open(id) {
      const row = await table.findSettings(db, id)
      const secret = row?.secret == null ? '' : (sealing.open(row.secret, id) ?? '')
      return row && { ...table.shown(row), secret }
    },
    async create({ secret, ...settings }) {
      const id = `ai-${randomBytes(9).toString('base64url')}`
      const row = { id, ...settings, secret: sealed(secret, id) }
      await uniqueName(table.insertSettings(db, row))
      return table.shown(row)
    },
    async change(id, { secret, ...change }) {
      const before = await table.findSettings(db, id)
      if (!before) throw new NotFound('aiSettings')
      const row = { ...before, ...change } as AiSettingsRow
      if (secret !== undefined) row.secret = sealed(secret, id)
      if (!hasPlace(table.shown(row))) throw InvalidRequest.at('endpoint', 'field.required')
      await uniqueName(table.updateSettings(db, row))
      return table.shown(row)
    },
    async remove(id) {
      if (!(await table.deleteSettings(db, id))) throw new NotFound('aiSettings')
    },
  }
}
