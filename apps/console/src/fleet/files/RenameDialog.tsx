import { type ChannelFile, FILE_NAME_LENGTH } from '@backhaul/contract/nouns/files'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { renameFile } from './files.ts'

/** Gives a file another name; its extension is shown behind the field and is kept. */
export function RenameDialog({ file, onClose }: { file: ChannelFile; onClose: () => void }) {
  const { t } = useTranslation('files')
  const ending = /\.\w+$/.exec(file.fileName)?.[0] ?? ''
  const record = useRecordForm({
    start: () => ({ newFileName: file.fileName.slice(0, file.fileName.length - ending.length) }),
    requestOf: ({ newFileName }) => ({ newFileName: `${newFileName.trim()}${ending}` }),
    save: (request) => renameFile(file.fileId, request.newFileName),
  })

  return (
    <RecordDialog
      title={t('renameTitle', { name: file.fileName })}
      record={record}
      done={(saved) => ({ title: t('renamed'), text: saved.newFileName })}
      onClose={onClose}
    >
      <TextField
        record={record}
        name="newFileName"
        data-autofocus
        label={t('newName')}
        maxLength={FILE_NAME_LENGTH - ending.length}
        rightSection={<span className="quiet">{ending}</span>}
        rightSectionWidth={56}
      />
    </RecordDialog>
  )
}
