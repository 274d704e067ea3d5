import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { isSwitchedOff } from '../use-hot-key.ts'

interface RowKeysWishes {
  ids: readonly string[]
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

/** One row takes part in the tab order; arrows, pages, Home and End move it through all rows, seen or not. */
export function useRowKeys(wishes: RowKeysWishes) {
  const { ids, scroll } = wishes
  const [rovingId, setRovingId] = useState<string | null>(null)
  const toFocus = useRef<string | null>(null)
  const index = rovingId === null ? -1 : ids.indexOf(rovingId)
  const rovingIndex = Math.max(0, index)

  const focusRow = useCallback((id: string) => {
    toFocus.current = id
    setRovingId(id)
  }, [])

  useEffect(() => {
    if (toFocus.current === null) return
    const row = scroll.current?.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(toFocus.current)}"]`)
    if (!row) return
    toFocus.current = null
    row.focus({ preventScroll: true })
  })

  function moveTo(next: number) {
    const clamped = Math.max(0, Math.min(ids.length - 1, next))
    const id = ids[clamped]
    if (id === undefined) return
    wishes.scrollTo(clamped)
    focusRow(id)
  }

  function pageOf(): number {
    const height = scroll.current?.clientHeight ?? 340
    return Math.max(1, Math.floor(height / 34) - 2)
  }

  function targetOf(key: string, at: number): number | undefined {
    if (key === 'ArrowDown') return at + 1
    if (key === 'ArrowUp') return at - 1
    if (key === 'PageDown') return at + pageOf()
    if (key === 'PageUp') return at - pageOf()
    if (key === 'Home') return 0
    return key === 'End' ? ids.length - 1 : undefined
  }

  function act(key: string, id: string): boolean {
    if (key === 'Enter') wishes.onOpen?.(id)
    else if (key === ' ') wishes.onSelect(id)
    else if (key === 'ArrowRight') wishes.onExpand?.(id, true)
    else if (key === 'ArrowLeft') wishes.onExpand?.(id, false)
    else return !isSwitchedOff(key) && (wishes.onRowKey?.(key, id) ?? false)
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
    const target = targetOf(event.key, at)
    const menuKey = event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)
    if (menuKey) {
      const box = row.getBoundingClientRect()
      event.preventDefault()
      wishes.onMenu(id, box.left + 160, box.bottom)
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
      if ((event.target as HTMLElement).closest('[data-expander]')) wishes.onExpand?.(id, 'toggle')
      else if (!isControl(event.target)) {
        focusRow(id)
        wishes.onSelect(id)
      }
    },
    onDoubleClick(event: MouseEvent) {
      const id = rowOf(event.target)?.dataset.rowId
      if (id !== undefined && !isControl(event.target)) wishes.onOpen?.(id)
    },
    /** The row with the focus stays in the page however far it is scrolled away, else the focus would be lost. */
    withRovingRow(range: Range): number[] {
      const seen = defaultRangeExtractor(range)
      if (index < 0 || seen.includes(index)) return seen
      return [...seen, index].sort((a, b) => a - b)
    },
  }
}
