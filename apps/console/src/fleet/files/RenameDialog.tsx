import { type ChannelFile, FILE_NAME_LENGTH } from '@backhaul/contract/nouns/files'
import { Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../doors/forms.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
import { renameFile } from './files.ts'

/** Gives a file another name; its ending stands behind the field and stays. */
export function RenameDialog({ file, onClose }: { file: ChannelFile; onClose: () => void }) {
  const { t } = useTranslation('files')
  const ending = /\.\w+$/.exec(file.fileName)?.[0] ?? ''
  const [name, setName] = useState(file.fileName.slice(0, file.fileName.length - ending.length))
  const saving = useSaving()

  async function save(): Promise<void> {
    if (!(await saving.run(() => renameFile(file.fileId, `${name.trim()}${ending}`)))) return
    toast({ title: t('renamed'), text: `${name.trim()}${ending}`, tone: 'good' })
    onClose()
  }

  return (
    <Modal opened onClose={onClose} title={t('renameTitle', { name: file.fileName })}>
      <DialogForm
        mayWrite
        fault={saving.words}
        busy={saving.busy}
        onCancel={onClose}
        onOk={() => void save()}
      >
        <TextInput
          data-autofocus
          label={t('newName')}
          value={name}
          maxLength={FILE_NAME_LENGTH - ending.length}
          rightSection={<span className="quiet">{ending}</span>}
          rightSectionWidth={56}
          error={saving.faults.newFileName}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </DialogForm>
    </Modal>
  )
}
