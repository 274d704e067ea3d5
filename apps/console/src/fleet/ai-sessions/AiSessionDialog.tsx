// The AI session of a unit: its start with a profile, what it marks while it runs, and its end.
import { aiSessions as calls } from '@backhaul/contract/api/ai-sessions'
import type { AiSession } from '@backhaul/contract/nouns/ai'
import { Alert, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { keepAnswer, useRead } from '../../doors/reads.ts'
import { useAct } from '../../kit/act.ts'
import { reasonText } from '../../texts/generic.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { dateAndTime } from '../../ui/locale.ts'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import { useValue } from '../../ui/value.ts'
import styles from './ai-sessions.module.css'
import { askedAi, startAi, stopAi } from './ai-sessions.ts'

/** Marks come while one looks. */
const refreshMs = 2000

export function AiSessionDialog() {
  const { t } = useTranslation('ai')
  const unit = useValue(askedAi)
  const close = () => askedAi.set(null)
  return (
    <Dialog
      opened={unit !== null}
      onClose={close}
      size={560}
      title={t('session.title', { name: unit?.name })}
    >
      {unit ? <Session key={unit.uid} uid={unit.uid} onClose={close} /> : null}
    </Dialog>
  )
}

function Session({ uid, onClose }: { uid: string; onClose: () => void }) {
  const { t } = useTranslation('ai')
  const params = { id: uid }
  const { data: state, errorText } = useRead(calls.one, { params }, { everyMs: refreshMs })
  const [chosen, choose] = useState('')
  const control = useAct()
  const fault = control.words ?? errorText
  const isRunning = state?.session?.endedOn === null
  const profile = state?.profiles.find(({ id }) => id === chosen) ?? state?.profiles[0]
  const isClosed = state === undefined || (!isRunning && state.refusal !== null)

  const act = () =>
    void control.run(async () => {
      const now = await (isRunning ? stopAi(uid) : startAi(uid, profile?.id ?? ''))
      await keepAnswer(calls.one, { params }, now)
      return undefined
    })

  return (
    <>
      {state?.refusal && !isRunning ? (
        <Alert color="yellow">{reasonText({ message: state.refusal, cause: state.refusalCause })}</Alert>
      ) : null}
      {!isRunning && state && state.profiles.length > 0 ? (
        <NativeSelect
          label={t('session.profile')}
          description={profile ? t(`providerHint.${profile.provider}`) : undefined}
          data={state.profiles.map(({ id, name }) => ({ value: id, label: name }))}
          value={profile?.id ?? ''}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      ) : null}
      {state?.session ? <Marks session={state.session} /> : null}
      {fault === undefined ? null : (
        <Alert color="red" mt="sm">
          {fault}
        </Alert>
      )}
      <ModalFooter
        mayWrite={!isClosed}
        busy={control.busy}
        dangerous={isRunning}
        okLabel={t(isRunning ? 'session.stop' : 'session.start')}
        onCancel={onClose}
        onOk={act}
      />
    </>
  )
}

function Marks({ session }: { session: AiSession }) {
  const { t } = useTranslation('ai')
  const { startedBy: by, profileName, startedOn, endedOn, marks, provider } = session
  const words = { by, profile: profileName, time: dateAndTime(new Date(endedOn ?? startedOn)) }
  return (
    <section className={styles.aiSession} aria-label={t('session.marks')}>
      <p role="status">{t(endedOn === null ? 'session.running' : 'session.ended', words)}</p>
      {endedOn === null ? <p className="quiet">{t(`providerHint.${provider}`)}</p> : null}
      {marks.length === 0 ? <p className="quiet">{t('session.noMarks')}</p> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard */}
      <ol className={styles.aiMarks} tabIndex={0}>
        {marks.map(({ ts, kind, text, cause }) => (
          <li key={`${ts} ${kind} ${text}`} data-kind={kind}>
            <time dateTime={ts} className="quiet">
              {dateAndTime(new Date(ts))}
            </time>
            <strong>{t(`kind.${kind}`)}</strong>
            <span>{reasonText({ message: text, cause })}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
