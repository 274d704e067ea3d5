import { videoReturn as calls } from '@backhaul/contract/api/video-return'
import { returnRefusal } from '@backhaul/contract/nouns/unit-refusals'
import type { Unit } from '@backhaul/contract/nouns/units'
import { type VideoReturnChannel, VrInputId } from '@backhaul/contract/nouns/video-return'
import { NativeSelect } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, describeFault } from '../../doors/api.ts'
import { useGroups } from '../../people/groups/groups.ts'
import { givenReason, reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { Facts } from '../../ui/Facts.tsx'
import { delayWords, mbpsText } from '../../ui/locale.ts'
import { RunButton } from '../../ui/RunButton.tsx'
import { StatusGlyph } from '../../ui/StatusGlyph.tsx'
import { toast } from '../../ui/toasts.tsx'
import { ChannelPicture } from '../previews/ChannelPicture.tsx'
import styles from './video-return.module.css'
import { inputName, returnGlyph, useReturnChannels } from './video-return.ts'

interface VideoReturnTabProps {
  unit: Unit
  mayOperate: boolean
}

/** The studio's picture for the crew of a unit: its channel, whether it runs, and the picture itself. */
export function VideoReturnTab({ unit, mayOperate }: VideoReturnTabProps) {
  const { t } = useTranslation('videoReturn')
  const { channels, isKnown, isError, read } = useReturnChannels(useGroups().current?.uid)
  const [busy, setBusy] = useState(false)
  const selected = unit.selectedVideoReturn
  const channel = channels.find(({ uniqueId }) => uniqueId === selected?.channelId)
  const phase = unit.applications?.videoReturn?.state
  const runs = channel?.unitUid === unit.uid || phase !== undefined
  const closed = mayOperate ? undefined : reasonText('role.notAllowed')

  async function ask(run: () => Promise<unknown>): Promise<void> {
    setBusy(true)
    try {
      await run()
    } catch (error) {
      const { title, text } = describeFault(error)
      toast({ title, text: text ?? unit.name, tone: 'critical' })
    }
    setBusy(false)
    await read()
  }
  const params = { id: unit.uid }
  const select = (body: { channel: string | null; input?: VrInputId | null }) =>
    ask(() => call(calls.select, { params, body }))
  const refusal = runs ? undefined : returnRefusal(unit, channel)
  const reason = closed ?? (refusal && reasonText(refusal))
  return (
    <section className={styles.videoReturn} aria-label={t('title')}>
      <div className={styles.videoReturnAct}>
        <ChannelChoice
          channels={channels}
          selected={selected?.channelId ?? null}
          empty={isError ? t('failed') : isKnown && channels.length === 0 ? t('none') : undefined}
          unitUid={unit.uid}
          closed={closed ?? (runs ? reasonText('videoReturn.running') : undefined)}
          onSelect={(id) => void select({ channel: id })}
        />
        {channel?.feedSelectionMode === 'custom' ? (
          <InputChoice
            channel={channel}
            input={selected?.input ?? null}
            closed={closed ?? (runs ? reasonText('videoReturn.running') : undefined)}
            onInput={(input) => void select({ channel: channel.uniqueId, input })}
          />
        ) : null}
        <RunButton
          state={runs ? 'stop' : 'start'}
          isClosed={reason !== undefined || busy}
          size="big"
          tip={reason}
          onPress={() => void ask(() => call(runs ? calls.stop : calls.start, { params }))}
        >
          {t(runs ? 'stop' : 'start')}
        </RunButton>
        {reason === undefined ? null : <p className="quiet">{reason}</p>}
      </div>
      <Standing unit={unit} channel={channel} />
      {channel && runs ? <ChannelPicture channelId={channel.uniqueId} live={false} /> : null}
    </section>
  )
}

interface ChannelChoiceProps {
  channels: readonly VideoReturnChannel[]
  selected: string | null
  /** Text where there is nothing to choose. */
  empty: string | undefined
  unitUid: string
  closed: string | undefined
  onSelect: (id: string | null) => void
}

function ChannelChoice({ channels, selected, empty, unitUid, closed, onSelect }: ChannelChoiceProps) {
  const { t } = useTranslation('videoReturn')
  const isGone = selected !== null && !channels.some(({ uniqueId }) => uniqueId === selected)
  return (
    <NativeSelect
      label={t('channel')}
      description={empty}
      inputWrapperOrder={['label', 'input', 'description']}
      {...disabledBecause(closed)}
      value={selected ?? ''}
      onChange={({ currentTarget }) => onSelect(currentTarget.value || null)}
      data={[
        { value: '', label: t('noChannel') },
        ...(isGone ? [{ value: selected, label: t('external') }] : []),
        ...channels.map(({ uniqueId, name, status, unitUid: holder, unitName }) => ({
          value: uniqueId,
          label: `${name} · ${holder !== null && holder !== unitUid ? (unitName ?? t('busy')) : t(`status.${status}`)}`,
        })),
      ]}
    />
  )
}

interface InputChoiceProps {
  channel: VideoReturnChannel
  input: VrInputId | null
  closed: string | undefined
  onInput: (input: VrInputId | null) => void
}

function InputChoice({ channel, input, closed, onInput }: InputChoiceProps) {
  const { t } = useTranslation('videoReturn')
  return (
    <NativeSelect
      label={t('input')}
      {...disabledBecause(closed)}
      value={input ?? ''}
      onChange={({ currentTarget }) => onInput(VrInputId.safeParse(currentTarget.value).data ?? null)}
      data={[
        { value: '', label: t('inputOfChannel') },
        ...channel.inputs.map(({ id, connected, standard }) => ({
          value: id,
          label: `${inputName(id, channel.inputs)} · ${connected ? standard : t('noSignal')}`,
        })),
      ]}
    />
  )
}

function Standing({ unit, channel }: { unit: Unit; channel: VideoReturnChannel | undefined }) {
  const { t } = useTranslation('videoReturn')
  if (!channel) return null
  const phase = unit.applications?.videoReturn?.state
  const received = phase === undefined ? undefined : unit.videoReturn?.received
  const { reason = null, cause } = (phase !== undefined && unit.videoReturn) || {}
  const missing = givenReason({ reason, cause })
  return (
    <>
      <p className={styles.videoReturnState}>
        <StatusGlyph {...returnGlyph(channel.status)} />
        <strong>{channel.name}</strong>
        <span className="quiet clip">{channel.description}</span>
      </p>
      <Facts
        facts={[
          [t('column.status'), t(`status.${channel.status}`)],
          [t('atUnit'), phase === undefined ? t('phase.idle') : t(`phase.${phaseOf(phase, received)}`)],
          [t('missing'), missing || null],
          [t('received'), received ? receivedText(received, t) : null],
          [t('display'), received?.problem ? problemText(received.problem) : null],
          [
            t('column.input'),
            channel.input
              ? `${inputName(channel.input, channel.inputs)} · ${channel.inputStandard}`
              : t('noSignal'),
          ],
          [t('column.format'), formatOf(channel)],
          [t('column.server'), channel.serverName],
          [t('column.addresses'), channel.urlData.join(', ')],
        ]}
      />
    </>
  )
}

const phases = ['connecting', 'collecting', 'stopping'] as const
type Received = NonNullable<NonNullable<Unit['videoReturn']>['received']>

/** A picture that comes and is on no display is not shown to the crew. */
function phaseOf(word: string, received: Received | null | undefined) {
  const phase = phases.find((one) => one === word) ?? 'connecting'
  return phase === 'collecting' && received?.problem ? 'received' : phase
}

const problemText = (cause: NonNullable<Received['problem']>): string =>
  reasonText({ message: cause.code, cause })

/** `h264 1280×720 30 fps · 3.9 Mbps over 2 links · 0.5 s`. */
const receivedText = ({ kbps, delayMs, links, video }: Received, t: TFunction<'videoReturn'>): string =>
  [
    ...(video ? [`${video.codec} ${video.width}×${video.height} ${video.fps} fps`] : []),
    t('overLinks', { rate: mbpsText(kbps), count: links }),
    delayWords(delayMs),
  ].join(' · ')

/** `H.264 · 4000 kbps`. */
const formatOf = ({ inputParameters: { codec, bitrateKbps } }: VideoReturnChannel): string =>
  `${codec} · ${bitrateKbps} kbps`
