/** What's new: dated notes that vendor staff write and each user sees once (GAP-SCR-09). */
import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import { NAME_MAX } from './names.ts'

const fields = {
  date: z.iso.date().describe('Shown from the beginning of this day on, UTC'),
  title: z.string().trim().min(1).max(NAME_MAX),
  text: z.string().trim().min(1).max(5000).describe('Plain text'),
}

export const NewsNote = z.object({
  id: z.string(),
  ...fields,
  publishedOn: IsoTime.describe('When it is shown: the beginning of its day, or when it was written'),
})
export type NewsNote = z.infer<typeof NewsNote>

export const NewNewsNote = z.strictObject(fields)
export type NewNewsNote = z.infer<typeof NewNewsNote>

/** Fields that are not given keep their value. */
export const NewsNoteChange = z.strictObject(fields).partial()
export type NewsNoteChange = z.infer<typeof NewsNoteChange>

/** The time in ms since 1970; a backdated note is new to users who visited before it was written. */
export const publishedMs = (date: string, createdMs: number): number => Math.max(Date.parse(date), createdMs)

/** Notes that were published after the user's last visit; all for a user without one. */
export const unreadNotes = (notes: readonly NewsNote[], seenOn: string | null): NewsNote[] =>
  notes.filter(({ publishedOn }) => seenOn === null || Date.parse(publishedOn) > Date.parse(seenOn))

/** Columns for sorting and searching the list; `name` is the title too. */
export const newsKeys = ['date', 'title', 'name'] as const
