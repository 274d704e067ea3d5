import { expect, test } from 'vitest'
import { publishedMs, unreadNotes } from './whats-new.ts'

const at = (time: string) => Date.parse(time)
const note = (id: string, publishedOn: string) => ({
  id,
  date: '2026-11-21',
  title: 'T',
  text: 't',
  publishedOn,
})

test('a note is published on its day, a backdated one when it is written', () => {
  expect(publishedMs('2026-11-21', at('2026-11-20T15:00:00Z'))).toBe(at('2026-11-21T00:00:00Z'))
  expect(publishedMs('2026-11-21', at('2026-11-23T15:00:00Z'))).toBe(at('2026-11-23T15:00:00Z'))
})

test('notes that were published after the last visit of a user are unread', () => {
  const notes = [note('new', '2026-11-22T00:00:00.000Z'), note('old', '2026-11-20T00:00:00.000Z')]
  expect(unreadNotes(notes, null)).toEqual(notes)
  expect(unreadNotes(notes, '2026-11-20T00:00:00.000Z').map(({ id }) => id)).toEqual(['new'])
  expect(unreadNotes(notes, '2026-11-22T00:00:00.000Z')).toEqual([])
})
