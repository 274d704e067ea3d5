// One target: where it is, how it is signed in to, and what is sent there by itself.
import {
  type FileTarget,
  FileTargetKind,
  NewFileTarget,
  SentMetadata,
} from '@backhaul/contract/nouns/file-targets'
import { Checkbox, NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type FieldsOf, useRecordForm } from '../../doors/forms.ts'
import type { ItemEnds } from '../../kit/EditedListScreen.tsx'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { SecretField } from '../../kit/SecretField.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { saveTarget } from './file-targets.ts'

interface FileTargetDialogProps extends ItemEnds {
  inventory: string
  /** null: a new one. */
  target: FileTarget | null
}

export function FileTargetDialog({ inventory, target, ...ends }: FileTargetDialogProps) {
  const { t } = useTranslation('fileTargets')
  const record = useRecordForm({
    start: (): NewFileTarget => ({
      name: target?.name ?? '',
      kind: target?.kind ?? 'ftp',
      address: target?.address ?? '',
      username: target?.username ?? '',
      region: target?.region ?? '',
      hostKey: target?.hostKey ?? '',
      sentMetadata: target?.sentMetadata ?? 'none',
      sendsAll: target?.sendsAll ?? false,
      secret: '',
    }),
    schema: NewFileTarget,
    title: t('incomplete'),
    save: (request) => saveTarget(inventory, target, request),
  })
  const { values: form, set, faults } = record

  return (
    <RecordDialog
      title={t(target ? 'editTitle' : 'addTitle')}
      size={560}
      record={record}
      done={(saved) => ({ title: t('saved'), text: saved.name })}
      {...ends}
    >
      <div className="form-fields">
        <TextField record={record} name="name" label={t('field.name')} required data-autofocus />
        <NativeSelect
          label={t('field.kind')}
          data={FileTargetKind.options.map((value) => ({ value, label: t(`kind.${value}`) }))}
          value={form.kind}
          disabled={target !== null}
          description={target ? t('kindStays') : undefined}
          onChange={(event) =>
            set({ kind: FileTargetKind.parse(event.currentTarget.value), address: form.address })
          }
        />
        <TextField
          record={record}
          name="address"
          label={t('field.address')}
          description={t(`addressHint.${form.kind}`)}
          placeholder={t(`addressExample.${form.kind}`)}
          required
        />
        <SignIn record={record} kept={target} />
        <NativeSelect
          label={t('field.sentMetadata')}
          description={t('metadataHint')}
          data={SentMetadata.options.map((value) => ({ value, label: t(`metadata.${value}`) }))}
          value={form.sentMetadata}
          error={faults.sentMetadata}
          onChange={(event) => set({ sentMetadata: SentMetadata.parse(event.currentTarget.value) })}
        />
        <Checkbox
          label={t('field.sendsAll')}
          description={t('sendsAllHint')}
          checked={form.sendsAll}
          onChange={(event) => set({ sendsAll: event.currentTarget.checked })}
        />
      </div>
    </RecordDialog>
  )
}

function SignIn({ record, kept }: { record: FieldsOf<NewFileTarget>; kept: FileTarget | null }) {
  const { t } = useTranslation('fileTargets')
  const { kind } = record.values
  return (
    <>
      <TextField record={record} name="username" label={t(`username.${kind}`)} autoComplete="off" />
      <SecretField
        record={record}
        label={t(`secret.${kind}`)}
        isKept={kept?.hasSecret === true}
        isLong={kind === 'sftp'}
      />
      {kind === 'sftp' ? (
        <TextField
          record={record}
          name="hostKey"
          label={t('field.hostKey')}
          description={t('hostKeyHint')}
          placeholder={t('hostKeyExample')}
        />
      ) : null}
      {kind === 's3' ? (
        <TextField record={record} name="region" label={t('field.region')} placeholder={t('regionExample')} />
      ) : null}
    </>
  )
}
