// A service of a customer as the vendor gives it: plan, status, end, limit, and the package with what is used of it.
import {
  isMeasured,
  type ManagedService,
  ManagedServiceStatus,
  NamedServiceChange,
  PlanType,
  UsageType,
} from '@backhaul/contract/nouns/services'
import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { changesOf, formOf, type ServiceForm } from './service-form.ts'
import { labelOf } from './service-words.ts'
import { saveService } from './services.ts'

interface ServiceDialogProps {
  /** null: one that has no label here. */
  service: ManagedService | null
  inventory: string
  onTake: () => void
  onClose: () => void
}

export function ServiceDialog({ service, inventory, onTake, onClose }: ServiceDialogProps) {
  const { t } = useTranslation('services')
  const [before] = useState(() => formOf(service))
  const isNew = service === null || service.status === 'na'
  const record = useRecordForm({
    start: () => before,
    schema: NamedServiceChange,
    requestOf: (form) => changesOf(before, form, isNew),
    title: t('customer.incomplete'),
    save: (request) => saveService(inventory, request, isNew),
  })
  const { values: form, set, faults } = record

  return (
    <RecordDialog
      inParts
      title={service ? labelOf(t, service.name) : t('customer.other')}
      record={record}
      done={() => ({
        title: t(isNew ? 'customer.given' : 'customer.changed'),
        text: labelOf(t, form.name),
      })}
      okLabel={isNew ? t('customer.give') : undefined}
      onRemove={isNew ? undefined : onTake}
      onClose={onClose}
    >
      <div className="form-fields">
        {service === null ? (
          <TextInput
            label={t('columns.name')}
            description={t('customer.nameHint')}
            value={form.name}
            error={faults.name}
            required
            data-autofocus
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
        ) : null}
        <ServiceFields form={form} onForm={set} faults={faults} />
      </div>
    </RecordDialog>
  )
}

interface ServiceFieldsProps {
  form: ServiceForm
  onForm: (changes: Partial<ServiceForm>) => void
  faults: Readonly<Record<string, string>>
}

function ServiceFields({ form, onForm, faults }: ServiceFieldsProps) {
  const { t } = useTranslation('services')
  const unit = form.usageType === 'data' ? 'GB' : 'h'
  return (
    <>
      <NativeSelect
        label={t('columns.plan')}
        value={form.plan}
        error={faults.plan}
        onChange={(event) => onForm({ plan: event.currentTarget.value as ServiceForm['plan'] })}
        data={[
          { value: '', label: t('customer.noPlan') },
          ...PlanType.options.map((value) => ({ value, label: t(`plan.${value}`) })),
        ]}
      />
      <NativeSelect
        label={t('columns.state')}
        value={form.status}
        error={faults.status}
        onChange={(event) => onForm({ status: ManagedServiceStatus.parse(event.currentTarget.value) })}
        data={ManagedServiceStatus.options.map((value) => ({ value, label: t(`status.${value}`) }))}
      />
      <TextInput
        type="date"
        label={t('columns.expiration')}
        description={t('customer.expirationHint')}
        value={form.expiration}
        error={faults.expiration}
        onChange={(event) => onForm({ expiration: event.currentTarget.value })}
      />
      <TextInput
        label={t('columns.renewal')}
        value={form.renewal}
        error={faults.renewal}
        onChange={(event) => onForm({ renewal: event.currentTarget.value })}
      />
      <NumberInput
        label={t('columns.instanceLimit')}
        description={t('customer.noLimit')}
        value={form.instanceLimit}
        error={faults.instanceLimit}
        min={0}
        allowDecimal={false}
        onChange={(instanceLimit) => onForm({ instanceLimit })}
      />
      <NativeSelect
        label={t('customer.usageType')}
        value={form.usageType}
        error={faults.usageType}
        onChange={(event) => onForm({ usageType: UsageType.parse(event.currentTarget.value) })}
        data={UsageType.options.map((value) => ({ value, label: t(`customer.usage.${value}`) }))}
      />
      {form.usageType === 'na' ? null : (
        <>
          <NumberInput
            label={`${t('customer.packageSize')} (${unit})`}
            description={t('customer.noLimit')}
            value={form.packageSize}
            error={faults.packageSize}
            min={0}
            onChange={(packageSize) => onForm({ packageSize })}
          />
          {isMeasured({ plan: form.plan || null, usageType: form.usageType }) ? (
            <p className="quiet">{t('customer.measured')}</p>
          ) : (
            <NumberInput
              label={`${t('columns.usage')} (${unit})`}
              value={form.usedData}
              error={faults.usedData}
              min={0}
              onChange={(usedData) => onForm({ usedData })}
            />
          )}
        </>
      )}
    </>
  )
}
