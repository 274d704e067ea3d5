import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useReducer,
  useRef,
  useState,
} from 'react'
import { isSwitchedOff, keysBelongElsewhere } from '../use-hot-key.ts'

/** Parts next to a grid, such as its search, hand the keyboard over to it. */
export interface GridHandle {
  /** The selected row, or else the first, gets the focus and is selected; without any row nothing happens. */
  enter: () => void
}

interface RowKeysOptions {
  ids: readonly string[]
  selectedId: string | null
  handle: Ref<GridHandle> | undefined
  /** The list is what its screen is about: it has the focus once its rows are there. */
  takesFocus: boolean
  scroll: RefObject<HTMLDivElement | null>
  scrollTo: (index: number) => void
  onSelect: (id: string) => void
  onOpen: ((id: string) => void) | undefined
  onExpand: ((id: string, open: boolean | 'toggle') => void) | undefined
  onRowKey: ((key: string, id: string) => boolean) | undefined
  onMenu: (id: string, x: number, y: number) => void
}

function rowOf(target: EventTarget): HTMLElement | null {
  return (target as HTMLElement).closest<HTMLElement>('[data-row-id]')
}

/** Buttons and links in a row keep their own clicks and keys. */
function isControl(target: EventTarget): boolean {
  return (target as HTMLElement).closest('button, a, input, select') !== null
}

/** Target of a key from the row at `at`; undefined when it is no move. */
function targetOf(key: string, at: number, page: number, last: number): number | undefined {
  if (key === 'ArrowDown' || key === 'j') return at + 1
  if (key === 'ArrowUp' || key === 'k') return at - 1
  if (key === 'PageDown') return at + page
  if (key === 'PageUp') return at - page
  if (key === 'Home') return 0
  return key === 'End' ? last : undefined
}

/** True if nothing else on the page is in use, or the page was just opened by the menu. */
function isFocusFree(scroll: HTMLElement | null): boolean {
  const active = document.activeElement
  if (keysBelongElsewhere(active)) return false
  return (
    active === null ||
    active === document.body ||
    active.id === 'content' ||
    active.closest('nav') !== null ||
    scroll?.contains(active) === true
  )
}

/**
 * One row takes part in the tab order; arrows, J and K, pages, Home and End move it through all rows, seen or not. The
 * selection goes with it, so that a key never acts on another row than the one that is shown as selected.
 */
export function useRowKeys(options: RowKeysOptions) {
  const { ids, scroll, selectedId } = options
  const [rovingId, setRovingId] = useState<string | null>(null)
  const [, again] = useReducer((times: number) => times + 1, 0)
  const toFocus = useRef<string | null>(null)
  const index = [rovingId, selectedId].map((id) => (id === null ? -1 : ids.indexOf(id))).find((at) => at >= 0)
  const rovingIndex = index ?? 0

  const focusRow = useCallback((id: string) => {
    toFocus.current = id
    setRovingId(id)
    // The focus may have left a row that is still the one in the tab order.
    again()
  }, [])

  useEffect(() => {
    if (toFocus.current === null) return
    const row = scroll.current?.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(toFocus.current)}"]`)
    if (!row) return
    toFocus.current = null
    row.focus({ preventScroll: true })
  })

  function showAndFocus(at: number): string | undefined {
    const id = ids[at]
    if (id === undefined) return undefined
    options.scrollTo(at)
    focusRow(id)
    return id
  }

  const ownSelection = useRef(selectedId)
  function select(id: string) {
    ownSelection.current = id
    options.onSelect(id)
  }

  function moveTo(next: number) {
    const id = showAndFocus(Math.max(0, Math.min(ids.length - 1, next)))
    if (id !== undefined) select(id)
  }

  const enter = () => moveTo(selectedId === null ? 0 : ids.indexOf(selectedId))
  useImperativeHandle(options.handle, () => ({ enter }))

  const latest = useRef({ showAndFocus, enter, rovingIndex })
  latest.current = { showAndFocus, enter, rovingIndex }

  // Selected from elsewhere, such as the palette: the focus goes there too.
  useEffect(() => {
    if (selectedId === ownSelection.current) return
    const at = selectedId === null ? -1 : ids.indexOf(selectedId)
    if (selectedId !== null && at < 0) return
    ownSelection.current = selectedId
    if (at >= 0 && isFocusFree(scroll.current)) latest.current.showAndFocus(at)
    else setRovingId(selectedId)
  }, [selectedId, ids, scroll])

  const { takesFocus } = options
  const hasRows = ids.length > 0
  useEffect(() => {
    if (takesFocus && hasRows && isFocusFree(scroll.current))
      latest.current.showAndFocus(latest.current.rovingIndex)
  }, [takesFocus, hasRows, scroll])

  // The focus went with a dialog or a row: the next move finds the list again.
  useEffect(() => {
    if (!takesFocus) return
    const onKey = (event: globalThis.KeyboardEvent) => {
      const isMove = !isSwitchedOff(event.key) && targetOf(event.key, 0, 1, 0) !== undefined
      if (!isMove || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (event.target !== document.body || keysBelongElsewhere(event.target)) return
      event.preventDefault()
      latest.current.enter()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [takesFocus])

  function pageOf(): number {
    const height = scroll.current?.clientHeight ?? 340
    return Math.max(1, Math.floor(height / 34) - 2)
  }

  function act(key: string, id: string): boolean {
    if (key === 'Enter') options.onOpen?.(id)
    else if (key === ' ') select(id)
    else if (key === 'ArrowRight') options.onExpand?.(id, true)
    else if (key === 'ArrowLeft') options.onExpand?.(id, false)
    else return !isSwitchedOff(key) && (options.onRowKey?.(key, id) ?? false)
    return true
  }

  function onKeyDown(event: KeyboardEvent) {
    const row = rowOf(event.target)
    const id = row?.dataset.rowId
    if (!row || id === undefined) return
    if (event.key === 'Escape' && event.target !== row) {
      row.focus()
      return
    }
    if (isControl(event.target) && (event.key === 'Enter' || event.key === ' ')) return
    const at = Number(row.dataset.index)
    const target = isSwitchedOff(event.key) ? undefined : targetOf(event.key, at, pageOf(), ids.length - 1)
    const menuKey = event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)
    if (menuKey) {
      const box = row.getBoundingClientRect()
      event.preventDefault()
      options.onMenu(id, box.left + 160, box.bottom)
    } else if (event.altKey || event.ctrlKey || event.metaKey) return
    else if (target !== undefined) {
      event.preventDefault()
      moveTo(target)
    } else if (act(event.key, id)) event.preventDefault()
  }

  return {
    rovingIndex,
    focusRow,
    onKeyDown,
    onFocus(event: FocusEvent) {
      const id = rowOf(event.target)?.dataset.rowId
      if (id !== undefined) setRovingId(id)
    },
    onClick(event: MouseEvent) {
      const id = rowOf(event.target)?.dataset.rowId
      if (id === undefined) return
      if ((event.target as HTMLElement).closest('[data-expander]')) options.onExpand?.(id, 'toggle')
      else if (!isControl(event.target)) {
        focusRow(id)
        select(id)
      }
    },
    onDoubleClick(event: MouseEvent) {
      const id = rowOf(event.target)?.dataset.rowId
      if (id !== undefined && !isControl(event.target)) options.onOpen?.(id)
    },
    /** The row with the focus is kept in the page however far it is scrolled away, else the focus would be lost. */
    withRovingRow(range: Range): number[] {
      const seen = defaultRangeExtractor(range)
      if (index === undefined || seen.includes(index)) return seen
      return [...seen, index].sort((a, b) => a - b)
    },
  }
}
