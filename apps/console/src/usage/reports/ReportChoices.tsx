import { UsageBy } from '@backhaul/contract/nouns/reports'
import { dateIn } from '@backhaul/contract/nouns/time-zones'
import { NativeSelect, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type InventoryChoice, likelyInventory } from '../../people/inventory-names/inventory-names.ts'
import { type Period, type PeriodName, periodNames, periodOf } from './periods.ts'
import styles from './reports.module.css'

const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone
const zones = [...new Set([localZone, 'UTC'])]

type Inventories = readonly InventoryChoice[]

/** The choices of a report; the likely inventory until another is chosen. */
export function useReportChoices(inventories: Inventories) {
  const [chosenInventory, setInventory] = useState('')
  const [by, setBy] = useState<UsageBy>('unit')
  const [timeZone, setTimeZone] = useState(localZone)
  const [name, setName] = useState<PeriodName>('thisMonth')
  const today = dateIn(Date.now(), timeZone)
  const [chosen, setChosen] = useState<Period>(() => periodOf('thisMonth', today))
  const named = name === 'chosen' ? chosen : periodOf(name, today)
  const { first, last } = named
  const period = useMemo(() => ({ first, last }), [first, last])
  const inventory = inventories.length === 0 ? '' : chosenInventory || likelyInventory()
  return { inventory, setInventory, by, setBy, timeZone, setTimeZone, name, setName, period, setChosen }
}

type ReportChoicesProps = ReturnType<typeof useReportChoices> & { inventories: Inventories }

export function ReportChoices(props: ReportChoicesProps) {
  const { t } = useTranslation('reports')
  const { period, name, setName, setChosen } = props
  /** A first day after the last, or the other way round, is a period of that one day. */
  const pick = (end: 'first' | 'last', date: string) => {
    const { first, last }: Period = { ...period, [end]: date }
    setChosen(first <= last ? { first, last } : { first: date, last: date })
    setName('chosen')
  }
  const day = (end: 'first' | 'last') => (
    <TextInput
      size="xs"
      type="date"
      aria-label={t(`period.${end}`)}
      required
      value={period[end]}
      onChange={({ currentTarget: { value } }) => value !== '' && pick(end, value)}
    />
  )
  return (
    <div className={styles.reportChoices}>
      {props.inventories.length > 1 ? (
        <NativeSelect
          size="xs"
          aria-label={t('inventory')}
          value={props.inventory}
          onChange={(event) => props.setInventory(event.currentTarget.value)}
          data={props.inventories.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : null}
      <NativeSelect
        size="xs"
        aria-label={t('byLabel')}
        value={props.by}
        onChange={(event) => props.setBy(event.currentTarget.value as UsageBy)}
        data={UsageBy.options.map((value) => ({ value, label: t(`byChoice.${value}`) }))}
      />
      <NativeSelect
        size="xs"
        aria-label={t('period.label')}
        value={name}
        onChange={({ currentTarget: { value } }) => {
          setChosen(period)
          setName(value as PeriodName)
        }}
        data={periodNames.map((value) => ({ value, label: t(`period.${value}`) }))}
      />
      {day('first')}
      {day('last')}
      <NativeSelect
        size="xs"
        aria-label={t('timeZone')}
        value={props.timeZone}
        onChange={(event) => props.setTimeZone(event.currentTarget.value)}
        data={zones.map((zone) => ({ value: zone, label: zone }))}
      />
    </div>
  )
}
