// /services/reports: transmissions of a customer in a period, by unit, channel, user or day.
import type { UsageBy, UsageReport, UsageRow } from '@backhaul/contract/nouns/reports'
import { useNavigate } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { useList } from '../../kit/lists.ts'
import { useInventoryNames } from '../../people/inventory-names/inventory-names.ts'
import { figureColumn, textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts, dateFormat } from '../../ui/locale.ts'
import { textFilter } from '../../ui/text-filter.ts'
import { DayBars } from './DayBars.tsx'
import { datesOf, momentsOf, type Period } from './periods.ts'
import { ReportChoices, useReportChoices } from './ReportChoices.tsx'
import { gigabytesText, hoursText } from './report-figures.ts'
import styles from './reports.module.css'
import { usage } from './reports.ts'

/** A report of a period that is not over grows. */
const refreshMs = 60_000

export function ReportsPage() {
  const { t } = useTranslation('reports')
  const navigate = useNavigate()
  // The report needs the names of the customers.
  const names = useInventoryNames()
  const inventories = names.choices
  const choices = useReportChoices(inventories)
  const { inventory, by, timeZone, period } = choices
  const [text, setText] = useState('')
  const columns = useMemo(() => columnsOf(t, by), [t, by])
  const filter = useMemo(() => textFilter(text, searched), [text])
  const { from, to } = useMemo(() => momentsOf(period, timeZone), [period, timeZone])
  const list = useList(usage, [inventory, by, { from, to, timeZone }], {
    isAsked: inventory !== '',
    everyMs: refreshMs,
    keepsBefore: true,
  })
  const { report, days = [] } = list.answer ?? {}
  const isShown = report !== undefined && report.by === by
  const state = names.errorText === undefined ? list.state : 'error'
  return (
    <ListScreen
      {...list}
      gridId="reports"
      search={{ label: t('search'), text, onText: setText }}
      actions={<ReportChoices {...choices} inventories={inventories} />}
      notice={report ? <Summary report={report} period={period} days={days} /> : null}
      label={t('title')}
      columns={columns}
      defaultCompare={by === 'day' ? byDate : byHours}
      filter={filter}
      onOpen={(uid) => {
        if (by === 'unit' && uid !== '')
          void navigate({ to: '/unit/$uid', params: { uid }, search: { ignoreRouteDefault: '1' } })
      }}
      state={state === 'ready' && !isShown ? 'loading' : state}
      errorText={names.errorText ?? list.errorText}
      onRetry={() => {
        if (names.errorText !== undefined) void names.again()
        if (inventory !== '') list.onRetry()
      }}
      empty={t('empty', { returnObjects: true })}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName={`usage-by-${by}-${period.first}-${period.last}`}
    />
  )
}

interface SummaryProps {
  report: UsageReport
  period: Period
  days: readonly UsageRow[]
}

function Summary({ report, period, days }: SummaryProps) {
  const { t } = useTranslation('reports')
  const { total, timeZone, from, to, countedUntil } = report
  const moment = useMemo(() => dateFormat({ dateStyle: 'medium', timeStyle: 'short', timeZone }), [timeZone])
  const isOver = countedUntil === to
  return (
    <section className={styles.reportSummary}>
      <dl className={styles.reportTotal}>
        <div>
          <dt>{t('columns.streamingMs')}</dt>
          <dd className="mono">{hoursText(total.streamingMs)}</dd>
        </div>
        <div>
          <dt>{t('columns.videoReturnMs')}</dt>
          <dd className="mono">{hoursText(total.videoReturnMs)}</dd>
        </div>
        <div>
          <dt>{t('columns.storeAndForwardFiles')}</dt>
          <dd className="mono">{total.storeAndForwardFiles}</dd>
        </div>
        <div>
          <dt>{t('columns.dataBytes')}</dt>
          <dd className="mono">{gigabytesText(total.dataBytes)}</dd>
        </div>
        <div>
          <dt>{t(isOver ? 'counted' : 'countedUntilNow')}</dt>
          <dd>
            {moment(new Date(from))} – {moment(new Date(countedUntil))}
            <span className="quiet"> {timeZone}</span>
          </dd>
        </div>
      </dl>
      <DayBars dates={datesOf(period)} days={days} />
      <p className="quiet">{t('note')}</p>
    </section>
  )
}

const byHours = (a: UsageRow, b: UsageRow): number =>
  b.streamingMs - a.streamingMs || compareTexts(a.name, b.name)
const byDate = (a: UsageRow, b: UsageRow): number => compareTexts(a.id ?? '', b.id ?? '')

/** A user has a name as well as the one they sign in with; of what was deleted only a number is left, which is no help. */
const searched = ({ id, name }: UsageRow) => [name, id]

function columnsOf(t: TFunction<'reports'>, by: UsageBy): readonly GridColumn<UsageRow>[] {
  const nameOf = ({ id, name }: UsageRow): string => {
    if (by === 'day') return id ?? ''
    if (by === 'user') return name === '' ? (id ?? t('unknown.user')) : `${name} (${id})`
    return name || t(`unknown.${by}`)
  }
  type Figure = Exclude<keyof UsageRow, 'id' | 'name'>
  const figure = (id: Figure, width: number, text: (row: UsageRow) => string) =>
    figureColumn<UsageRow>(id, t(`columns.${id}`), width, (row) => row[id], {
      text,
      render: (row) => <span className="mono">{text(row)}</span>,
    })
  return [
    textColumn('name', t(`by.${by}`), 320, nameOf, { required: true }),
    figure('streamingMs', 170, ({ streamingMs }) => hoursText(streamingMs)),
    figure('videoReturnMs', 180, ({ videoReturnMs }) => hoursText(videoReturnMs)),
    figure('storeAndForwardFiles', 190, ({ storeAndForwardFiles }) => String(storeAndForwardFiles)),
    figure('dataBytes', 120, ({ dataBytes }) => gigabytesText(dataBytes)),
    figure('transmissions', 130, ({ transmissions }) => String(transmissions)),
    figure('running', 110, ({ running }) => String(running)),
  ]
}
