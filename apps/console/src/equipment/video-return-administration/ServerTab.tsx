// What is set on the server of a channel, for all of its channels.
import { videoReturnAdministration as calls } from '@backhaul/contract/api/video-return-administration'
import { VrServerConfiguration } from '@backhaul/contract/nouns/video-return'
import { NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../doors/forms.ts'
import { useRead } from '../../doors/reads.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
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
  const [typed, setTyped] = useState<Partial<Record<(typeof figures)[number], number | string>>>({})
  const form = { ...before, ...typed }
  const saving = useSaving()

  async function save(): Promise<void> {
    const saved = await saving.runChecked({
      schema: VrServerConfiguration,
      typed: form,
      title: t('incomplete'),
      ask: (wish) => configureServer(serverId, wish),
    })
    if (!saved) return
    toast({ title: t('serverSaved'), text: serverName, tone: 'good' })
    onClose()
  }

  return (
    <DialogForm
      mayWrite
      fault={saving.unplaced ?? errorText}
      busy={saving.busy}
      onCancel={onClose}
      onOk={() => void save()}
    >
      <div className="dialog-part">
        <p className="quiet">{t('serverHint', { name: serverName })}</p>
        {figures.map((figure) => (
          <NumberInput
            key={figure}
            label={t(`server.${figure}`)}
            value={form[figure] ?? ''}
            error={saving.faults[figure]}
            required
            allowDecimal={false}
            clampBehavior="none"
            onChange={(value) => setTyped({ ...typed, [figure]: value })}
          />
        ))}
      </div>
    </DialogForm>
  )
}
