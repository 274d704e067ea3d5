import type { DeviceLog } from '@backhaul/contract/nouns/device-logs'
import { Alert } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { describeFault } from '../../doors/api.ts'
import { dateAndTime } from '../../ui/locale.ts'
import { toast } from '../../ui/toasts.tsx'
import styles from './device-logs.module.css'
import { saveLog } from './device-logs.ts'

interface ReceivedLogsProps {
  logs: readonly DeviceLog[]
  /** Why they cannot be read now; those that were read before are kept. */
  fault: string | undefined
}

/** Empty while there are none. */
export function ReceivedLogs({ logs, fault }: ReceivedLogsProps) {
  return (
    <>
      {fault === undefined ? null : <Alert color="gray">{fault}</Alert>}
      {logs.length === 0 ? null : <List logs={logs} />}
    </>
  )
}

function List({ logs }: { logs: readonly DeviceLog[] }) {
  const { t } = useTranslation('deviceLogs')
  return (
    <section>
      <h3>{t('received')}</h3>
      <ul className={styles.deviceLogs}>
        {logs.map((log) => (
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
