// Which units the list shows, as a person chose it (GAP-UNIT-07).
import type { FilterState } from '@backhaul/contract/nouns/preferences'
import { productOf } from '@backhaul/contract/nouns/products'
import type { Unit } from '@backhaul/contract/nouns/units'
import { labelOf } from './unit-words.ts'

export const filterFacets = ['status', 'type', 'alert', 'channel'] as const
export type FilterFacet = (typeof filterFacets)[number]

const facetValues: Readonly<Record<FilterFacet, (unit: Unit) => readonly string[]>> = {
  status: (unit) => [labelOf(unit)],
  type: (unit) => [productOf(unit.type).group],
  alert: (unit) => (unit.alerts.length === 0 ? ['none'] : unit.alerts.map((alert) => alert.severity)),
  channel: (unit) => [unit.selectedChannelName === '' ? 'notAssigned' : 'assigned'],
}

/** True when a unit has one of the chosen values in every facet that has any, and every word of the text. */
export function unitFilter(filter: FilterState): ((unit: Unit) => boolean) | undefined {
  const facets = filterFacets.flatMap((facet) => {
    const chosen = filter.chosen[facet] ?? []
    return chosen.length === 0 ? [] : [{ values: facetValues[facet], chosen: new Set(chosen) }]
  })
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
  if (facets.length === 0 && words.length === 0) return undefined
  return (unit) =>
    facets.every(({ values, chosen }) => values(unit).some((value) => chosen.has(value))) &&
    (words.length === 0 || includesAll(unit, words))
}

function includesAll(unit: Unit, words: readonly string[]): boolean {
  const text =
    `${unit.name} ${unit.type} ${unit.selectedChannelName} ${unit.comment} ${unit.location?.address ?? ''} ${unit.serialNumber}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

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
