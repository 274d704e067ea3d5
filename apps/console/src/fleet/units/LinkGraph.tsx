import { GRAPH_INTERVAL_MS, GRAPH_POINTS, type GraphPoint } from '@backhaul/contract/nouns/modems'
import { type ComponentProps, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clockTime, mbpsText } from '../../ui/locale.ts'
import { StaticTable } from '../../ui/StaticTable.tsx'
import { type ChartSeries, TimeChart } from '../../ui/TimeChart.tsx'
import { seriesColour } from './LinkList.tsx'
import styles from './link-graph.module.css'
import { type Columns, columnsOf, type HeldScale, heldScale, portsOf } from './link-graph.ts'
import { nothing, percentText } from './unit-presentation.ts'
import { coreNowMs, type LiveUnit } from './units-live.ts'
import { useGraphPoints } from './use-graph-points.ts'

const shortPoints = 60

type Scale = 'rate' | 'rtt' | 'loss'

/** The modem graph, as charts or as a table. */
export function LinkGraph({ unit }: { unit: LiveUnit }) {
  const { t } = useTranslation('units')
  const { state, points } = useGraphPoints(unit.uid)
  const [shownPoints, setShownPoints] = useState(shortPoints)
  const [asTable, setAsTable] = useState(false)
  const [cursor, setCursor] = useState<number | null>(null)
  const scales = useRef<Partial<Record<Scale, HeldScale>>>({})
  const nowMs = Math.max(points.at(-1)?.ts ?? 0, coreNowMs() - GRAPH_INTERVAL_MS)
  const fromMs = nowMs - shownPoints * GRAPH_INTERVAL_MS
  const window = points.filter(({ ts }) => ts > fromMs)
  const ports = portsOf(window)
  const columns = columnsOf(window, ports)
  const names = new Map(
    [...unit.modems, ...unit.offlineModems].map((link) => [
      link.port,
      [link.id, link.carrier].filter(Boolean).join(' '),
    ]),
  )
  const nameOf = (port: number) => names.get(port) ?? t('graph.link', { port })
  const hold = (name: Scale, highest: number, factor = 1) => {
    const held = heldScale(scales.current[name], highest / factor, nowMs)
    scales.current[name] = held
    return held.max * factor
  }
  const axis = {
    times: columns.times,
    from: fromMs / 1000,
    to: nowMs / 1000,
    cursor: `links-${unit.uid}`,
    onCursor: setCursor,
  }
  const perLink: ChartSeries[] = ports.map((port) => ({
    label: nameOf(port),
    colour: seriesColour(port),
    kind: 'line',
  }))
  return (
    <section className={styles.linkGraph} aria-label={t('graph.title')}>
      <header>
        <h3>{t('graph.title')}</h3>
        <div className={styles.graphChoices}>
          {[shortPoints, GRAPH_POINTS].map((count) => (
            <button
              key={count}
              type="button"
              className="plain-button"
              aria-pressed={shownPoints === count}
              onClick={() => setShownPoints(count)}
            >
              {t('graph.minutes', { count: (count * GRAPH_INTERVAL_MS) / 60_000 })}
            </button>
          ))}
          <button
            type="button"
            className="plain-button"
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
          >
            {t('graph.table')}
          </button>
        </div>
      </header>
      <Legend ports={ports} nameOf={nameOf} point={at(window, columns, cursor)} />
      {state === 'error' ? <p className="quiet">{t('graph.failed')}</p> : null}
      {state === 'ready' && window.length === 0 ? (
        <p className={`quiet ${styles.graphNone}`}>{t('graph.none')}</p>
      ) : null}
      {asTable ? (
        <GraphTable points={window} ports={ports} nameOf={nameOf} />
      ) : (
        <Charts points={window.length} columns={columns} perLink={perLink} axis={axis} hold={hold} />
      )}
    </section>
  )
}

interface ChartsProps {
  points: number
  columns: Columns
  perLink: readonly ChartSeries[]
  axis: Pick<ComponentProps<typeof TimeChart>, 'times' | 'from' | 'to' | 'cursor' | 'onCursor'>
  hold: (name: Scale, highest: number, factor?: number) => number
}

