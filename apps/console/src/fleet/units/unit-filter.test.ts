import { exampleServer } from '@backhaul/contract/api/servers'
import { exampleUnit } from '@backhaul/contract/examples/units'
import type { FilterState } from '@backhaul/contract/nouns/preferences'
import { ListedServer } from '@backhaul/contract/nouns/servers'
import type { Unit } from '@backhaul/contract/nouns/units'
import { expect, test } from 'vitest'
import type { ServerRow } from '../servers/servers.ts'
import { cleared, isFiltering, ofUnitsAlone, onlyThese, toggled, unitFilter } from './unit-filter.ts'

const filter = (change: Partial<FilterState> = {}): FilterState => ({
  open: false,
  text: '',
  chosen: {},
  ...change,
})
const unit = (change: Partial<Unit> = {}): Unit => ({ ...exampleUnit, ...change })
const server = (change: Partial<ServerRow> = {}): ServerRow => ({
  ...ListedServer.parse(exampleServer),
  kind: 'server',
  stale: false,
  alerts: [],
  ...change,
})
const matches = (state: FilterState, one: Unit | ServerRow) => unitFilter(state)?.(one) ?? true

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

test('servers are one of the kinds, and take part in the other facets where they are chosen', () => {
  const chosen = (facets: FilterState['chosen']) => filter({ chosen: facets })
  expect(matches(filter(), server())).toBe(true)
  expect(matches(filter({ text: 'mcr hub-1' }), server())).toBe(true)
  expect(matches(filter({ text: 'paris' }), server())).toBe(false)
  expect(matches(chosen({ type: ['servers'] }), server())).toBe(true)
  expect(matches(chosen({ type: ['servers'] }), unit())).toBe(false)
  expect(matches(chosen({ type: ['fieldUnits'] }), server())).toBe(false)
  const off = server({ state: 'offline' })
  expect(matches(chosen({ status: ['offline'] }), off)).toBe(false)
  expect(matches(chosen({ alert: ['none'] }), off)).toBe(false)
  expect(matches(chosen({ status: ['offline'], type: ['servers'] }), off)).toBe(true)
  expect(matches(chosen({ status: ['offline'], type: ['servers'] }), server())).toBe(false)
  expect(matches(chosen({ alert: ['none'], type: ['servers'] }), off)).toBe(true)
  expect(matches(chosen({ channel: ['assigned'], type: ['servers'] }), off)).toBe(false)
})

test('where units alone are shown, the kind of servers does not count', () => {
  const state = filter({ chosen: { type: ['servers'], alert: ['none'] } })
  expect(matches(ofUnitsAlone(state), unit({ alerts: [] }))).toBe(true)
  expect(unitFilter(ofUnitsAlone(filter({ chosen: { type: ['servers'] } })))).toBeUndefined()
})
