import { expect, test } from 'vitest'
import { filesToRepeat, type Totals, totalsWithRepetition } from './test-totals.ts'

const all: Totals = { passed: 97, failed: 3, skipped: 2, failedFiles: ['a.test.ts', 'b.test.ts'] }

test('few failed files are run again; many, or a failure outside of any file, are not', () => {
  expect(filesToRepeat(all)).toEqual(['a.test.ts', 'b.test.ts'])
  expect(filesToRepeat({ ...all, failedFiles: ['a', 'b', 'c', 'd'] })).toEqual([])
  expect(filesToRepeat({ ...all, failedFiles: undefined })).toEqual([])
  expect(filesToRepeat({ ...all, failed: 0, failedFiles: [] })).toEqual([])
})

test('what fails alone too has failed, the rest has passed', () => {
  const again: Totals = { passed: 11, failed: 1, skipped: 0, failedFiles: ['b.test.ts'] }
  expect(totalsWithRepetition(all, again)).toEqual({
    passed: 99,
    failed: 1,
    skipped: 2,
    failedFiles: ['b.test.ts'],
  })
  const steady: Totals = { passed: 12, failed: 0, skipped: 0, failedFiles: [] }
  expect(totalsWithRepetition(all, steady)).toMatchObject({ passed: 100, failed: 0 })
})
