import { GRAPHICS_TRIAL_HOURS, type ManagedService, TRIAL_DAYS } from '@backhaul/contract/nouns/services'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { labelOf } from './service-texts.ts'
import { startTrial } from './services.ts'

/** Starts the one trial that a customer has of a service. */
export function TrialDialog({ service, onClose }: { service: ManagedService; onClose: () => void }) {
  const { t } = useTranslation('services')
  const { name, inventoryName } = service
  const lasts =
    name === 'graphics'
      ? t('trial.hours', { count: GRAPHICS_TRIAL_HOURS })
      : t('trial.days', { count: TRIAL_DAYS })

  return (
    <ConfirmDialog
      title={t('trial.title', { name: labelOf(t, name) })}
      text={`${t('trial.for', { inventory: inventoryName })} ${lasts}`}
      okLabel={t('trial.ok')}
      isHarmless
      run={() => startTrial(service)}
      done={{ title: t('trial.started'), text: labelOf(t, name) }}
      onClose={onClose}
    />
  )
}
