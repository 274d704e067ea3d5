// The folders of a group, in a dialog over both lists of shares.
import type { ShareFolder } from '@backhaul/contract/nouns/shares'
import { ActionIcon, Alert, Button, Modal, Select, TextInput } from '@mantine/core'
import { IconFolder, IconPencil, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Fault } from '../../doors/api.ts'
import { useAct } from '../../kit/act.ts'
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
  const run = async (change: () => Promise<Fault | undefined>) => {
    const isDone = await act.run(change)
    // A subscriber shows the name of its folder.
    if (isDone) await subscribers.refresh()
    return isDone
  }
  return (
    <Modal opened onClose={onClose} title={t('folders.title')}>
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
            <Folder key={folder.id} folder={folder} run={run} />
          ))}
        </ul>
        <NameForm
          label={t('folders.newName')}
          button={t('folders.add')}
          onName={(name) => run(() => addFolder(group, name))}
        />
        {act.words ? <Alert color="red">{act.words}</Alert> : null}
      </div>
    </Modal>
  )
}

interface FolderProps {
  folder: ShareFolder
  run: (change: () => Promise<Fault | undefined>) => Promise<boolean>
}

function Folder({ folder: { id, name, root }, run }: FolderProps): ReactNode {
  const { t } = useTranslation('shares')
  const [isEdited, setEdited] = useState(false)
  if (isEdited)
    return (
      <li>
        <NameForm
          label={t('folders.newNameOf', { name })}
          button={t('folders.save')}
          before={name}
          onName={async (request) => {
            const isDone = await run(() => renameFolder(id, request))
            if (isDone) setEdited(false)
            return isDone
          }}
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
            onClick={() => void run(() => removeFolder(id))}
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
  /** Answers whether the name was taken. */
  onName: (name: string) => Promise<boolean>
}

function NameForm({ label, button, before = '', onName }: NameFormProps) {
  const [name, setName] = useState(before)
  return (
    <form
      className={styles.shareName}
      onSubmit={(event) => {
        event.preventDefault()
        void onName(name).then((isTaken) => isTaken && setName(before))
      }}
    >
      <TextInput
        aria-label={label}
        placeholder={label}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {button}
      </Button>
    </form>
  )
}
