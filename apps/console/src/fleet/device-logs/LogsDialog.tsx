// Sending the logs of a unit or a channel, or opening a support case about the unit: one dialog (SC-MODAL-01, -02).
import { deviceLogs } from '@backhaul/contract/api/device-logs'
import { logRefusal } from '@backhaul/contract/nouns/device-logs'
import { caseRefusal } from '@backhaul/contract/nouns/support-cases'
import { Alert, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../doors/reads.ts'
import { useMay, useSignedIn } from '../../session/sign-ins/sign-ins.ts'
import { reasonText } from '../../texts/generic.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import { useValue } from '../../ui/value.ts'
import { useAccessNews } from '../access-approvals/access-approvals.ts'
import {
  type AskedChannel,
  type AskedUnit,
  askedLogs,
  sendChannelLogs,
  sendLogs,
  stopChannelLogs,
  stopLogs,
} from './device-logs.ts'
import { ReceivedLogs } from './ReceivedLogs.tsx'
import { SendLogs } from './SendLogs.tsx'
import { SupportCaseForm } from './SupportCaseForm.tsx'

const refreshMs = 2000

export function LogsDialog() {
  const { t } = useTranslation('deviceLogs')
  const asked = useValue(askedLogs)
  const close = () => askedLogs.set(null)
  const name = asked?.kind === 'unit' ? asked.unit.name : asked?.channel.name
  return (
    <Dialog opened={asked !== null} onClose={close} title={t('title', { name })}>
      {asked?.kind === 'unit' ? <OfUnit key={asked.unit.uid} unit={asked.unit} onClose={close} /> : null}
      {asked?.kind === 'channel' ? (
        <OfChannel key={asked.channel.uid} channel={asked.channel} onClose={close} />
      ) : null}
    </Dialog>
  )
}

function OfUnit({ unit, onClose }: { unit: AskedUnit; onClose: () => void }) {
  const { t } = useTranslation('deviceLogs')
  const mayRead = useMay('administerDevices')
  const email = useSignedIn()?.user.email ?? ''
  const isRunning = unit.applications?.fetchlogs !== undefined
  const logsClosed = isRunning ? undefined : logRefusal(unit)
  const caseClosed = caseRefusal(unit, email)
  const [chosen, setChosen] = useState<'logs' | 'case'>(logsClosed === undefined ? 'logs' : 'case')
  const closed = chosen === 'logs' ? logsClosed : caseClosed
  const {
    data = [],
    errorText,
    again,
  } = useRead(deviceLogs.ofUnit, { params: { id: unit.uid } }, { isAsked: mayRead, everyMs: refreshMs })
  useAccessNews(mayRead ? [unit.uid] : [], again)
  return (
    <div className="form-fields">
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={t('choice')}
        value={chosen}
        onChange={(value) => setChosen(value as typeof chosen)}
        data={[
          { value: 'logs', label: t('sendChoice') },
          { value: 'case', label: t('caseChoice') },
        ]}
      />
      {closed === undefined ? null : <Alert color="gray">{reasonText(closed)}</Alert>}
      {chosen === 'logs' ? (
        <SendLogs
          name={unit.name}
          isRunning={isRunning}
          isClosed={logsClosed !== undefined}
          mayIncludeChannel
          send={(request) => sendLogs(unit.uid, request)}
          stop={() => stopLogs(unit.uid)}
          onClose={onClose}
        >
          <ReceivedLogs logs={data} fault={errorText} />
        </SendLogs>
      ) : (
        <SupportCaseForm
          uid={unit.uid}
          email={email}
          isClosed={caseClosed !== undefined}
          logsClosed={logsClosed && reasonText(logsClosed)}
          onClose={onClose}
        />
      )}
    </div>
  )
}

function OfChannel({ channel, onClose }: { channel: AskedChannel; onClose: () => void }) {
  const about = { params: { id: channel.uid } }
  const { data, errorText, again } = useRead(deviceLogs.ofChannel, about, { everyMs: refreshMs })
  useAccessNews([channel.serverId], again)
  if (!data && errorText === undefined) return null
  if (!data)
    return (
      <>
        <Alert color="gray">{errorText}</Alert>
        <ModalFooter mayWrite={false} onCancel={onClose} />
      </>
    )
  return (
    <SendLogs
      name={channel.name}
      isRunning={data.some(({ state }) => state === 'running')}
      isClosed={false}
      mayIncludeChannel={false}
      send={({ description }) => sendChannelLogs(channel.uid, description)}
      stop={() => stopChannelLogs(channel.uid)}
      onClose={onClose}
    >
      <ReceivedLogs logs={data} fault={errorText} />
    </SendLogs>
  )
}
