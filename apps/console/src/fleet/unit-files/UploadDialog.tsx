// The metadata of files, entered before they are uploaded: it begins with what the unit would give them.
import { Metadata } from '@backhaul/contract/nouns/names'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { MetadataFields } from '../unit-settings/MetadataFields.tsx'
import { uploadFiles } from './unit-files.ts'

interface UploadDialogProps {
  unit: { uid: string; name: string; metadata: Readonly<Record<string, string>> }
  paths: readonly string[]
  onClose: () => void
}

export function UploadDialog({ unit, paths, onClose }: UploadDialogProps) {
  const { t } = useTranslation('unitFiles')
  const record = useRecordForm({
    start: () => ({ metadata: { ...unit.metadata } as Record<string, string> }),
    schema: Metadata,
    requestOf: ({ metadata }) => metadata,
    fieldOf: (name) => (name === '' ? 'metadata' : `metadata.${name}`),
    title: t('metadataFaults'),
    save: (metadata) => uploadFiles(unit.uid, paths, metadata),
  })
  return (
    <RecordDialog
      title={t('uploadTitle', { count: paths.length, unit: unit.name })}
      size={560}
      record={{ ...record, unplaced: record.words }}
      okLabel={t('uploadOne')}
      done={() => undefined}
      onClose={onClose}
    >
      <p className="quiet">{t('metadataHint')}</p>
      <MetadataFields
        legend={t('metadata')}
        start={record.values.metadata}
        fault={(name) => record.faults[name === undefined ? 'metadata' : `metadata.${name}`]}
        onChange={(metadata) => record.set({ metadata })}
      />
    </RecordDialog>
  )
}
