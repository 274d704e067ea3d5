import type { FilterState } from '@backhaul/contract/nouns/preferences'
import { unitKinds } from '@backhaul/contract/nouns/products'
import type { UnitLabel } from '@backhaul/contract/nouns/unit-status'
import { IconAdjustmentsHorizontal, IconFilterOff } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { QuickSearch } from '../../ui/QuickSearch.tsx'
import { StatusGlyph } from '../../ui/StatusGlyph.tsx'
import { cleared, type FilterFacet, isFiltering, toggled } from './unit-filter.ts'
import { labelKeys, labelsInOrder, lookOfLabel, nothing } from './unit-presentation.ts'
import { useFleet, useFleetIsKnown } from './units.ts'
import styles from './units-page.module.css'

interface UnitsToolbarProps {
  filter: FilterState
  onFilter: (filter: FilterState) => void
  /** Number of rows that the filter hides. */
  hidden: ReactNode
  /** The list has servers too. */
  hasServers: boolean
  search: Ref<{ focus: () => void }>
  onLeaveSearch: () => void
  /** Content at the end: the grid's own menus. */
  children: ReactNode
}

/** Chips that are always there, so that the bar does not jump; others come with the first unit in that state. */
const always: ReadonlySet<UnitLabel> = new Set(['live', 'ready', 'offline'])

export function UnitsToolbar(props: UnitsToolbarProps) {
  const { filter, onFilter, hidden, hasServers, search, children } = props
  const { t } = useTranslation('units')
  const { byLabel } = useFleet()
  const isKnown = useFleetIsKnown()
  const chosen = filter.chosen.status ?? []
  const chips = labelsInOrder.filter((label) => always.has(label) || byLabel[label] || chosen.includes(label))
  return (
    <div className={styles.unitsToolbar}>
      <div className="toolbar-row">
        <QuickSearch
          ref={search}
          value={filter.text}
          label={t('search')}
          onChange={(text) => onFilter({ ...filter, text })}
          onLeave={props.onLeaveSearch}
        />
        <fieldset className="chips">
          <legend className="visually-hidden">{t('filter.status')}</legend>
          {chips.map((label) => (
            <Chip
              key={label}
              pressed={chosen.includes(label)}
              onPress={() => onFilter(toggled(filter, 'status', label))}
              glyph={<StatusGlyph {...lookOfLabel(label)} />}
              text={t(labelKeys[label])}
              count={isKnown ? (byLabel[label] ?? 0) : nothing}
            />
          ))}
        </fieldset>
        {isFiltering(filter) ? (
          <span className={styles.hiddenUnits}>
            {hidden}
            <button
              type="button"
              className="plain-button tool-button"
              data-tip={t('filter.clear')}
              onClick={() => onFilter(cleared(filter))}
            >
              <IconFilterOff size={16} aria-hidden />
              {t('filter.showAll')}
            </button>
          </span>
        ) : null}
        <span className="toolbar-end">
          <button
            type="button"
            className="plain-button tool-button"
            aria-expanded={filter.open}
            data-tip={t('filters')}
            onClick={() => onFilter({ ...filter, open: !filter.open })}
          >
            <IconAdjustmentsHorizontal size={16} aria-hidden />
            <span className="tool-word">{t('filters')}</span>
          </button>
          {children}
        </span>
      </div>
      {filter.open ? <FilterPanel filter={filter} onFilter={onFilter} hasServers={hasServers} /> : null}
    </div>
  )
}

interface ChipProps {
  pressed: boolean
  onPress: () => void
  glyph?: ReactNode
  text: string
  /** A dash while nothing is known. */
  count?: number | string
}

function Chip({ pressed, onPress, glyph, text, count }: ChipProps) {
  return (
    <button type="button" className="chip" aria-pressed={pressed} onClick={onPress}>
      {glyph}
      {text}
      {count === undefined ? null : <b>{count}</b>}
    </button>
  )
}

type FilterPanelProps = Pick<UnitsToolbarProps, 'filter' | 'onFilter' | 'hasServers'>

function FilterPanel({ filter, onFilter, hasServers }: FilterPanelProps) {
  const { t } = useTranslation('units')
  const facets: { facet: FilterFacet; title: string; values: { value: string; text: string }[] }[] = [
    {
      facet: 'type',
      title: t('filter.type'),
      values: unitKinds
        .filter((kind) => hasServers || kind !== 'servers')
        .map((value) => ({ value, text: t(`typeGroup.${value}`) })),
    },
    {
      facet: 'alert',
      title: t('filter.alert'),
      values: [
        { value: 'critical', text: t('filter.critical') },
        { value: 'warning', text: t('filter.warning') },
        { value: 'none', text: t('filter.noAlert') },
      ],
    },
    {
      facet: 'channel',
      title: t('filter.channel'),
      values: [
        { value: 'assigned', text: t('filter.assigned') },
        { value: 'notAssigned', text: t('filter.notAssigned') },
      ],
    },
  ]
  return (
    <div className={styles.filterPanel} data-part="filters">
      {facets.map(({ facet, title, values }) => (
        <fieldset key={facet} className="chips">
          <legend>{title}</legend>
          {values.map(({ value, text }) => (
            <Chip
              key={value}
              pressed={(filter.chosen[facet] ?? []).includes(value)}
              onPress={() => onFilter(toggled(filter, facet, value))}
              text={text}
            />
          ))}
        </fieldset>
      ))}
    </div>
  )
}
