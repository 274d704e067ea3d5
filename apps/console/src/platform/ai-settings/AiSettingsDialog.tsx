// AI settings: a provider and, where it is not the built-in one, where it is and how it is asked.
import { AiProvider, type AiSettings, NewAiSettings } from '@backhaul/contract/nouns/ai'
import { NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { saveSettings } from './ai-settings.ts'

interface AiSettingsDialogProps {
  /** null: new ones. */
  settings: AiSettings | null
  onDelete: () => void
  onClose: () => void
}

export function AiSettingsDialog({ settings, onDelete, onClose }: AiSettingsDialogProps) {
  const { t } = useTranslation('ai')
  const record = useRecordForm({
    start: (): NewAiSettings => ({
      name: settings?.name ?? '',
      provider: settings?.provider ?? 'local',
      endpoint: settings?.endpoint ?? '',
      model: settings?.model ?? '',
      secret: '',
    }),
    schema: NewAiSettings,
    title: t('incomplete'),
    save: (request) => saveSettings(settings, request),
  })
  const { values: form, set, faults } = record

  return (
    <RecordDialog
      title={t(settings ? 'editTitle' : 'addTitle')}
      size={560}
      record={record}
      done={(saved) => ({ title: t('saved'), text: saved.name })}
      onDelete={settings ? onDelete : undefined}
      onClose={onClose}
    >
      <div className="form-fields">
        <TextInput
          label={t('field.name')}
          value={form.name}
          error={faults.name}
          required
          data-autofocus
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <NativeSelect
          label={t('field.provider')}
          description={t(`providerHint.${form.provider}`)}
          data={AiProvider.options.map((value) => ({ value, label: t(`provider.${value}`) }))}
          value={form.provider}
          error={faults.provider}
          onChange={(event) => set({ provider: AiProvider.parse(event.currentTarget.value) })}
        />
        {form.provider === 'http' ? <Place form={form} onForm={set} faults={faults} kept={settings} /> : null}
      </div>
    </RecordDialog>
  )
}

interface PlaceProps {
  form: NewAiSettings
  onForm: (changes: Partial<NewAiSettings>) => void
  faults: Readonly<Record<string, string>>
  kept: AiSettings | null
}

function Place({ form, onForm, faults, kept }: PlaceProps) {
  const { t } = useTranslation('ai')
  return (
    <>
      <TextInput
        label={t('field.endpoint')}
        placeholder="https://"
        value={form.endpoint}
        error={faults.endpoint}
        required
        onChange={(event) => onForm({ endpoint: event.currentTarget.value })}
      />
      <TextInput
        label={t('field.model')}
        value={form.model}
        error={faults.model}
        onChange={(event) => onForm({ model: event.currentTarget.value })}
      />
      <PasswordInput
        label={t('field.secret')}
        description={t(kept?.hasSecret ? 'secretKept' : 'secretHint')}
        value={form.secret}
        error={faults.secret}
        autoComplete="new-password"
        onChange={(event) => onForm({ secret: event.currentTarget.value })}
      />
    </>
  )
}
