// /psg/whats_new: the notes that everyone sees once, and those of days to come.
import type { NewsNote } from '@backhaul/contract/nouns/whats-new'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AddButton } from '../../ui/AddButton.tsx'
import { textColumn, timeColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts, shortDate } from '../../ui/locale.ts'
import { textFilter } from '../../ui/text-filter.ts'
import { useListDialog } from '../../ui/use-list-dialog.ts'
import { ConfirmDialog } from '../lists/ConfirmDialog.tsx'
import { useWholeList } from '../lists/lists.ts'
import { ListScreen } from '../preferences/ListScreen.tsx'
import { NoteDialog } from './NoteDialog.tsx'
import { notes, removeNote } from './whats-new.ts'

export function WhatsNewPage() {
  const { t } = useTranslation('whatsNew')
  const list = useWholeList(notes)
  const { over, add, open, close } = useListDialog(list.store)
  const [text, setText] = useState('')
  const columns = useMemo(() => columnsOf(t), [t])
  const matches = useMemo(() => textFilter(text, searched), [text])
  const addButton = <AddButton label={t('add')} onClick={add} />
  return (
    <ListScreen
      {...list}
      gridId="whatsNew"
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
      exportName="whats-new"
    >
      {over?.kind === 'edit' ? (
        <NoteDialog
          key={over.item?.id}
          note={over.item}
          onDelete={() => open('delete', over.item?.id ?? '')}
          onClose={close}
        />
      ) : null}
      {over?.kind === 'delete' ? (
        <ConfirmDialog
          title={t('deleteTitle')}
          text={over.item.title}
          okLabel={t('delete')}
          run={() => removeNote(over.item.id)}
          done={{ title: t('deleted'), text: over.item.title }}
          onClose={close}
        />
      ) : null}
    </ListScreen>
  )
}

const byNewest = (a: NewsNote, b: NewsNote): number =>
  compareTexts(b.date, a.date) || compareTexts(a.title, b.title)

const searched = ({ title, text }: NewsNote) => [title, text]

function columnsOf(t: TFunction<'whatsNew'>): readonly GridColumn<NewsNote>[] {
  const dayOf = ({ date }: NewsNote) => shortDate(new Date(`${date}T12:00:00`))
  const isOut = ({ publishedOn }: NewsNote) => Date.parse(publishedOn) <= Date.now()
  return [
    timeColumn('date', t('column.date'), 120, ({ date }) => date, { render: dayOf, required: true }),
    textColumn('title', t('column.title'), 300, ({ title }) => title),
    textColumn('state', t('column.state'), 130, (note) => t(isOut(note) ? 'out' : 'toCome')),
    textColumn('text', t('column.text'), 520, ({ text }) => text),
  ]
}
