import { expect, test } from 'vitest'
import type { BenchResult, Floor } from './bench-result.ts'
import { type Kept, report } from './report.ts'

const machine = {
  cores: 2,
  processor: 'a processor',
  memoryGb: 8,
  kernel: '6',
  loadBefore: 0,
  versions: { node: '24' },
}

const kept = (ratio: BenchResult['ratios'][number], before?: number): Kept => ({
  date: '2026-11-27',
  tookSeconds: 1,
  machine,
  ...(before !== undefined && { before: { [ratio.id ?? '']: before } }),
  result: { name: 'one', title: 'One', setting: '', tables: [], ratios: [ratio], remarks: [] },
})

/** The line of a figure in the table of goals, and the reason below. */
function goalOf(figure: number, floor?: Floor, lowerIsBetter = true): (string | undefined)[] {
  const more = floor ? { floor } : {}
  const page = report([
    kept({ id: 'one-ms', what: 'one', ratio: figure, unit: 'ms', goal: 10, lowerIsBetter, ...more }),
  ])
  const lines = page.split('\n')
  return [
    lines.find((line) => line.startsWith('| one-ms |')),
    lines.find((line) => line.startsWith('- one-ms:')),
  ]
}

test('a floor beyond the goal is what forbids it; one within it is shown and forbids nothing', () => {
  const [forbidden, why] = goalOf(20, { value: 15, why: 'what each of them has to do.' })
  expect(forbidden).toBe('| one-ms | 20 ms | – | ≤ 10 ms | 15 ms | **not held; floor 15 ms** | 2026-11-27 |')
  expect(why).toBe('- one-ms: what each of them has to do.')
  const [within] = goalOf(20, { value: 8, why: 'little.' })
  expect(within).toBe('| one-ms | 20 ms | – | ≤ 10 ms | 8 ms | **not held** | 2026-11-27 |')
})

test('where more is better, the floor is the most that can be had', () => {
  expect(goalOf(5, { value: 7, why: 'all.' }, false)[0]).toContain('**not held; floor 7 ms**')
  expect(goalOf(5, { value: 12, why: 'all.' }, false)[0]).toContain('**not held**')
})

test('a goal that is held, and one without a floor', () => {
  expect(goalOf(9, { value: 8, why: 'little.' })[0]).toBe(
    '| one-ms | 9 ms | – | ≤ 10 ms | 8 ms | held | 2026-11-27 |',
  )
  expect(goalOf(11)).toEqual(['| one-ms | 11 ms | – | ≤ 10 ms | – | **not held** | 2026-11-27 |', undefined])
})

test('figures that got worse by more than a tenth are named with both values', () => {
  const of = (id: string, figure: number, before: number, lowerIsBetter: boolean) =>
    kept({ id, what: id, ratio: figure, unit: 'ms', goal: 10, lowerIsBetter }, before)
  const page = report([
    of('slower', 12, 10, true),
    of('as-before', 10.9, 10, true),
    of('fewer', 8, 10, false),
    of('more', 12, 10, false),
  ])
  expect(page).toContain(
    'Worse by more than a tenth than in the run before: slower (10 ms → 12 ms), fewer (10 ms → 8 ms).',
  )
  expect(report([of('faster', 5, 10, true)])).toContain('Nothing got worse')
})
