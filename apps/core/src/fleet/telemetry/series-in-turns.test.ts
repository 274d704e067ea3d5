import { expect, it } from 'vitest'
import { sampleOf } from '../../testing/fleet.ts'
import { SECOND_MS } from './chunk.ts'
import { figuresOfSample } from './figures.ts'
import { SeriesInTurns, TURN_MS } from './series-in-turns.ts'
import { WRITE_ROUND_MS } from './unit-series.ts'

const t0 = 1_795_000_000_000
const ids = Array.from({ length: 200 }, (_, at) => `u-${at}`)

function reporting(): SeriesInTurns {
  const series = new SeriesInTurns()
  for (let second = 1; second <= 5; second++)
    for (const id of ids) series.of(id).add(figuresOfSample(sampleOf(0), t0 + second * 1000, 0))
  return series
}

const sorted = (all: readonly { id: string }[]) => all.map(({ id }) => id).sort()

it('gives each series one turn a minute', () => {
  const series = reporting()
  const turns = Array.from({ length: WRITE_ROUND_MS / TURN_MS }, (_, turn) => series.due(t0 + turn * TURN_MS))
  expect(sorted(turns.flat())).toEqual(ids.toSorted())
  for (const due of turns) expect(due.length).toBeLessThan(20)
  expect(turns.flat()[0]).toMatchObject({ chunk: { resolutionMs: SECOND_MS }, count: 5 })
})

it('has no turn for one that was deleted', () => {
  const series = reporting()
  series.delete('u-7')
  expect(series.get('u-7')).toBeUndefined()
  expect(sorted(series.unwritten(t0))).toEqual(ids.filter((id) => id !== 'u-7').sort())
})
