// Graph of what a feed received and sent on over the last half hour.
import { channels } from '@backhaul/contract/api/channels'
import { GRAPH_INTERVAL_MS, GRAPH_POINTS } from '@backhaul/contract/nouns/modems'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../doors/reads.ts'
import { TimeChart } from '../../ui/TimeChart.tsx'
import styles from './feeds.module.css'

const SPAN_S = (GRAPH_POINTS * GRAPH_INTERVAL_MS) / 1000
const KBPS_PER_MBPS = 1000
/** A small rate is not drawn as a large one. */
const LEAST_TOP_MBPS = 1

const series = [
  { name: 'downlink', colour: 'var(--text-1)', kind: 'line' },
  { name: 'uplink', colour: 'var(--text-live)', kind: 'dashed' },
] as const

export function FeedGraph({ feedId }: { feedId: string }) {
  const { t } = useTranslation('feeds')
  const { data: points, errorText } = useRead(
    channels.feedGraph,
    { params: { id: feedId }, query: {} },
    { everyMs: GRAPH_INTERVAL_MS },
  )
  if (errorText !== undefined) return <p role="alert">{errorText}</p>
  if (points === undefined) return <p className="quiet">{t('loading')}</p>
  if (points.length === 0) return <p className="quiet">{t('noGraph')}</p>
  const values = [
    points.map(({ downlinkKbps }) => downlinkKbps / KBPS_PER_MBPS),
    points.map(({ uplinkKbps }) => uplinkKbps / KBPS_PER_MBPS),
  ]
  const to = (points.at(-1)?.ts ?? 0) / 1000
  return (
    <figure className={styles.graph}>
      <TimeChart
        times={points.map(({ ts }) => ts / 1000)}
        values={values}
        series={series.map(({ name, ...look }) => ({ ...look, label: t(`column.${name}`) }))}
        height={140}
        max={Math.max(LEAST_TOP_MBPS, ...values.flat()) * 1.1}
        from={to - SPAN_S}
        to={to}
        unit="Mbps"
        cursor="feed"
      />
      <figcaption className="quiet">{t('graph')}</figcaption>
    </figure>
  )
}
