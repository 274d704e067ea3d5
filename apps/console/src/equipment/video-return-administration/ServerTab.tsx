// What is set on the server of a channel, for all of its channels.
import { VrServerConfiguration } from '@backhaul/contract/nouns/video-return'
import { NumberInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describeFault } from '../../doors/api.ts'
import { useSaving } from '../../doors/forms.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
import { configureServer, serverConfiguration } from './video-return-administration.ts'

interface ServerTabProps {
  serverId: string
  serverName: string
  onClose: () => void
}

const figures = ['firstPort', 'latencyMs', 'maxReturns'] as const

export function ServerTab({ serverId, serverName, onClose }: ServerTabProps) {
  const { t } = useTranslation('videoReturn')
  const [form, setForm] = useState<Partial<Record<(typeof figures)[number], number | string>>>({})
  const saving = useSaving()
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once for each server
  useEffect(() => {
    serverConfiguration(serverId).then(setForm, (error) => saving.refuse(describeFault(error)))
  }, [serverId])

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
      fault={saving.unplaced}
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
            onChange={(value) => setForm({ ...form, [figure]: value })}
          />
        ))}
      </div>
    </DialogForm>
  )
}