/** Uplink stacked by link with encoder, capacity and drops; round trip and loss below. */
function Charts({ points, columns, perLink, axis, hold }: ChartsProps) {
  const { t } = useTranslation('units')
  return (
    <div data-points={points}>
      <TimeChart
        {...axis}
        height={190}
        unit="Mbps"
        max={hold('rate', Math.max(0.4, ...numbers(columns.bands.flat()), ...numbers(columns.encoderMbps)))}
        values={[...columns.bands, columns.encoderMbps, columns.capacityMbps, columns.dropped]}
        series={[
          ...perLink.map((one): ChartSeries => ({ ...one, kind: 'band' })),
          { label: t('graph.encoder'), colour: 'var(--text-1)', kind: 'line' },
          { label: t('graph.capacity'), colour: 'var(--text-3)', kind: 'dashed' },
          { label: t('graph.dropped'), colour: 'var(--status-critical)', kind: 'bars', ownScale: true },
        ]}
      />
      <TimeChart
        {...axis}
        height={84}
        unit="ms"
        max={hold('rtt', Math.max(50, ...numbers(columns.rttMs.flat())), 100)}
        values={columns.rttMs}
        series={perLink}
      />
      <TimeChart
        {...axis}
        height={74}
        unit="%"
        max={hold('loss', Math.max(1, ...numbers(columns.lossPercent.flat())))}
        values={columns.lossPercent}
        series={perLink}
      />
    </div>
  )
}

const numbers = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null)

/** The point under the cursor, else the newest. */
function at(points: readonly GraphPoint[], columns: Columns, cursor: number | null): GraphPoint | undefined {
  const time = cursor === null ? undefined : columns.times[cursor]
  return (time === undefined ? undefined : points.find(({ ts }) => ts / 1000 === time)) ?? points.at(-1)
}

function Legend({
  ports,
  nameOf,
  point,
}: {
  ports: readonly number[]
  nameOf: (port: number) => string
  point: GraphPoint | undefined
}) {
  const { t } = useTranslation('units')
  const rate = (kbps: number | null | undefined) => (kbps == null ? nothing : mbpsText(kbps))
  const total = point?.links.reduce((sum, { kbps }) => sum + kbps, 0)
  return (
    <ul className={styles.graphLegend} data-part="legend">
      <li>
        <b>{point ? clockTime(point.ts) : nothing}</b>
      </li>
      <li>
        {t('graph.total')} <b>{rate(total)}</b>
      </li>
      <li>
        {t('graph.encoder')} <b>{rate(point?.encoderKbps)}</b>
      </li>
      <li>
        {t('graph.capacity')} <b>{rate(point?.capacityKbps)}</b>
      </li>
      {point && point.droppedPackets > 0 ? (
        <li className="text-critical">
          {t('graph.dropped')} <b>{point.droppedPackets}</b>
        </li>
      ) : null}
      {ports.map((port) => {
        const link = point?.links.find((one) => one.port === port)
        return (
          <li key={port} data-port={port}>
            <i style={{ background: seriesColour(port) }} /> {nameOf(port)} <b>{rate(link?.kbps)}</b>
            {link?.rttMs == null ? null : <span className="quiet"> {Math.round(link.rttMs)} ms</span>}
            {link && link.lossPercent >= 0.1 ? (
              <span className="quiet"> {percentText(link.lossPercent)}</span>
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}

function GraphTable({
  points,
  ports,
  nameOf,
}: {
  points: readonly GraphPoint[]
  ports: readonly number[]
  nameOf: (port: number) => string
}) {
  const { t } = useTranslation('units')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
    <section className={styles.graphTable} tabIndex={0} aria-label={t('graph.table')}>
      <StaticTable
        label={t('graph.title')}
        columns={[t('graph.time'), ...ports.map(nameOf), t('graph.encoder'), t('graph.dropped')]}
        textColumns={1}
        isDense
      >
        {points.toReversed().map((point) => (
          <tr key={point.ts}>
            <th scope="row">{clockTime(point.ts)}</th>
            {ports.map((port) => {
              const link = point.links.find((one) => one.port === port)
              return (
                <td key={port} className="figure">
                  {link ? mbpsText(link.kbps) : nothing}
                </td>
              )
            })}
            <td className="figure">{point.encoderKbps === null ? nothing : mbpsText(point.encoderKbps)}</td>
            <td className="figure">{point.droppedPackets}</td>
          </tr>
        ))}
      </StaticTable>
    </section>
  )
}
