import { expect, test } from 'vitest'
import { filesToRepeat, sumOfTotals, type Totals, totalsWithRepetition } from './test-totals.ts'

const all: Totals = {
  passed: 97,
  failed: 3,
  skipped: 2,
  failedFiles: ['a.test.ts', 'b.test.ts'],
  failures: ['a.test.ts > one: wrong', 'a.test.ts > two: wrong', 'b.test.ts > three: late'],
}

test('few failed files are run again; many, or a failure outside of any file, are not', () => {
  expect(filesToRepeat(all)).toEqual(['a.test.ts', 'b.test.ts'])
  const failedFiles = Array.from({ length: 10 }, (_, at) => `${at}.test.ts`)
  expect(filesToRepeat({ ...all, failedFiles })).toEqual(failedFiles)
  expect(filesToRepeat({ ...all, failedFiles: [...failedFiles, '10.test.ts'] })).toEqual([])
  expect(filesToRepeat({ ...all, failedFiles: undefined })).toEqual([])
  expect(filesToRepeat({ ...all, failed: 0, failedFiles: [] })).toEqual([])
})

test('a file that fails again alone has failed, the rest has passed', () => {
  const again: Totals = {
    passed: 11,
    failed: 1,
    skipped: 0,
    failedFiles: ['b.test.ts'],
    failures: ['b.test.ts > three: late'],
  }
  expect(totalsWithRepetition(all, again)).toEqual({
    passed: 99,
    failed: 1,
    skipped: 2,
    failedFiles: ['b.test.ts'],
    failures: ['b.test.ts > three: late'],
  })
  const steady: Totals = { passed: 12, failed: 0, skipped: 0, failedFiles: [], failures: [] }
  expect(totalsWithRepetition(all, steady)).toMatchObject({ passed: 100, failed: 0, failures: [] })
})

test('runs at the same time are added up, and one that failed as a whole is not repeated', () => {
  const other: Totals = {
    passed: 3,
    failed: 1,
    skipped: 0,
    failedFiles: ['c.test.ts'],
    failures: ['c.test.ts > four: no'],
  }
  expect(sumOfTotals([all, other])).toEqual({
    passed: 100,
    failed: 4,
    skipped: 2,
    failedFiles: ['a.test.ts', 'b.test.ts', 'c.test.ts'],
    failures: [...all.failures, 'c.test.ts > four: no'],
  })
  expect(sumOfTotals([all, { ...other, failedFiles: undefined }]).failedFiles).toBeUndefined()
})
