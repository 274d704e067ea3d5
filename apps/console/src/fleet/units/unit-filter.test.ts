import { exampleUnit } from '@backhaul/contract/examples/units'
import type { FilterState } from '@backhaul/contract/nouns/preferences'
import type { Unit } from '@backhaul/contract/nouns/units'
import { expect, test } from 'vitest'
import { cleared, isFiltering, onlyThese, toggled, unitFilter } from './unit-filter.ts'

const filter = (change: Partial<FilterState> = {}): FilterState => ({
  open: false,
  text: '',
  chosen: {},
  ...change,
})
const unit = (change: Partial<Unit> = {}): Unit => ({ ...exampleUnit, ...change })
const matches = (state: FilterState, one: Unit) => unitFilter(state)?.(one) ?? true

test('values of one facet widen, facets and words narrow', () => {
  const state = filter({ chosen: { status: ['ready', 'preview'], alert: ['none'] }, text: 'lon downing' })
  expect(matches(state, unit())).toBe(true)
  expect(matches(state, unit({ comment: 'elsewhere' }))).toBe(false)
  expect(matches(state, unit({ applications: null }))).toBe(false)
  expect(matches(filter({ chosen: { channel: ['notAssigned'] } }), unit())).toBe(false)
  expect(matches(filter({ chosen: { type: ['liteUnits'] } }), unit({ type: 'LU-Lite' }))).toBe(true)
})

test('an empty filter is none at all', () => {
  expect(unitFilter(filter({ open: true, chosen: { status: [] } }))).toBeUndefined()
})

test('a facet value is toggled, a counter chooses only its own and lets go when pressed again', () => {
  const one = toggled(filter(), 'status', 'ready')
  expect(one.chosen.status).toEqual(['ready'])
  expect(toggled(one, 'status', 'ready').chosen.status).toEqual([])
  const live = onlyThese(one, 'status', ['live', 'preview'])
  expect(live.chosen.status).toEqual(['live', 'preview'])
  expect(onlyThese(live, 'status', ['live', 'preview']).chosen.status).toEqual([])
  expect(isFiltering(live)).toBe(true)
  expect(isFiltering(cleared({ ...live, open: true }))).toBe(false)
})
