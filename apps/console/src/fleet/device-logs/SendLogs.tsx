import { Checkbox, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Fault } from '../../doors/api.ts'
import { useRecordForm } from '../../doors/forms.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import { useMay } from '../../session/sign-ins/sign-ins.ts'

interface SendLogsProps {
  name: string
  /** They are being sent: the form offers to stop. */
  isRunning: boolean
  isClosed: boolean
  mayIncludeChannel: boolean
  send: (request: { description: string; includeChannel: boolean }) => Promise<Fault | undefined>
  stop: () => Promise<Fault | undefined>
  onClose: () => void
  children: ReactNode
}

/** The description, whether the channel's logs are included, and the logs received so far. */
export function SendLogs(props: SendLogsProps) {
  const { name, isRunning, isClosed, mayIncludeChannel, send, stop, onClose, children } = props
  const { t } = useTranslation('deviceLogs')
  const mayWrite = useMay('operateUnits')
  const record = useRecordForm({
    start: () => ({ description: '', includeChannel: false }),
    save: (request) => (isRunning ? stop() : send(request)),
  })
  const { values, set, faults } = record
  return (
    <RecordForm
      record={record}
      mayWrite={mayWrite && !isClosed}
      okLabel={t(isRunning ? 'stop' : 'send')}
      done={() => ({ title: t(isRunning ? 'stopped' : 'sending'), text: name })}
      onClose={onClose}
    >
      <div className="form-fields">
        {isRunning ? (
          <p>{t('isRunning', { name })}</p>
        ) : (
          <>
            <Textarea
              label={t('description')}
              description={t('descriptionHint')}
              error={faults.description}
              required
              disabled={isClosed}
              data-autofocus
              autosize
              minRows={3}
              value={values.description}
              onChange={({ currentTarget }) => set({ description: currentTarget.value })}
            />
            {mayIncludeChannel ? (
              <Checkbox
                label={t('includeChannel')}
                disabled={isClosed}
                checked={values.includeChannel}
                onChange={({ currentTarget }) => set({ includeChannel: currentTarget.checked })}
              />
            ) : null}
          </>
        )}
        {children}
      </div>
    </RecordForm>
  )
}
