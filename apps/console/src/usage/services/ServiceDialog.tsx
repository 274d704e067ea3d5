// A service of a customer as the vendor gives it: plan, status, end, limit, and the package with what is used of it.
import {
  isMeasured,
  type ManagedService,
  ManagedServiceStatus,
  NamedServiceChange,
  PlanType,
  UsageType,
} from '@backhaul/contract/nouns/services'
import { NativeSelect, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FieldsOf, useRecordForm } from '../../doors/forms.ts'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { bodyOf, formOf, type ServiceForm } from './service-form.ts'
import { labelOf } from './service-texts.ts'
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
    requestOf: (form) => bodyOf(before, form, isNew),
    title: t('customer.incomplete'),
    save: (request) => saveService(inventory, request, isNew),
  })

  return (
    <RecordDialog
      inParts
      title={service ? labelOf(t, service.name) : t('customer.other')}
      record={record}
      done={() => ({
        title: t(isNew ? 'customer.given' : 'customer.changed'),
        text: labelOf(t, record.values.name),
      })}
      okLabel={isNew ? t('customer.give') : undefined}
      onRemove={isNew ? undefined : onTake}
      onClose={onClose}
    >
      <div className="form-fields">
        {service === null ? (
          <TextField
            record={record}
            name="name"
            label={t('columns.name')}
            description={t('customer.nameHint')}
            required
            data-autofocus
          />
        ) : null}
        <ServiceFields record={record} />
      </div>
    </RecordDialog>
  )
}

function ServiceFields({ record }: { record: FieldsOf<ServiceForm> }) {
  const { values: form, set, faults } = record
  const { t } = useTranslation('services')
  const unit = form.usageType === 'data' ? 'GB' : 'h'
  return (
    <>
      <NativeSelect
        label={t('columns.plan')}
        value={form.plan}
        error={faults.plan}
        onChange={(event) => set({ plan: event.currentTarget.value as ServiceForm['plan'] })}
        data={[
          { value: '', label: t('customer.noPlan') },
          ...PlanType.options.map((value) => ({ value, label: t(`plan.${value}`) })),
        ]}
      />
      <NativeSelect
        label={t('columns.state')}
        value={form.status}
        error={faults.status}
        onChange={(event) => set({ status: ManagedServiceStatus.parse(event.currentTarget.value) })}
        data={ManagedServiceStatus.options.map((value) => ({ value, label: t(`status.${value}`) }))}
      />
      <TextField
        record={record}
        name="expiration"
        type="date"
        label={t('columns.expiration')}
        description={t('customer.expirationHint')}
      />
      <TextField record={record} name="renewal" label={t('columns.renewal')} />
      <NumberInput
        label={t('columns.instanceLimit')}
        description={t('customer.noLimit')}
        value={form.instanceLimit}
        error={faults.instanceLimit}
        min={0}
        allowDecimal={false}
        onChange={(instanceLimit) => set({ instanceLimit })}
      />
      <NativeSelect
        label={t('customer.usageType')}
        value={form.usageType}
        error={faults.usageType}
        onChange={(event) => set({ usageType: UsageType.parse(event.currentTarget.value) })}
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
            onChange={(packageSize) => set({ packageSize })}
          />
          {isMeasured({ plan: form.plan || null, usageType: form.usageType }) ? (
            <p className="quiet">{t('customer.measured')}</p>
          ) : (
            <NumberInput
              label={`${t('columns.usage')} (${unit})`}
              value={form.usedData}
              error={faults.usedData}
              min={0}
              onChange={(usedData) => set({ usedData })}
            />
          )}
        </>
      )}
    </>
  )
}
