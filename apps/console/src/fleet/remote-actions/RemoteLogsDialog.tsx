import { deviceLogs } from '@backhaul/contract/api/device-logs'
import type { RemoteDevice } from '@backhaul/contract/nouns/remote-actions'
import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../doors/reads.ts'
import { givenReason } from '../../texts/generic.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { useAccessNews } from '../access-approvals/access-approvals.ts'
import { stopLogs } from '../device-logs/device-logs.ts'
import { ReceivedLogs } from '../device-logs/ReceivedLogs.tsx'
import { SendLogs } from '../device-logs/SendLogs.tsx'
import { actOn, refusalOf } from './remote-actions.ts'

const refreshMs = 2000

/** Requests the logs of a unit, and saves those that have been received, also while none can be sent. */
export function RemoteLogsDialog({ device, onClose }: { device: RemoteDevice; onClose: () => void }) {
  const { t } = useTranslation('deviceLogs')
  const about = { params: { id: device.device } }
  const { data = [], errorText, again } = useRead(deviceLogs.ofUnit, about, { everyMs: refreshMs })
  useAccessNews([device.device], again)
  const isRunning = data.some(({ source, state }) => source === 'unit' && state === 'running')
  const closed = isRunning ? undefined : refusalOf(device, 'sendLogs')
  const reason = closed && givenReason({ reason: closed.refusal, cause: closed.cause })
  return (
    <Dialog onClose={onClose} title={t('title', { name: device.name })}>
      <div className="form-fields">
        {reason === undefined ? null : <Alert color="gray">{reason}</Alert>}
        <SendLogs
          name={device.name}
          isRunning={isRunning}
          isClosed={reason !== undefined}
          mayIncludeChannel={false}
          send={({ description }) => actOn(device, 'sendLogs', { description })}
          stop={() => stopLogs(device.device)}
          onClose={onClose}
        >
          <ReceivedLogs logs={data} fault={errorText === reason ? undefined : errorText} />
        </SendLogs>
      </div>
    </Dialog>
  )
}
