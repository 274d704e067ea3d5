// The feeds of a transceiver, read-only: from where each takes its picture, what it sends on, and why it does not.
import { feedState, uplinkKbps } from '@backhaul/contract/nouns/feeds'
import { Alert } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { givenReason } from '../../texts/generic.ts'
import { Facts } from '../../ui/Facts.tsx'
import { mbpsText } from '../../ui/locale.ts'
import { StaticTable } from '../../ui/StaticTable.tsx'
import { StatusWords } from '../../ui/StatusWords.tsx'
import { FeedGraph } from './FeedGraph.tsx'
import styles from './feeds.module.css'
import { type Feed, feedLooks, useFeeds } from './feeds.ts'

const columns = ['name', 'unit', 'channel', 'state', 'downlink', 'uplink'] as const

export function FeedsTab({ serverId }: { serverId: string }) {
  const { t } = useTranslation('feeds')
  const { feeds, state, errorText, onRetry } = useFeeds(serverId)
  const [chosen, choose] = useState<string>()
  if (errorText !== undefined)
    return (
      <Alert color="red">
        {errorText}{' '}
        <button type="button" className="plain-button" onClick={onRetry}>
          {t('retry')}
        </button>
      </Alert>
    )
  if (state === 'loading') return <p className="quiet">{t('loading')}</p>
  const feed = feeds.find(({ uniqueId }) => uniqueId === chosen) ?? feeds[0]
  if (!feed) return <p className="quiet">{t('none')}</p>
  return (
    <>
      <StaticTable
        className={styles.feeds}
        label={t('title')}
        columns={columns.map((name) => t(`column.${name}`))}
        textColumns={4}
        isFixed
      >
        {feeds.map((one) => (
          <tr key={one.uniqueId} data-chosen={one === feed || undefined}>
            <td>
              <button
                type="button"
                className="plain-button"
                aria-pressed={one === feed}
                title={one.name}
                onClick={() => choose(one.uniqueId)}
              >
                {one.name}
              </button>
            </td>
            <td title={one.allocatedTo ?? undefined}>{one.allocatedTo ?? '—'}</td>
            <td title={sourceWords(one)}>{sourceWords(one)}</td>
            <td>
              <FeedStateWords feed={one} />
            </td>
            <td className="figure">{downlinkText(one)}</td>
            <td className="figure">{uplinkText(one)}</td>
          </tr>
        ))}
      </StaticTable>
      <FeedDetails feed={feed} />
    </>
  )
}

/** Read only: a feed is set up, started and stopped among the channels. */
function FeedDetails({ feed }: { feed: Feed }) {
  const { t } = useTranslation('feeds')
  const reasons = reasonsOf(t, feed)
  return (
    <section aria-label={t('details', { name: feed.name })}>
      <h3 className={styles.feedName}>{feed.name}</h3>
      {reasons.length === 0 ? null : (
        <Alert color="red">
          {reasons.map((reason) => (
            <p key={reason}>{reason}</p>
          ))}
        </Alert>
      )}
      <Facts
        facts={[
          [t('column.unit'), feed.allocatedTo ?? '—'],
          [t('column.channel'), sourceWords(feed)],
          [t('column.state'), <FeedStateWords key="state" feed={feed} />],
          [t('column.downlink'), downlinkText(feed)],
          [t('column.uplink'), uplinkText(feed)],
          [t('destinations'), destinationWords(t, feed)],
        ]}
      />
      <FeedGraph feedId={feed.uniqueId} />
    </section>
  )
}

function FeedStateWords({ feed }: { feed: Feed }) {
  const { t } = useTranslation('feeds')
  const state = feedState(feed)
  return <StatusWords look={feedLooks[state]} words={t(`state.${state}`)} />
}

/** The channel that it takes, or the names of its sources. */
function sourceWords({ feedFrom, inputSources }: Feed): string {
  if (feedFrom) return `${feedFrom.channelName} (${feedFrom.serverName})`
  return inputSources.map(({ name }) => name).join(', ') || '—'
}

const rateText = (kbps: number | null): string => (kbps === null ? '—' : mbpsText(kbps))
const downlinkText = ({ reception }: Feed): string => rateText(reception?.kbps ?? null)
const uplinkText = (feed: Feed): string => rateText(uplinkKbps(feed))

function destinationWords(t: TFunction<'feeds'>, { streamingDestinations, outputs }: Feed): string {
  const sending = outputs.filter((one) => one.state === 'sending').length
  return t('sending', { sending, all: streamingDestinations.length })
}

/** Why it takes nothing, and why a destination gets nothing. */
function reasonsOf(t: TFunction<'feeds'>, { inputFailure, inputSources, outputs }: Feed): string[] {
  const source = inputSources.find(({ id }) => id === inputFailure?.sourceId)
  const failed = outputs.filter(({ state }) => state === 'failed').map(givenReason)
  return [
    ...(inputFailure && source
      ? [t('sourceFailed', { name: source.name, reason: givenReason(inputFailure) })]
      : []),
    ...[...new Set(failed)].map((reason) => t('destinationFailed', { reason })),
  ]
}
