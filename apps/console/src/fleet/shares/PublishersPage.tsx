// /manage/shares/publishers: the channels that groups share, and the keys for them.
import type { Publisher } from '@backhaul/contract/nouns/shares'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EditedListScreen } from '../../kit/EditedListScreen.tsx'
import { figureColumn, textColumn, timeColumn } from '../../ui/grid/columns.ts'
import { compareTexts } from '../../ui/locale.ts'
import { FoldersButton } from './FoldersButton.tsx'
import { PublisherDialog } from './PublisherDialog.tsx'
import { publishers, removePublisher, useGroupChoices } from './shares.ts'

export function PublishersPage() {
  const { t } = useTranslation('shares')
  const { nameOf } = useGroupChoices()
  const columns = useMemo(
    () => [
      textColumn<Publisher>('name', t('column.name'), 220, ({ name }) => name, { required: true }),
      textColumn<Publisher>('group', t('column.group'), 180, ({ group }) => nameOf(group)),
      textColumn<Publisher>('shareKey', t('column.shareKey'), 180, ({ shareKey }) => shareKey),
      figureColumn<Publisher>('channels', t('column.channels'), 150, ({ channels }) => channels.length),
      textColumn<Publisher>('description', t('column.description'), 240, ({ description }) => description),
      timeColumn<Publisher>('createdOn', t('column.createdOn'), 170, ({ createdOn }) => createdOn),
      textColumn<Publisher>('createdBy', t('column.createdBy'), 140, ({ createdBy }) => createdBy),
    ],
    [t, nameOf],
  )
  const searched = useCallback(
    ({ name, description, group }: Publisher) => [name, description, nameOf(group)],
    [nameOf],
  )
  return (
    <EditedListScreen
      list={publishers}
      gridId="publishers"
      exportName="publishers"
      words={t('publishers', { returnObjects: true })}
      actions={<FoldersButton />}
      columns={columns}
      defaultCompare={byName}
      searched={searched}
      idOf={({ id }) => id}
      form={(publisher, more) => <PublisherDialog key={publisher?.id} publisher={publisher} {...more} />}
      question={({ id, name }) => ({
        title: t('publisher.deleteTitle', { name }),
        text: t('publisher.deleteText'),
        run: () => removePublisher(id),
        done: { title: t('publisher.deleted'), text: name },
      })}
    />
  )
}

const byName = (a: Publisher, b: Publisher): number => compareTexts(a.name, b.name)
