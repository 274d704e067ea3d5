// A screen whose list is read whole, and whose items are added, edited and deleted in dialogs over it.
import { type ReactNode, useMemo, useState } from 'react'
import { AddButton } from '../ui/AddButton.tsx'
import type { GridMenuItem } from '../ui/grid/GridMenu.tsx'
import type { GridColumn } from '../ui/grid/grid-columns.ts'
import { textFilter } from '../ui/text-filter.ts'
import { useListDialog } from '../ui/use-list-dialog.ts'
import { ConfirmDialog, type ConfirmDialogProps } from './ConfirmDialog.tsx'
import { ListScreen } from './ListScreen.tsx'
import { type Items, type List, type ShownList, useList } from './lists.ts'

/** Callbacks that end the form of an item; a new one cannot be deleted. */
export interface ItemEnds {
  onDelete: (() => void) | undefined
  onClose: () => void
}

interface EditedItemsProps<T> {
  list: ShownList<T>
  gridId: string
  exportName: string
  words: Record<'title' | 'search' | 'add' | 'edit' | 'delete', string> &
    Record<'empty' | 'noMatch', { title: string; text: string }>
  /** Next to the button that adds. */
  actions?: ReactNode
  /** Between the toolbar and the list. */
  notice?: ReactNode
  columns: readonly GridColumn<T>[]
  defaultCompare: (a: T, b: T) => number
  /** Fields that the search of the screen checks; the same function each time. */
  searched: (item: T) => readonly (string | null)[]
  idOf: (item: T) => string
  /** null: of a new one. */
  form: (item: T | null, ends: ItemEnds) => ReactNode
  question: (item: T) => Omit<ConfirmDialogProps, 'okLabel' | 'onClose'>
  /** Most frequent actions on an item, before editing it. */
  actsOf?: (item: T) => readonly GridMenuItem[]
  /** Other actions on an item, between editing and deleting it. */
  moreOf?: (item: T) => readonly GridMenuItem[]
  /** Dialogs of these. */
  children?: ReactNode
  /** Users who may only view the items open them in the same form. */
  mayWrite?: boolean
  /** False: items are made elsewhere, and only edited and deleted here. */
  mayAdd?: boolean
}

interface EditedListScreenProps<T> extends Omit<EditedItemsProps<T>, 'list'> {
  list: List<Items<T>>
}

export function EditedListScreen<T>({ list, ...screen }: EditedListScreenProps<T>) {
  return <EditedItems list={useList(list, [])} {...screen} />
}

/** The screen of a list that is read elsewhere. */
export function EditedItems<T>(props: EditedItemsProps<T>) {
  const {
    list,
    words,
    searched,
    idOf,
    form,
    question,
    mayWrite = true,
    mayAdd = true,
    actions,
    actsOf,
    moreOf,
    children,
    ...screen
  } = props
  const { over, add, open, close } = useListDialog(list.store)
  const [text, setText] = useState('')
  const matches = useMemo(() => textFilter(text, searched), [text, searched])
  const addButton =
    mayWrite && mayAdd ? <AddButton label={words.add} waits={list.state === 'loading'} onClick={add} /> : null
  const edit = (id: string) => open('edit', id)
  const remove = (id: string) => open('delete', id)
  const endsOf = (item: T | null): ItemEnds => ({
    onDelete: item === null ? undefined : () => remove(idOf(item)),
    onClose: close,
  })
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
        ...[list.store.get(id)].flatMap((item) => (item && actsOf ? actsOf(item) : [])),
        { id: 'edit', label: words.edit, run: () => edit(id) },
        ...[list.store.get(id)].flatMap((item) => (item && moreOf ? moreOf(item) : [])),
        ...(mayWrite ? [{ id: 'delete', label: words.delete, run: () => remove(id), danger: true }] : []),
      ]}
      empty={{ ...words.empty, action: addButton }}
      noMatch={words.noMatch}
    >
      {children}
      {over?.kind === 'edit' ? form(over.item, endsOf(over.item)) : null}
      {over?.kind === 'delete' ? (
        <ConfirmDialog {...question(over.item)} okLabel={words.delete} onClose={close} />
      ) : null}
    </ListScreen>
  )
}
