// /psg/system_settings/client_notification: messages of vendor staff to all users, or to those of one inventory.
import type { WrittenNotification } from '@backhaul/contract/nouns/notifications'
import type { TFunction } from 'i18next'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EditedListScreen } from '../../kit/EditedListScreen.tsx'
import { loadInventoryNames } from '../../people/inventory-names/inventory-names.ts'
import { textColumn, timeColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts } from '../../ui/locale.ts'
import { expiryWords } from './MessageBell.tsx'
import { MessageDialog } from './MessageDialog.tsx'
import { removeMessage, writtenMessages } from './notifications.ts'

export function SystemMessagesPage() {
  const { t } = useTranslation('systemMessages')
  const columns = useMemo(() => columnsOf(t), [t])
  useEffect(() => void loadInventoryNames().catch(() => {}), [])
  return (
    <EditedListScreen
      list={writtenMessages}
      gridId="systemMessages"
      exportName="system-messages"
      words={t('list', { returnObjects: true })}
      columns={columns}
      defaultCompare={byNewest}
      searched={searched}
      idOf={({ id }) => id}
      form={(message, more) => <MessageDialog key={message?.id} message={message} {...more} />}
      question={({ id, body }) => ({
        title: t('deleteTitle'),
        text: body,
        run: () => removeMessage(id),
        done: { title: t('deleted'), text: '' },
      })}
    />
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
