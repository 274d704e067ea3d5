// A screen whose list is read whole, and whose items are added, edited and deleted in dialogs over it.
import { type ReactNode, useMemo, useState } from 'react'
import { AddButton } from '../../ui/AddButton.tsx'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { textFilter } from '../../ui/text-filter.ts'
import { useListDialog } from '../../ui/use-list-dialog.ts'
import { ConfirmDialog, type ConfirmDialogProps } from '../lists/ConfirmDialog.tsx'
import { useWholeList, type WholeList } from '../lists/lists.ts'
import { ListScreen } from './ListScreen.tsx'

interface EditedListScreenProps<T> {
  list: WholeList<T>
  gridId: string
  exportName: string
  words: Record<'title' | 'search' | 'add' | 'edit' | 'delete', string> &
    Record<'empty' | 'noMatch', { title: string; text: string }>
  /** Beside the button that adds. */
  actions?: ReactNode
  columns: readonly GridColumn<T>[]
  defaultCompare: (a: T, b: T) => number
  /** What the search of the screen looks at; the same function each time. */
  searched: (item: T) => readonly (string | null)[]
  idOf: (item: T) => string
  /** null: of a new one. */
  form: (item: T | null, more: { onDelete: () => void; onClose: () => void }) => ReactNode
  question: (item: T) => Omit<ConfirmDialogProps, 'okLabel' | 'onClose'>
}

export function EditedListScreen<T>(props: EditedListScreenProps<T>) {
  const { words, searched, idOf, form, question, actions, ...screen } = props
  const list = useWholeList(props.list)
  const { over, add, open, close } = useListDialog(list.store)
  const [text, setText] = useState('')
  const matches = useMemo(() => textFilter(text, searched), [text, searched])
  const addButton = <AddButton label={words.add} onClick={add} />
  const edit = (id: string) => open('edit', id)
  const remove = (id: string) => open('delete', id)
  return (
    <ListScreen
      {...list}
      {...screen}
      label={words.title}
      search={{ label: words.search, text, onText: setText }}
      actions={
        <>
          {actions}
          {addButton}
        </>
      }
      filter={matches}
      onOpen={edit}
      onRowKey={(key, id) => {
        if (key !== 'F2') return false
        edit(id)
        return true
      }}
      rowMenu={(id) => [
        { id: 'edit', label: words.edit, run: () => edit(id) },
        { id: 'delete', label: words.delete, run: () => remove(id) },
      ]}
      empty={{ ...words.empty, action: addButton }}
      noMatch={words.noMatch}
    >
      {over?.kind === 'edit'
        ? form(over.item, { onDelete: () => over.item && remove(idOf(over.item)), onClose: close })
        : null}
      {over?.kind === 'delete' ? (
        <ConfirmDialog {...question(over.item)} okLabel={words.delete} onClose={close} />
      ) : null}
    </ListScreen>
  )
}
