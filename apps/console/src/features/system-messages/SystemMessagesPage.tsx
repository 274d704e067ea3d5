// /psg/system_settings/client_notification: what vendor staff tells everyone, or the people of one inventory.
import type { WrittenNotification } from '@backhaul/contract/nouns/notifications'
import { IconPlus } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts, dateAndTime } from '../../ui/locale.ts'
import { useValue } from '../../ui/value.ts'
import { loadInventoryNames } from '../inventory-names/inventory-names.ts'
import { ConfirmDialog } from '../lists/ConfirmDialog.tsx'
import { ListScreen } from '../preferences/ListScreen.tsx'
import { expiryWords } from './MessageBell.tsx'
import { MessageDialog } from './MessageDialog.tsx'
import { removeMessage, writtenMessages } from './system-messages.ts'

type Dialog =
  | { kind: 'edit'; message: WrittenNotification | null }
  | { kind: 'delete'; message: WrittenNotification }
  | null

export function SystemMessagesPage() {
  const { t } = useTranslation('systemMessages')
  const { state, text: fault } = useValue(writtenMessages.state)
  const [text, setText] = useState('')
  const [dialog, setDialog] = useState<Dialog>(null)
  const columns = useMemo(() => columnsOf(t), [t])
  const matches = useMemo(() => matcher(text), [text])
  useEffect(() => {
    void writtenMessages.load()
    loadInventoryNames().catch(() => {})
  }, [])
  const withMessage = (kind: 'edit' | 'delete') => (id: string) => {
    const message = writtenMessages.store.get(id)
    if (message) setDialog({ kind, message })
  }
  const [edit, remove] = [withMessage('edit'), withMessage('delete')]
  const close = () => setDialog(null)
  const add = (
    <button
      type="button"
      className="plain-button tool-button"
      onClick={() => setDialog({ kind: 'edit', message: null })}
    >
      <IconPlus size={16} aria-hidden />
      <span>{t('add')}</span>
    </button>
  )
  return (
    <ListScreen
      gridId="systemMessages"
      search={{ label: t('search'), text, onText: setText }}
      actions={add}
      label={t('title')}
      store={writtenMessages.store}
      columns={columns}
      defaultCompare={byNewest}
      filter={matches}
      onOpen={edit}
      rowMenu={(id) => [
        { id: 'edit', label: t('edit'), run: () => edit(id) },
        { id: 'delete', label: t('delete'), run: () => remove(id) },
      ]}
      state={state}
      errorText={fault}
      onRetry={() => void writtenMessages.load()}
      empty={{ ...t('empty', { returnObjects: true }), action: add }}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="system-messages"
    >
      {dialog?.kind === 'edit' ? (
        <MessageDialog
          key={dialog.message?.id ?? 'new'}
          message={dialog.message}
          onDelete={(message) => setDialog({ kind: 'delete', message })}
          onClose={close}
        />
      ) : null}
      {dialog?.kind === 'delete' ? (
        <ConfirmDialog
          title={t('deleteTitle')}
          text={dialog.message.body}
          okLabel={t('delete')}
          run={() => removeMessage(dialog.message.id)}
          done={{ title: t('deleted'), text: '' }}
          onClose={close}
        />
      ) : null}
    </ListScreen>
  )
}

const byNewest = (a: WrittenNotification, b: WrittenNotification): number =>
  compareTexts(b.createdOn, a.createdOn)

const matcher = (text: string) => {
  const wanted = text.trim().toLowerCase()
  return ({ body, inventoryName }: WrittenNotification) =>
    `${body}\n${inventoryName ?? ''}`.toLowerCase().includes(wanted)
}

function columnsOf(t: TFunction<'systemMessages'>): readonly GridColumn<WrittenNotification>[] {
  const words = (
    id: 'body' | 'audience' | 'marks' | 'intervals',
    width: number,
    text: (message: WrittenNotification) => string,
  ): GridColumn<WrittenNotification> => ({
    id,
    title: t(`column.${id}`),
    width,
    render: text,
    text,
    compare: (a, b) => compareTexts(text(a), text(b)),
  })
  const time = (id: 'expiration' | 'createdOn'): GridColumn<WrittenNotification> => ({
    id,
    title: t(`column.${id}`),
    width: 190,
    render: (message) => dateAndTime(Date.parse(message[id])),
    text: (message) => message[id],
    compare: (a, b) => compareTexts(a[id], b[id]),
  })
  const marks = (message: WrittenNotification) => {
    if (Date.parse(message.expiration) <= Date.now()) return t('expired')
    const mark = expiryWords(message)
    return mark === undefined ? '' : t(mark)
  }
  return [
    { ...words('body', 420, ({ body }) => body), required: true },
    words('audience', 200, ({ inventoryName }) => inventoryName ?? t('everyone')),
    time('expiration'),
    words('marks', 170, marks),
    words('intervals', 130, ({ intervals }) => intervals.join(', ')),
    time('createdOn'),
  ]
}
