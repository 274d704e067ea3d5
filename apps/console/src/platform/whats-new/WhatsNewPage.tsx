// /psg/whats_new: the notes that every user sees once, and those of days to come.
import type { NewsNote } from '@backhaul/contract/nouns/whats-new'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EditedListScreen } from '../../kit/EditedListScreen.tsx'
import { textColumn, timeColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts, shortDate } from '../../ui/locale.ts'
import { NoteDialog } from './NoteDialog.tsx'
import { notes, removeNote } from './whats-new.ts'

export function WhatsNewPage() {
  const { t } = useTranslation('whatsNew')
  const columns = useMemo(() => columnsOf(t), [t])
  return (
    <EditedListScreen
      list={notes}
      gridId="whatsNew"
      exportName="whats-new"
      words={t('list', { returnObjects: true })}
      columns={columns}
      defaultCompare={byNewest}
      searched={searched}
      idOf={({ id }) => id}
      form={(note, more) => <NoteDialog key={note?.id} note={note} {...more} />}
      question={({ id, title }) => ({
        title: t('deleteTitle'),
        text: title,
        run: () => removeNote(id),
        done: { title: t('deleted'), text: title },
      })}
    />
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
