// A file's ways to the targets of its customer: sent now, on their way, done, failed.
import { fileTargets as calls } from '@backhaul/contract/api/file-targets'
import { type FileSending, isSendingOver } from '@backhaul/contract/nouns/file-targets'
import type { ChannelFile } from '@backhaul/contract/nouns/files'
import { Alert, Button, NativeSelect, Progress } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../doors/reads.ts'
import { useAct } from '../../kit/act.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { givenReason, reasonText } from '../../texts/generic.ts'
import { dateAndTime } from '../../ui/locale.ts'
import styles from './file-targets.module.css'
import { againIn, cancelSending, sendFile, sendingsOf, sentPercent } from './file-targets.ts'

export function SharingTab({ file }: { file: Pick<ChannelFile, 'fileId' | 'isTransferring'> }) {
  const { t } = useTranslation('fileTargets')
  const may = useMay('operateUnits')
  const [chosen, setChosen] = useState('')
  const act = useAct()
  const { data, errorText } = useRead(calls.sendings, sendingsOf(file.fileId), {
    everyMs: (answer) => againIn(answer?.sendings),
  })
  if (errorText) return <p role="alert">{errorText}</p>
  if (!data) return null
  const { sendings, targets } = data
  const target = chosen || (targets[0]?.id ?? '')
  const isOnItsWay = sendings.some(({ targetId, state }) => targetId === target && !isSendingOver(state))
  const refusal = !may
    ? reasonText('role.notAllowed')
    : file.isTransferring
      ? reasonText('file.beingWritten')
      : isOnItsWay
        ? t('alreadySent')
        : undefined
  return (
    <div className="form-fields">
      {targets.length === 0 ? (
        <p className="quiet">{t('noTargets')}</p>
      ) : (
        <div className={styles.send}>
          <NativeSelect
            label={t('target')}
            value={target}
            disabled={!may}
            onChange={(event) => setChosen(event.currentTarget.value)}
            data={targets.map(({ id, name, kind }) => ({
              value: id,
              label: `${name} (${t(`kind.${kind}`)})`,
            }))}
          />
          <span data-tip={refusal}>
            <Button
              disabled={refusal !== undefined}
              loading={act.busy}
              onClick={() => void act.run(async () => void (await sendFile(file.fileId, target)))}
            >
              {t('send')}
            </Button>
          </span>
        </div>
      )}
      {act.words === undefined ? null : <Alert color="red">{act.words}</Alert>}
      {sendings.length === 0 && targets.length > 0 ? <p className="quiet">{t('noSendings')}</p> : null}
      <ul className={styles.sendings} aria-label={t('sendings')}>
        {sendings.map((sending) => (
          <Sending
            key={sending.id}
            sending={sending}
            mayCancel={may && !act.busy}
            onCancel={() => void act.run(async () => void (await cancelSending(sending)))}
          />
        ))}
      </ul>
    </div>
  )
}

interface SendingProps {
  sending: FileSending
  mayCancel: boolean
  onCancel: () => void
}

function Sending({ sending, mayCancel, onCancel }: SendingProps) {
  const { t } = useTranslation('fileTargets')
  const { state, targetName, by, startedAt, endedAt, nextTryAt } = sending
  const percent = sentPercent(sending)
  const reason = givenReason(sending)
  const isOver = isSendingOver(state)
  const time = dateAndTime(new Date(endedAt ?? startedAt))
  return (
    <li>
      <div className={styles.head}>
        <strong className="clip">{targetName}</strong>
        <span className={state === 'failed' ? 'text-critical' : 'quiet'}>
          {t(`state.${state}`, { percent })}
        </span>
        {isOver ? null : (
          <Button size="compact-xs" variant="default" disabled={!mayCancel} onClick={onCancel}>
            {t('cancel')}
          </Button>
        )}
      </div>
      {state === 'sending' ? <Progress value={percent} size="sm" aria-label={targetName} /> : null}
      <p className="quiet">{by === null ? t('byItself', { time }) : t('byUser', { by, time })}</p>
      {reason && (state === 'failed' || state === 'waiting') ? (
        <p className={styles.reason}>{reason}</p>
      ) : null}
      {nextTryAt === null ? null : (
        <p className="quiet">{t('nextTry', { time: dateAndTime(new Date(nextTryAt)) })}</p>
      )}
    </li>
  )
}
