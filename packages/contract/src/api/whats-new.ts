/** What's new: read by all users, written by vendor staff. */
import { z } from 'zod'
import { Done, PageQuery, page } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { NewNewsNote, NewsNote, NewsNoteChange } from '../nouns/whats-new.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const permission = 'administerSystem' as const
const rows = ['GAP-SCR-09'] as const

const example: z.input<typeof NewsNote> = {
  id: 'wn-1',
  date: '2026-11-21',
  title: 'Four cameras on one screen',
  text: 'Multiview shows every camera of a unit.',
  publishedOn: '2026-11-21T00:00:00.000Z',
}

export const whatsNew = {
  current: endpoint({
    method: 'GET',
    path: '/v2/whatsnew',
    summary: 'The published notes, at most the newest fifty',
    permission: 'signedIn',
    response: z.array(NewsNote),
    example: [example],
    rows,
  }),
  list: endpoint({
    method: 'GET',
    path: '/v2/admin/whatsnew',
    summary: 'All notes, including future ones',
    permission,
    query: PageQuery,
    response: page(NewsNote),
    example: { items: [example], total: 1, offset: 0, limit: 50 },
    rows: ['RT-PSG-33', ...rows],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v2/admin/whatsnew',
    summary: 'Writes a note, which is shown from its day on',
    permission,
    body: NewNewsNote,
    response: NewsNote,
    example,
    rows,
  }),
  change: endpoint({
    method: 'PUT',
    path: '/v2/admin/whatsnew/{id}',
    summary: 'Changes a note; users who have seen it do not see it again unless its day is later',
    permission,
    params: id,
    body: NewsNoteChange,
    response: NewsNote,
    errors: [404],
    example,
    rows,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/v2/admin/whatsnew/{id}',
    summary: 'Removes a note',
    permission,
    params: id,
    response: Done,
    errors: [404],
    example: { done: true },
    rows,
  }),
}
