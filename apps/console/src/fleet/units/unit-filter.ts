// Filter of the units and servers in the list, as a user chose it (GAP-UNIT-07).
import type { FilterState } from '@backhaul/contract/nouns/preferences'
import { unitKindOf } from '@backhaul/contract/nouns/products'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { ServerRow } from '../servers/servers.ts'
import { isServer } from './list-row.ts'
import { labelOf } from './unit-presentation.ts'

export const filterFacets = ['status', 'type', 'alert', 'channel'] as const
export type FilterFacet = (typeof filterFacets)[number]

type Filtered = Unit | ServerRow

const facetValues: Readonly<Record<FilterFacet, (row: Filtered) => readonly string[]>> = {
  status: (row) => [isServer(row) ? row.state : labelOf(row)],
  type: (row) => [isServer(row) ? 'servers' : unitKindOf(row.type)],
  alert: ({ alerts }) => (alerts.length === 0 ? ['none'] : alerts.map((alert) => alert.severity)),
  channel: (row) => {
    if (isServer(row)) return []
    return [row.selectedChannelName === '' ? 'notAssigned' : 'assigned']
  },
}

/**
 * True when a row has one of the chosen values in every facet that has any, and every word of the text. As long as no
 * kind is chosen, the other facets are about units, as the numbers next to them are.
 */
export function unitFilter(filter: FilterState): ((row: Filtered) => boolean) | undefined {
  const facets = filterFacets.flatMap((facet) => {
    const chosen = filter.chosen[facet] ?? []
    return chosen.length === 0 ? [] : [{ values: facetValues[facet], chosen: new Set(chosen) }]
  })
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
  if (facets.length === 0 && words.length === 0) return undefined
  const isOfUnits = facets.length > 0 && (filter.chosen.type ?? []).length === 0
  return (row) =>
    !(isOfUnits && isServer(row)) &&
    facets.every(({ values, chosen }) => values(row).some((value) => chosen.has(value))) &&
    (words.length === 0 || includesAll(row, words))
}

function includesAll(row: Filtered, words: readonly string[]): boolean {
  const own = isServer(row)
    ? row.productType
    : `${row.type} ${row.selectedChannelName} ${row.location?.address ?? ''}`
  const text = `${row.name} ${own} ${row.comment} ${row.serialNumber}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

/** The same filter where units alone are shown: that servers are chosen too does not count. */
export const ofUnitsAlone = (filter: FilterState): FilterState => ({
  ...filter,
  chosen: { ...filter.chosen, type: (filter.chosen.type ?? []).filter((kind) => kind !== 'servers') },
})

/** Adds the value to its facet, or takes it out when it is chosen already. */
export function toggled(filter: FilterState, facet: FilterFacet, value: string): FilterState {
  const chosen = filter.chosen[facet] ?? []
  const next = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]
  return { ...filter, chosen: { ...filter.chosen, [facet]: next } }
}

/** Only these values of one facet, or none of it when they are exactly what is chosen. */
export function onlyThese(filter: FilterState, facet: FilterFacet, values: readonly string[]): FilterState {
  const chosen = filter.chosen[facet] ?? []
  const same = chosen.length === values.length && values.every((value) => chosen.includes(value))
  return { ...filter, chosen: { ...filter.chosen, [facet]: same ? [] : [...values] } }
}

export const cleared = (filter: FilterState): FilterState => ({ open: filter.open, text: '', chosen: {} })

export const isFiltering = (filter: FilterState): boolean =>
  filter.text !== '' || Object.values(filter.chosen).some((values) => values.length > 0)
