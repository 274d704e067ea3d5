// The folders of a group, in a dialog over both lists of shares.
import { type ShareFolder, ShareFolderChange } from '@backhaul/contract/nouns/shares'
import { ActionIcon, Alert, Button, Select, TextInput } from '@mantine/core'
import { IconFolder, IconPencil, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Fault } from '../../doors/api.ts'
import { useRecordForm } from '../../doors/forms.ts'
import { useAct } from '../../kit/act.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { compareTexts } from '../../ui/locale.ts'
import styles from './shares.module.css'
import { addFolder, removeFolder, renameFolder, subscribers, useFolders, useGroupChoices } from './shares.ts'

export function FoldersButton() {
  const { t } = useTranslation('shares')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="plain-button tool-button" onClick={() => setOpen(true)}>
        <IconFolder size={16} aria-hidden />
        <span>{t('folders.title')}</span>
      </button>
      {isOpen ? <FoldersDialog onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function FoldersDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shares')
  const { choices, likely } = useGroupChoices()
  const [group, setGroup] = useState(likely)
  const act = useAct()
  const shown = useFolders()
    .filter((folder) => folder.group === group)
    .toSorted((a, b) => Number(b.root) - Number(a.root) || compareTexts(a.name, b.name))
  return (
    <Dialog onClose={onClose} title={t('folders.title')}>
      <div className="form-fields">
        <Select
          label={t('column.group')}
          data={choices}
          value={group}
          allowDeselect={false}
          searchable
          onChange={(chosen) => setGroup(chosen ?? '')}
        />
        <ul className={styles.shareFolders}>
          {shown.map((folder) => (
            <Folder
              key={folder.id}
              folder={folder}
              onRemove={() => void act.run(() => change(() => removeFolder(folder.id)))}
            />
          ))}
        </ul>
        <NameForm
          label={t('folders.newName')}
          button={t('folders.add')}
          save={(name) => change(() => addFolder(group, name))}
        />
        {act.words ? <Alert color="red">{act.words}</Alert> : null}
      </div>
    </Dialog>
  )
}

/** A subscriber shows the name of its folder. */
async function change(request: () => Promise<Fault | undefined>): Promise<Fault | undefined> {
  const fault = await request()
  if (fault === undefined) await subscribers.refresh()
  return fault
}

interface FolderProps {
  folder: ShareFolder
  onRemove: () => void
}

function Folder({ folder: { id, name, root }, onRemove }: FolderProps): ReactNode {
  const { t } = useTranslation('shares')
  const [isEdited, setEdited] = useState(false)
  if (isEdited)
    return (
      <li>
        <NameForm
          label={t('folders.newNameOf', { name })}
          button={t('folders.save')}
          before={name}
          save={(request) => change(() => renameFolder(id, request))}
          onSaved={() => setEdited(false)}
        />
      </li>
    )
  return (
    <li>
      <IconFolder size={16} aria-hidden />
      <span className="clip">{name}</span>
      {root ? (
        <span className="quiet">{t('folders.root')}</span>
      ) : (
        <>
          <ActionIcon
            variant="subtle"
            aria-label={t('folders.rename', { name })}
            onClick={() => setEdited(true)}
          >
            <IconPencil size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={t('folders.delete', { name })}
            onClick={onRemove}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </>
      )}
    </li>
  )
}

interface NameFormProps {
  label: string
  button: string
  before?: string
  /** Answers why the name was refused. */
  save: (name: string) => Promise<Fault | undefined>
  onSaved?: () => void
}

function NameForm({ label, button, before = '', save, onSaved }: NameFormProps) {
  const start = () => ({ name: before })
  const record = useRecordForm({ start, schema: ShareFolderChange, save: ({ name }) => save(name) })
  async function submit(): Promise<void> {
    if (!(await record.save())) return
    record.restart(start())
    onSaved?.()
  }
  return (
    <Form className={styles.shareName} onSubmit={() => void submit()}>
      <TextInput
        aria-label={label}
        placeholder={label}
        value={record.values.name}
        error={record.faults.name ?? record.unplaced}
        onChange={(event) => record.set({ name: event.currentTarget.value })}
      />
      <Button type="submit" variant="default" loading={record.busy}>
        {button}
      </Button>
    </Form>
  )
}
