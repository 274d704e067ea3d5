// Sending the logs of a unit: what happened, whether the channel's shall come too, and what came so far.
import { deviceLogs } from '@backhaul/contract/api/device-logs'
import type { DeviceLog } from '@backhaul/contract/nouns/device-logs'
import { Checkbox, Modal, Textarea } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { describeFault } from '../../doors/api.ts'
import { useRecordForm } from '../../doors/forms.ts'
import { useRead } from '../../doors/reads.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { dateAndTime } from '../../ui/locale.ts'
import { toast } from '../../ui/toasts.tsx'
import { useValue } from '../../ui/value.ts'
import styles from './device-logs.module.css'
import { askedLogs, saveLog, sendLogs, stopLogs } from './device-logs.ts'

const refreshMs = 2000

export function LogsDialog() {
  const { t } = useTranslation('deviceLogs')
  const asked = useValue(askedLogs)
  const close = () => askedLogs.set(null)
  return (
    <Modal opened={asked !== null} onClose={close} title={t('title', { name: asked?.name })}>
      {asked ? <SendLogs key={asked.uid} unit={asked} onClose={close} /> : null}
    </Modal>
  )
}

interface SendLogsProps {
  unit: { uid: string; name: string; isRunning: boolean }
  onClose: () => void
}

function SendLogs({ unit, onClose }: SendLogsProps) {
  const { t } = useTranslation('deviceLogs')
  const mayWrite = useMay('operateUnits')
  const mayRead = useMay('administerDevices')
  const record = useRecordForm({
    start: () => ({ description: '', includeChannel: false }),
    save: (request) => (unit.isRunning ? stopLogs(unit.uid) : sendLogs(unit.uid, request)),
  })
  const { values, set, faults } = record

  return (
    <RecordForm
      record={record}
      mayWrite={mayWrite}
      okLabel={t(unit.isRunning ? 'stop' : 'send')}
      done={() => ({ title: t(unit.isRunning ? 'stopped' : 'sending'), text: unit.name })}
      onClose={onClose}
    >
      <div className="form-fields">
        {unit.isRunning ? (
          <p>{t('isRunning')}</p>
        ) : (
          <>
            <Textarea
              label={t('description')}
              description={t('descriptionHint')}
              error={faults.description}
              required
              data-autofocus
              autosize
              minRows={3}
              value={values.description}
              onChange={({ currentTarget }) => set({ description: currentTarget.value })}
            />
            <Checkbox
              label={t('includeChannel')}
              checked={values.includeChannel}
              onChange={({ currentTarget }) => set({ includeChannel: currentTarget.checked })}
            />
          </>
        )}
        {mayRead ? <Received uid={unit.uid} /> : null}
      </div>
    </RecordForm>
  )
}

function Received({ uid }: { uid: string }) {
  const { t } = useTranslation('deviceLogs')
  const { data = [] } = useRead(deviceLogs.ofUnit, { params: { id: uid } }, { everyMs: refreshMs })
  if (data.length === 0) return null
  return (
    <section>
      <h3>{t('received')}</h3>
      <ul className={styles.deviceLogs}>
        {data.map((log) => (
          <ReceivedLog key={log.id} log={log} />
        ))}
      </ul>
    </section>
  )
}

function ReceivedLog({ log }: { log: DeviceLog }) {
  const { t } = useTranslation('deviceLogs')
  const save = () => saveLog(log.id).catch((error) => toast({ ...describeFault(error), tone: 'critical' }))
  return (
    <li>
      <span className={styles.deviceLogText}>
        <span className="clip">{log.description}</span>
        <span className="quiet clip">
          {log.name} · {dateAndTime(new Date(log.startedAt))} · {log.by} · {t(`state.${log.state}`)}
        </span>
      </span>
      <button
        type="button"
        className="plain-button icon-button"
        disabled={log.bytes === 0}
        aria-label={t('save', { name: log.name })}
        data-tip={t('save', { name: log.name })}
        onClick={() => void save()}
      >
        <IconDownload size={16} />
      </button>
    </li>
  )
}
