import { GRAPHICS_TRIAL_HOURS, type ManagedService, TRIAL_DAYS } from '@backhaul/contract/nouns/services'
import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../doors/forms.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
import { labelOf } from './service-words.ts'
import { startTrial } from './services.ts'

/** Starts the one trial that a customer has of a service. */
export function TrialDialog({ service, onClose }: { service: ManagedService; onClose: () => void }) {
  const { t } = useTranslation('services')
  const saving = useSaving()
  const { name, inventoryName } = service

  async function start(): Promise<void> {
    if (!(await saving.run(() => startTrial(service)))) return
    toast({ title: t('trial.started'), text: labelOf(t, name), tone: 'good' })
    onClose()
  }

  return (
    <Modal opened onClose={onClose} title={t('trial.title', { name: labelOf(t, name) })}>
      <DialogForm
        mayWrite
        fault={saving.words}
        busy={saving.busy}
        okLabel={t('trial.ok')}
        onCancel={onClose}
        onOk={() => void start()}
      >
        <p>{t('trial.for', { inventory: inventoryName })}</p>
        <p>
          {name === 'graphics'
            ? t('trial.hours', { count: GRAPHICS_TRIAL_HOURS })
            : t('trial.days', { count: TRIAL_DAYS })}
        </p>
      </DialogForm>
    </Modal>
  )
}
