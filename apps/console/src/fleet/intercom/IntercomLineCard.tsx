import { intercom as calls } from '@backhaul/contract/api/intercom'
import {
  firstLine,
  type Intercom,
  type IntercomLine,
  IntercomMode,
  type IntercomNumber,
  type IntercomOptions,
} from '@backhaul/contract/nouns/intercom'
import type { Unit } from '@backhaul/contract/nouns/units'
import { NativeSelect } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { givenReason, reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { RunButton } from '../../ui/RunButton.tsx'
import { StatusGlyph } from '../../ui/StatusGlyph.tsx'
import styles from './intercom.module.css'
import { lineClosed, lineGlyphs, startRefusal, stateOf, switchLine } from './intercom.ts'

interface IntercomLineCardProps {
  unit: Unit
  intercom: IntercomNumber
  options: IntercomOptions
  /** Why nothing may be touched. */
  closed: string | undefined
  ask: (run: () => Promise<unknown>) => Promise<boolean>
}

const noSession: Intercom = {
  ...firstLine,
  state: null,
  transition: null,
  failure: null,
  failureCause: null,
}

/** One line: whom it reaches, the state of its session, and starting and ending it. */
export function IntercomLineCard({ unit, intercom, options, closed, ask }: IntercomLineCardProps) {
  const { t } = useTranslation('intercom')
  const [busy, setBusy] = useState(false)
  const line = unit.intercoms[intercom - 1] ?? noSession
  const [chosen, choose] = useChoice(line)
  const state = stateOf(line)
  const runs = state === 'connecting' || state === 'connected'
  const closedLine = closed ?? lineClosed(options, intercom)
  const closedChoice = closedLine ?? (state === 'idle' ? undefined : t('whileRunning'))
  const cannot = runs ? undefined : startRefusal(unit, line, options)
  const reason = closedLine ?? (cannot === undefined ? undefined : reasonText(cannot))
  const failure = givenReason({ reason: line.failure, cause: line.failureCause ?? undefined })
  const waits = busy || state === 'disconnecting'

  async function set(next: IntercomLine): Promise<void> {
    choose(next)
    const { mode, destinationAccount } = next
    const body = { intercom, mode, destinationAccount }
    if (!(await ask(() => call(calls.set, { params: { id: unit.uid }, body })))) choose(undefined)
  }
  async function press(): Promise<void> {
    setBusy(true)
    await ask(() => switchLine(unit.uid, intercom, runs))
    setBusy(false)
  }
  return (
    <section className={styles.intercomLine} aria-label={t('line', { intercom })}>
      <h3>{t('line', { intercom })}</h3>
      <p className={styles.intercomState}>
        <StatusGlyph {...lineGlyphs[state]} size={12} />
        <span role="status">{t(`state.${state}`)}</span>
      </p>
      {failure === '' ? null : <p className="text-critical">{failure}</p>}
      <NativeSelect
        label={t('mode')}
        {...disabledBecause(closedChoice)}
        value={chosen.mode}
        onChange={({ currentTarget }) =>
          void set({ ...firstLine, mode: IntercomMode.parse(currentTarget.value) })
        }
        data={IntercomMode.options.map((value) => ({ value, label: t(`modes.${value}`) }))}
      />
      {chosen.mode === 'audioRoom' ? (
        <RoomChoice
          rooms={options.rooms}
          value={chosen.destinationAccount}
          closed={closedChoice}
          onChange={(destinationAccount) => void set({ mode: 'audioRoom', destinationAccount })}
        />
      ) : (
        <p className="quiet">
          {t(options.channelRoom ? 'target' : 'targetWithoutRoom', {
            channel: unit.selectedChannelName || t('noChannel'),
            room: options.channelRoom?.name ?? '',
          })}
        </p>
      )}
      <p className={styles.intercomAct}>
        <RunButton
          state={runs ? 'stop' : 'start'}
          isClosed={reason !== undefined || waits}
          tip={reason}
          onPress={() => void press()}
        >
          {t(runs ? 'stop' : 'start', { intercom })}
        </RunButton>
        {reason === undefined ? null : <span className="quiet">{reason}</span>}
      </p>
    </section>
  )
}

/** The choice is shown until the unit changes; then the unit's own is shown. */
function useChoice(line: IntercomLine) {
  const [chosen, choose] = useState<IntercomLine>()
  const { mode, destinationAccount } = line
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the unit has now is the news
  useEffect(() => choose(undefined), [mode, destinationAccount])
  return [chosen ?? line, choose] as const
}

interface RoomChoiceProps {
  rooms: IntercomOptions['rooms']
  value: string
  closed: string | undefined
  onChange: (room: string) => void
}

function RoomChoice({ rooms, value, closed, onChange }: RoomChoiceProps) {
  const { t } = useTranslation('intercom')
  const isGone = value !== '' && !rooms.some(({ id }) => id === value)
  return (
    <NativeSelect
      label={t('room')}
      description={rooms.length === 0 ? t('noRooms') : undefined}
      inputWrapperOrder={['label', 'input', 'description']}
      {...disabledBecause(closed)}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[
        { value: '', label: t('noRoom') },
        ...(isGone ? [{ value, label: t('external') }] : []),
        ...rooms.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}
