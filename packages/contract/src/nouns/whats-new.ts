/** What's new: dated notes that vendor staff writes and everyone sees once (GAP-SCR-09). */
import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import { NAME_MAX } from './names.ts'

const fields = {
  date: z.iso.date().describe('People see it from the beginning of this day, UTC'),
  title: z.string().trim().min(1).max(NAME_MAX),
  text: z.string().trim().min(1).max(5000).describe('Plain text'),
}

export const NewsNote = z.object({
  id: z.string(),
  ...fields,
  publishedOn: IsoTime.describe('When people can see it: the beginning of its day, or when it was written'),
})
export type NewsNote = z.infer<typeof NewsNote>

export const NewNewsNote = z.strictObject(fields)
export type NewNewsNote = z.infer<typeof NewNewsNote>

/** What is not given stays. */
export const NewsNoteChange = z.strictObject(fields).partial()
export type NewsNoteChange = z.infer<typeof NewsNoteChange>

/** In milliseconds: a note that is dated back is new to those who were here before it was written. */
export const publishedMs = (date: string, createdMs: number): number => Math.max(Date.parse(date), createdMs)

/** Those that came out since the person last looked; all for somebody who never did. */
export const unreadNotes = (notes: readonly NewsNote[], seenOn: string | null): NewsNote[] =>
  notes.filter(({ publishedOn }) => seenOn === null || Date.parse(publishedOn) > Date.parse(seenOn))

/** What the list may be sorted and searched by; `name` is the title too. */
export const newsKeys = ['date', 'title', 'name'] as const
