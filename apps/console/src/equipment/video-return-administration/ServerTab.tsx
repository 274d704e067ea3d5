// Settings on the server of a channel, for all of its channels.
import { videoReturnAdministration as calls } from '@backhaul/contract/api/video-return-administration'
import { VrServerConfiguration } from '@backhaul/contract/nouns/video-return'
import { NumberInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { useRead } from '../../doors/reads.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import { configureServer } from './video-return-administration.ts'

interface ServerTabProps {
  serverId: string
  serverName: string
  onClose: () => void
}

const figures = ['firstPort', 'latencyMs', 'maxReturns'] as const

export function ServerTab({ serverId, serverName, onClose }: ServerTabProps) {
  const { t } = useTranslation('videoReturn')
  const params = { id: serverId }
  const { data: before, errorText } = useRead(calls.serverConfiguration, { params }, { isStart: true })
  const record = useRecordForm({
    start: (): Partial<Record<(typeof figures)[number], number | string>> => ({}),
    schema: VrServerConfiguration,
    requestOf: (typed) => ({ ...before, ...typed }),
    title: t('incomplete'),
    save: (request) => configureServer(serverId, request),
  })
  const form = { ...before, ...record.values }

  return (
    <RecordForm
      record={record}
      fault={errorText}
      mayWrite={before !== undefined}
      done={() => ({ title: t('serverSaved'), text: serverName })}
      onClose={onClose}
    >
      <div className="dialog-part">
        <p className="quiet">{t('serverHint', { name: serverName })}</p>
        {figures.map((figure) => (
          <NumberInput
            key={figure}
            label={t(`server.${figure}`)}
            value={form[figure] ?? ''}
            error={record.faults[figure]}
            disabled={before === undefined}
            required
            allowDecimal={false}
            clampBehavior="none"
            onChange={(value) => record.set({ [figure]: value })}
          />
        ))}
      </div>
    </RecordForm>
  )
}
