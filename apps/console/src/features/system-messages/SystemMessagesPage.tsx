// /psg/system_settings/client_notification: what vendor staff tells everyone, or the people of one inventory.
import type { WrittenNotification } from '@backhaul/contract/nouns/notifications'
import type { TFunction } from 'i18next'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AddButton } from '../../ui/AddButton.tsx'
import { textColumn, timeColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts } from '../../ui/locale.ts'
import { textFilter } from '../../ui/text-filter.ts'
import { useListDialog } from '../../ui/use-list-dialog.ts'
import { loadInventoryNames } from '../inventory-names/inventory-names.ts'
import { ConfirmDialog } from '../lists/ConfirmDialog.tsx'
import { useWholeList } from '../lists/lists.ts'
import { ListScreen } from '../preferences/ListScreen.tsx'
import { expiryWords } from './MessageBell.tsx'
import { MessageDialog } from './MessageDialog.tsx'
import { removeMessage, writtenMessages } from './system-messages.ts'

export function SystemMessagesPage() {
  const { t } = useTranslation('systemMessages')
  const list = useWholeList(writtenMessages)
  const { over, add, open, close } = useListDialog(list.store)
  const [text, setText] = useState('')
  const columns = useMemo(() => columnsOf(t), [t])
  const matches = useMemo(() => textFilter(text, searched), [text])
  useEffect(() => void loadInventoryNames().catch(() => {}), [])
  const addButton = <AddButton label={t('add')} onClick={add} />
  return (
    <ListScreen
      {...list}
      gridId="systemMessages"
      search={{ label: t('search'), text, onText: setText }}
      actions={addButton}
      label={t('title')}
      columns={columns}
      defaultCompare={byNewest}
      filter={matches}
      onOpen={(id) => open('edit', id)}
      rowMenu={(id) => [
        { id: 'edit', label: t('edit'), run: () => open('edit', id) },
        { id: 'delete', label: t('delete'), run: () => open('delete', id) },
      ]}
      empty={{ ...t('empty', { returnObjects: true }), action: addButton }}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="system-messages"
    >
      {over?.kind === 'edit' ? (
        <MessageDialog
          key={over.item?.id}
          message={over.item}
          onDelete={() => open('delete', over.item?.id ?? '')}
          onClose={close}
        />
      ) : null}
      {over?.kind === 'delete' ? (
        <ConfirmDialog
          title={t('deleteTitle')}
          text={over.item.body}
          okLabel={t('delete')}
          run={() => removeMessage(over.item.id)}
          done={{ title: t('deleted'), text: '' }}
          onClose={close}
        />
      ) : null}
    </ListScreen>
  )
}

const byNewest = (a: WrittenNotification, b: WrittenNotification): number =>
  compareTexts(b.createdOn, a.createdOn)

const searched = ({ body, inventoryName }: WrittenNotification) => [body, inventoryName]

function columnsOf(t: TFunction<'systemMessages'>): readonly GridColumn<WrittenNotification>[] {
  const marks = (message: WrittenNotification) => {
    if (Date.parse(message.expiration) <= Date.now()) return t('expired')
    const mark = expiryWords(message)
    return mark === undefined ? '' : t(mark)
  }
  return [
    textColumn('body', t('column.body'), 420, ({ body }) => body, { required: true }),
    textColumn('audience', t('column.audience'), 200, (one) => one.inventoryName ?? t('everyone')),
    timeColumn('expiration', t('column.expiration'), 190, ({ expiration }) => expiration),
    textColumn('marks', t('column.marks'), 170, marks),
    textColumn('intervals', t('column.intervals'), 130, ({ intervals }) =>
      intervals.map((hours) => `${hours} h`).join(', '),
    ),
    timeColumn('createdOn', t('column.createdOn'), 190, ({ createdOn }) => createdOn),
  ]
}
