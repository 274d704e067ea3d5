// AI settings: a provider and, where it is not the built-in one, its endpoint, model and secret.
import { AiProvider, type AiSettings, NewAiSettings } from '@backhaul/contract/nouns/ai'
import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type FieldsOf, useRecordForm } from '../../doors/forms.ts'
import type { ItemEnds } from '../../kit/EditedListScreen.tsx'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { SecretField } from '../../kit/SecretField.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { saveSettings } from './ai-settings.ts'

interface AiSettingsDialogProps extends ItemEnds {
  /** null: new ones. */
  settings: AiSettings | null
}

export function AiSettingsDialog({ settings, ...ends }: AiSettingsDialogProps) {
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
      {...ends}
    >
      <div className="form-fields">
        <TextField record={record} name="name" label={t('field.name')} required data-autofocus />
        <NativeSelect
          label={t('field.provider')}
          description={t(`providerHint.${form.provider}`)}
          data={AiProvider.options.map((value) => ({ value, label: t(`provider.${value}`) }))}
          value={form.provider}
          error={faults.provider}
          onChange={(event) => set({ provider: AiProvider.parse(event.currentTarget.value) })}
        />
        {form.provider === 'http' ? <Place record={record} kept={settings} /> : null}
      </div>
    </RecordDialog>
  )
}

function Place({ record, kept }: { record: FieldsOf<NewAiSettings>; kept: AiSettings | null }) {
  const { t } = useTranslation('ai')
  return (
    <>
      <TextField
        record={record}
        name="endpoint"
        label={t('field.endpoint')}
        placeholder="https://"
        required
      />
      <TextField record={record} name="model" label={t('field.model')} />
      <SecretField
        record={record}
        label={t('field.secret')}
        isKept={kept?.hasSecret === true}
        hint={t('secretHint')}
      />
    </>
  )
}
