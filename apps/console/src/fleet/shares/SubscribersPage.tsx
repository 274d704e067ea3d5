// /manage/shares/subscribers: the shares of others that come into folders of one's own.
import type { Subscriber } from '@backhaul/contract/nouns/shares'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EditedListScreen } from '../../kit/EditedListScreen.tsx'
import { figureColumn, textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts } from '../../ui/locale.ts'
import { FoldersButton } from './FoldersButton.tsx'
import { SubscriberDialog } from './SubscriberDialog.tsx'
import { removeSubscriber, subscribers } from './shares.ts'

export function SubscribersPage() {
  const { t } = useTranslation('shares')
  const columns = useMemo(() => columnsOf(t), [t])
  return (
    <EditedListScreen
      list={subscribers}
      gridId="subscribers"
      exportName="subscribers"
      words={t('subscribers', { returnObjects: true })}
      actions={<FoldersButton />}
      columns={columns}
      defaultCompare={byName}
      searched={searched}
      idOf={({ id }) => id}
      form={(subscriber, more) => <SubscriberDialog key={subscriber?.id} subscriber={subscriber} {...more} />}
      question={({ id, name }) => ({
        title: t('subscriber.deleteTitle', { name }),
        text: t('subscriber.deleteText'),
        run: () => removeSubscriber(id),
        done: { title: t('subscriber.deleted'), text: name },
      })}
    />
  )
}

const byName = (a: Subscriber, b: Subscriber): number => compareTexts(a.name, b.name)

const searched = ({ name, folderName, publisher }: Subscriber) => [name, folderName, publisher]

const columnsOf = (t: TFunction<'shares'>): readonly GridColumn<Subscriber>[] => [
  textColumn('name', t('column.name'), 240, ({ name }) => name, { required: true }),
  textColumn('folder', t('column.folder'), 220, ({ folderName }) => folderName),
  textColumn('publisher', t('column.publisher'), 220, ({ publisher }) =>
    publisher === null ? t('subscriber.withdrawn') : publisher,
  ),
  figureColumn('channels', t('column.channels'), 150, ({ channels }) => channels.length),
  textColumn('shareKey', t('column.shareKey'), 180, ({ shareKey }) => shareKey),
]
