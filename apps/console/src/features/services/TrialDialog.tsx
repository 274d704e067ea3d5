import { groups as groupCalls } from '@backhaul/contract/api/groups'
import {
  GRAPHICS_TRIAL_HOURS,
  type KnownService,
  type ManagedService,
  serviceNames,
  TRIAL_DAYS,
} from '@backhaul/contract/nouns/services'
import { Modal, NativeSelect } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, describeFault } from '../../doors/api.ts'
import { useSaving } from '../../doors/forms.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
import { labelOf } from './service-words.ts'
import { servicesOf, startTrial } from './services.ts'

/** What is on no trial yet, was on none and is not in force. */
const mayTry = ({ trial, state, name }: ManagedService): boolean =>
  !trial && (state === null || state === 'expired') && (serviceNames as readonly string[]).includes(name)

/** Starts the one trial that a customer has of a service. */
export function TrialDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('services')
  const [inventories, setInventories] = useState<readonly { id: string; name: string }[]>([])
  const [inventory, setInventory] = useState('')
  const [services, setServices] = useState<readonly ManagedService[]>()
  const [chosen, setChosen] = useState('')
  const saving = useSaving()
  const id = inventory || (inventories[0]?.id ?? '')
  const choices = (services ?? []).filter(mayTry)
  const name = (choices.find((service) => service.name === chosen) ?? choices[0])?.name

  const fail = (error: unknown) => saving.refuse(describeFault(error))
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when the dialog opens
  useEffect(() => {
    call(groupCalls.inventories, { query: { limit: 500 } }).then(setInventories, fail)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: read for each inventory that is chosen
  useEffect(() => {
    if (id !== '') servicesOf(id).then(setServices, fail)
  }, [id])

  async function start(): Promise<void> {
    if (name === undefined) return
    if (!(await saving.run(() => startTrial(id, name as KnownService)))) return
    toast({ title: t('trial.started'), text: labelOf(t, name), tone: 'good' })
    onClose()
  }

  return (
    <Modal opened onClose={onClose} title={t('trial.title')}>
      <DialogForm
        mayWrite={name !== undefined}
        fault={saving.words}
        busy={saving.busy}
        okLabel={t('trial.ok')}
        onCancel={onClose}
        onOk={() => void start()}
      >
        <div className="service-form">
          {inventories.length > 1 ? (
            <NativeSelect
              label={t('columns.inventoryName')}
              value={id}
              onChange={(event) => setInventory(event.currentTarget.value)}
              data={inventories.map((one) => ({ value: one.id, label: one.name }))}
            />
          ) : null}
          {services !== undefined && choices.length === 0 ? (
            <p>{t('trial.none')}</p>
          ) : (
            <NativeSelect
              label={t('columns.name')}
              value={name ?? ''}
              data-autofocus
              onChange={(event) => setChosen(event.currentTarget.value)}
              data={choices.map((service) => ({ value: service.name, label: labelOf(t, service.name) }))}
            />
          )}
          <p className="quiet">
            {name === 'graphics'
              ? t('trial.hours', { count: GRAPHICS_TRIAL_HOURS })
              : t('trial.days', { count: TRIAL_DAYS })}
          </p>
        </div>
      </DialogForm>
    </Modal>
  )
}
