import { FileName } from '@backhaul/contract/nouns/files'
import { expect, test } from 'vitest'
import { fileNameFor, isUnfinishedName, numbered } from './ingest-names.ts'

test.each([
  ['Harbour.mp4', 'Harbour.mp4'],
  ['Überschwemmung é.mov', 'Uberschwemmung e.mov'],
  ['a/b\\c:*?"<>|.mp4', 'a_b_c_______.mp4'],
  ['..hidden .mp4', 'hidden.mp4'],
  ["'; rm -rf $HOME.mkv", '__ rm -rf _HOME.mkv'],
  ['新闻.mp4', '__.mp4'],
  ['line\nbreak.mp4', 'line_break.mp4'],
  [' ', 'file'],
  [`${'long '.repeat(40)}.mp4`, `${'long '.repeat(12).trimEnd()}.mp4`],
])('%j is stored as %j', (given, stored) => {
  expect(fileNameFor(given)).toBe(stored)
  expect(FileName.safeParse(fileNameFor(given)).success).toBe(true)
})

test('a name that is taken gets a number within the length of a name', () => {
  expect(numbered('Harbour.mp4', 1)).toBe('Harbour.mp4')
  expect(numbered('Harbour.mp4', 2)).toBe('Harbour (2).mp4')
  const long = numbered(fileNameFor(`${'x'.repeat(90)}.mp4`), 12)
  expect([long.length, long.endsWith(' (12).mp4')]).toEqual([64, true])
})

test('files that are being written under a name of their own are left', () => {
  const names = ['.Storm.mp4.part', 'Storm.mp4.filepart', 'Storm.mp4.TMP', 'Storm.mp4', 'part.mp4']
  expect(names.map(isUnfinishedName)).toEqual([true, true, true, false, false])
})
