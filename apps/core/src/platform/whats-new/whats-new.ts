// What's new: dated notes by vendor staff, shown from their date on.
import { randomBytes } from 'node:crypto'
import type { Page, PageQuery } from '@backhaul/contract/define/answers'
import { NotFound } from '@backhaul/contract/define/errors'
import {
  type NewNewsNote,
  type NewsNote,
  type NewsNoteChange,
  newsKeys,
  publishedMs,
} from '@backhaul/contract/nouns/whats-new'
import type { Clock } from '@backhaul/runtime/clock'
import { pagingOf } from '../../database/paging.ts'
import type { Database } from '../../database/schema.ts'
import * as table from './whats-new-table.ts'

/** Users who were away for longer read the newest. */
const shownAtMost = 50

export interface WhatsNew {
  /** The published notes, the newest first. */
  current(): Promise<NewsNote[]>
  page(query: PageQuery): Promise<Page<NewsNote>>
  create(note: NewNewsNote): Promise<NewsNote>
  /** Throws NotFound. */
  change(id: string, change: NewsNoteChange): Promise<NewsNote>
  /** Throws NotFound. */
  remove(id: string): Promise<void>
}

export function createWhatsNew({ db, clock }: { db: Database; clock: Clock }): WhatsNew {
  return {
    current: () => table.publishedNotes(db, clock.nowMs(), shownAtMost),
    page: (query) => table.notePage(db, pagingOf(query, newsKeys)),
    async create(note) {
      const id = `wn-${randomBytes(9).toString('base64url')}`
      const createdMs = clock.nowMs()
      const row = { id, ...note, created_ms: createdMs, published_ms: publishedMs(note.date, createdMs) }
      await table.insertNote(db, row)
      return table.noteOf(row)
    },
    async change(id, change) {
      const before = await table.findNote(db, id)
      if (!before) throw new NotFound('note')
      const { date = before.date, title = before.title, text = before.text } = change
      const row = { ...before, date, title, text, published_ms: publishedMs(date, before.created_ms) }
      await table.updateNote(db, row)
      return table.noteOf(row)
    },
    async remove(id) {
      if (!(await table.deleteNote(db, id))) throw new NotFound('note')
    },
  }
}
