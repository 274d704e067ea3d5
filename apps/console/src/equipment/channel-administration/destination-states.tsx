// The states of a channel's destinations, each by shape and word, with the reason next to one that fails.
import type { AdministeredChannel } from '@backhaul/contract/nouns/channel-administration'
import type { StreamingDestination } from '@backhaul/contract/nouns/destinations'
import { isOutputOf, type OutputState, type OutputStatus } from '@backhaul/contract/nouns/output-states'
import type { TFunction } from 'i18next'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { push } from '../../doors/push.ts'
import { givenReason } from '../../texts/generic.ts'
import { textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { useItem } from '../../ui/keyed-store.ts'
import { clockTime, mbpsText } from '../../ui/locale.ts'
import type { Look } from '../../ui/StatusGlyph.tsx'
import { StatusWords } from '../../ui/StatusWords.tsx'
import styles from './channel-administration.module.css'
import { channelStore } from './channel-administration.ts'

/** `waiting`: the server has nothing to send, or has not reported its state; `onDemand`: nor is it started. */
type Shown = OutputState | 'waiting' | 'onDemand'

const looks: Readonly<Record<Shown, Look>> = {
  sending: { shape: 'disc', tone: 'live' },
  connecting: { shape: 'arc', tone: 'transition' },
  failed: { shape: 'octagon', tone: 'critical' },
  waiting: { shape: 'ring', tone: 'offline' },
  onDemand: { shape: 'ring', tone: 'offline' },
}
/** The most important state for an operator comes first. */
const order: readonly Shown[] = ['failed', 'connecting', 'sending', 'waiting', 'onDemand']

/** The worse output of a destination with two addresses. */
function worst(outputs: readonly OutputStatus[]): OutputStatus | undefined {
  return outputs.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))[0]
}

function failureOf(t: TFunction<'destinations'>, output: OutputStatus): string {
  const { since, tries } = output
  return t('failure', { reason: givenReason(output), since: clockTime(since), count: tries })
}

/** With what is sent now, and with the number of those who fetch it, where others fetch it. */
function stateWords(t: TFunction<'destinations'>, shown: Shown, output: OutputStatus | undefined): string {
  const { kbps, readers } = shown === 'failed' ? {} : (output ?? {})
  return [
    t(`state.${shown}`),
    ...(kbps === undefined ? [] : [mbpsText(kbps)]),
    ...(readers === undefined ? [] : [t('readers', { count: readers })]),
  ].join(', ')
}

interface DestinationStateProps {
  channelId: string
  destination: Pick<StreamingDestination, 'id' | 'onDemand'>
}

/** The state of one destination, and why it fails. */
export function DestinationState({ channelId, destination: { id, onDemand } }: DestinationStateProps) {
  const { t } = useTranslation('destinations')
  const outputs = useItem(channelStore, channelId)?.outputs ?? []
  const output = worst(outputs.filter((one) => isOutputOf(id, one.id)))
  const shown = output?.state ?? (onDemand ? 'onDemand' : 'waiting')
  return (
    <>
      <StatusWords look={looks[shown]} words={stateWords(t, shown, output)} />
      {output?.state === 'failed' ? (
        <p className={styles.destinationFailure}>{failureOf(t, output)}</p>
      ) : null}
    </>
  )
}

/** States of the destinations of a channel, with the count of each, the worst first, and the rate of all. */
function wordsOf(t: TFunction<'destinations'>, channel: AdministeredChannel): string {
  if (channel.streamingDestinations.length === 0) return ''
  if (channel.outputs.length === 0) return t('state.waiting')
  const rates = channel.outputs.flatMap(({ kbps }) => kbps ?? [])
  const states = order
    .map((state) => ({ state, count: channel.outputs.filter((output) => output.state === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) =>
      channel.outputs.length === 1 ? t(`state.${state}`) : `${t(`state.${state}`)} ${count}`,
    )
  const rate = rates.length > 0 ? [mbpsText(rates.reduce((sum, kbps) => sum + kbps, 0))] : []
  return [...states, ...rate].join(', ')
}

export function destinationsColumn(
  title: string,
  t: TFunction<'destinations'>,
): GridColumn<AdministeredChannel> {
  return textColumn('destinations', title, 180, (channel) => wordsOf(t, channel), {
    render(channel) {
      const words = wordsOf(t, channel)
      if (words === '') return '—'
      const failed = channel.outputs.filter(({ state }) => state === 'failed')
      return (
        <span data-tip={failed.length > 0 ? failed.map((one) => failureOf(t, one)).join('\n') : undefined}>
          <StatusWords look={looks[worst(channel.outputs)?.state ?? 'waiting']} words={words} />
        </span>
      )
    },
  })
}

/** Keeps the channels that have destinations live while the list is shown. */
export function useLiveDestinations(ids: readonly string[]): void {
  const all = ids.join(' ')
  useEffect(() => {
    const stops = all
      .split(' ')
      .filter(Boolean)
      .map((id) =>
        push.subscribe(`channel.${id}`, (message) => {
          const { outputs, status, streamingDestinations, inputProblem, inputFailure } =
            message.data as Partial<AdministeredChannel>
          const before = channelStore.latest(id)
          const isNews = [outputs, status, streamingDestinations, inputProblem, inputFailure].some(
            (one) => one !== undefined,
          )
          if (!before || !isNews) return
          channelStore.put(id, {
            ...before,
            outputs: outputs ?? before.outputs,
            status: status ?? before.status,
            streamingDestinations: streamingDestinations ?? before.streamingDestinations,
            // Null means that there is none any more.
            inputProblem: inputProblem === undefined ? before.inputProblem : inputProblem,
            inputFailure: inputFailure === undefined ? before.inputFailure : inputFailure,
          })
        }),
      )
    return () => {
      for (const stop of stops) stop()
    }
  }, [all])
}
