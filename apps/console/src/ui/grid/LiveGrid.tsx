// A list of live things: thousands of rows, each rendered again only when its own item changes.
// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are placed freely, which a table cannot be
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type Ref, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KeyedStore } from '../keyed-store.ts'
import { compareTexts } from '../locale.ts'
import { download, listAsCsv } from './export-list.ts'
import { GridHeader } from './GridHeader.tsx'
import { GridMenu, type GridMenuItem } from './GridMenu.tsx'
import { GridRow } from './GridRow.tsx'
import { GridEmpty, GridError, GridSkeleton, MovedNotice } from './GridStates.tsx'
import { type GridColumn, type GridPrefs, nextSort } from './grid-columns.ts'
import styles from './live-grid.module.css'
import { useColumns } from './use-columns.ts'
import { useLately } from './use-lately.ts'
import { type GridHandle, useRowKeys } from './use-row-keys.ts'
import { useRowOrder } from './use-row-order.ts'

const rowHeightPx = 34
const headerHeightPx = 31

export interface LiveGridProps<T> {
  label: string
  store: KeyedStore<T>
  columns: readonly GridColumn<T>[]
  /** Order when no column is sorted, and within equal values of a sorted one. */
  defaultCompare: (a: T, b: T) => number
  /** A new function is a request of the user and is applied at once. */
  filter?: ((item: T) => boolean) | undefined
  /** Of a list that core searches: what the store answers now. Another one is a request of the user too. */
  asked?: unknown
  prefs: GridPrefs | undefined
  /** undefined: back to how the grid was made. */
  onPrefs: (prefs: GridPrefs | undefined) => void
  selectedId: string | null
  onSelect: (id: string) => void
  handle?: Ref<GridHandle> | undefined
  /** The list is what its screen is about: it has the focus once its rows are there. */
  takesFocus?: boolean
  /** What Enter and a double click do; nothing, where a row is all there is. */
  onOpen?: ((id: string) => void) | undefined
  /** Keys of the trade on the focused row; true when it was one. */
  onRowKey?: ((key: string, id: string) => boolean) | undefined
  rowMenu?: ((id: string) => GridMenuItem[]) | undefined
  rowClass?: ((item: T) => string) | undefined
  renderPanel?: ((item: T) => ReactNode) | undefined
  /** px */
  panelHeight?: number
  allExpanded?: boolean
  onAllExpanded?: ((open: boolean) => void) | undefined
  state: 'loading' | 'ready' | 'error'
  errorText?: string | undefined
  onRetry?: (() => void) | undefined
  empty: { title: string; text: string; action?: ReactNode }
  noMatch: { title: string; text: string; clear: () => void }
  /** File name of the export, without its ending. */
  exportName: string
}

export function LiveGrid<T>(props: LiveGridProps<T>) {
  const { store, columns, prefs, onPrefs, filter, defaultCompare, selectedId } = props
  const { t } = useTranslation('ui')
  const scroll = useRef<HTMLDivElement>(null)
  const root = useRef<HTMLDivElement>(null)
  const inUse = useColumns(columns, prefs, onPrefs)
  const visible = useVisibleColumns(inUse.shown)
  const sort = prefs?.sortState ?? null
  const compare = useCompare(columns, sort, defaultCompare)
  const [hovered, setHovered] = useState(false)
  const [acting, act] = useLately()
  const [menu, setMenu] = useState<{ id: string | null; x: number; y: number } | null>(null)
  const order = useRowOrder({
    store,
    filter,
    compare,
    asked: props.asked,
    held: hovered || acting || menu !== null,
  })
  const expansion = useExpansion(props.allExpanded ?? false)
  const hasPanel = props.renderPanel !== undefined
  const panelHeight = props.panelHeight ?? 0

  const sizeOf = (index: number) =>
    rowHeightPx + (hasPanel && expansion.isOpen(order.ids[index] ?? '') ? panelHeight : 0)
  const keys = useRowKeys({
    ids: order.ids,
    selectedId,
    handle: props.handle,
    takesFocus: props.takesFocus ?? false,
    scroll,
    scrollTo: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
    onSelect: props.onSelect,
    onOpen: props.onOpen,
    onExpand: hasPanel ? expansion.set : undefined,
    onRowKey: props.onRowKey,
    onMenu: (id, x, y) => setMenu({ id, x, y }),
  })
  const virtual = useVirtualizer({
    count: order.ids.length,
    getScrollElement: () => scroll.current,
    estimateSize: sizeOf,
    getItemKey: (index) => order.ids[index] ?? index,
    overscan: 8,
    scrollPaddingStart: headerHeightPx,
    scrollMargin: headerHeightPx,
    rangeExtractor: keys.withRovingRow,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes depend on what is expanded and where it stands
  useLayoutEffect(() => virtual.measure(), [virtual, expansion.version, order.ids, hasPanel, panelHeight])
  useGridVariables(root, scroll, inUse, panelHeight)

  const shownItems = () => order.ids.flatMap((id) => store.get(id) ?? [])
  const gridItems: GridMenuItem[] = [
    { id: 'reset', label: t('grid.reset'), run: () => onPrefs(undefined) },
    {
      id: 'export',
      label: t('grid.export'),
      run: () => download(`${props.exportName}.csv`, listAsCsv(visible, shownItems())),
    },
  ]
  const showRows = props.state !== 'error'
  const isEmpty = props.state === 'ready' && order.ids.length === 0

  return (
    <div ref={root} className={styles.liveGrid} data-expandable={hasPanel || undefined}>
      <div
        ref={scroll}
        role="treegrid"
        tabIndex={-1}
        aria-label={props.label}
        aria-rowcount={order.ids.length + 1}
        aria-colcount={visible.length}
        aria-busy={props.state === 'loading'}
        className={styles.gridScroll}
        onContextMenu={(event) => {
          event.preventDefault()
          const row = (event.target as HTMLElement).closest<HTMLElement>('[data-row-id]')
          setMenu({ id: row?.dataset.rowId ?? null, x: event.clientX, y: event.clientY })
        }}
      >
        <GridHeader
          columns={columns}
          inUse={inUse}
          sort={sort}
          onSort={(key) => onPrefs({ visibleColumns: currentColumns(inUse), sortState: nextSort(sort, key) })}
          expandAll={
            hasPanel && props.onAllExpanded
              ? {
                  open: props.allExpanded ?? false,
                  label: t(props.allExpanded ? 'grid.collapseAll' : 'grid.expandAll'),
                  toggle: () => {
                    expansion.clear()
                    props.onAllExpanded?.(!props.allExpanded)
                  },
                }
              : undefined
          }
        />
        {showRows ? (
          <div
            role="rowgroup"
            className={styles.gridRows}
            style={{ height: virtual.getTotalSize() }}
            onPointerEnter={() => setHovered(true)}
            onPointerLeave={() => setHovered(false)}
            onFocus={keys.onFocus}
            onKeyDown={(event) => {
              act()
              keys.onKeyDown(event)
            }}
            onClick={(event) => {
              act()
              keys.onClick(event)
            }}
            onDoubleClick={keys.onDoubleClick}
          >
            {virtual.getVirtualItems().map((item) => {
              const id = order.ids[item.index]
              if (id === undefined) return null
              return (
                <GridRow
                  key={id}
                  store={store}
                  id={id}
                  index={item.index}
                  top={item.start - headerHeightPx}
                  columns={visible}
                  selected={id === selectedId}
                  roving={item.index === keys.rovingIndex}
                  expanded={hasPanel && expansion.isOpen(id)}
                  renderPanel={props.renderPanel}
                  expandLabel={t('grid.expandRow')}
                  rowClass={props.rowClass}
                />
              )
            })}
          </div>
        ) : null}
      </div>
      {props.state === 'loading' && order.ids.length === 0 ? <GridSkeleton /> : null}
      {props.state === 'error' ? <GridError text={props.errorText} onRetry={props.onRetry} /> : null}
      {isEmpty && store.size() === 0 ? <GridEmpty {...props.empty} /> : null}
      {isEmpty && store.size() > 0 ? <GridEmpty {...props.noMatch} /> : null}
      {order.moved > 0 ? <MovedNotice count={order.moved} onShow={order.settle} /> : null}
      {menu ? (
        <GridMenu
          x={menu.x}
          y={menu.y}
          items={menu.id === null ? [] : (props.rowMenu?.(menu.id) ?? [])}
          gridItems={gridItems}
          onClose={() => {
            const id = menu.id
            setMenu(null)
            if (id !== null) keys.focusRow(id)
          }}
        />
      ) : null}
    </div>
  )
}

function currentColumns<T>(inUse: ReturnType<typeof useColumns<T>>) {
  return inUse.shown.map(({ column }) => ({
    key: column.id,
    width: inUse.layout.widths[column.id] ?? column.width,
  }))
}

/** The same array as long as the same columns stand in the same order, so that rows do not render in vain. */
function useVisibleColumns<T>(shown: { column: GridColumn<T> }[]): readonly GridColumn<T>[] {
  const last = useRef<readonly GridColumn<T>[]>([])
  const now = shown.map((entry) => entry.column)
  const same =
    now.length === last.current.length && now.every((column, index) => column === last.current[index])
  if (!same) last.current = now
  return last.current
}

function useCompare<T>(
  columns: readonly GridColumn<T>[],
  sort: { key: string; dir: 'asc' | 'desc' } | null,
  defaultCompare: (a: T, b: T) => number,
) {
  const key = sort?.key
  const dir = sort?.dir
  return useMemo(() => {
    const column = columns.find((candidate) => candidate.id === key)
    if (!column) return defaultCompare
    const byColumn = column.compare ?? ((a: T, b: T) => compareTexts(column.text(a), column.text(b)))
    const sign = dir === 'desc' ? -1 : 1
    return (a: T, b: T) => sign * byColumn(a, b) || defaultCompare(a, b)
  }, [columns, key, dir, defaultCompare])
}

/** All rows open or closed, and the rows that differ from that. */
function useExpansion(all: boolean) {
  const [different, setDifferent] = useState<ReadonlySet<string>>(new Set())
  const isOpen = (id: string) => all !== different.has(id)
  const set = useCallback(
    (id: string, open: boolean | 'toggle') =>
      setDifferent((before) => {
        const now = all !== before.has(id)
        const wanted = open === 'toggle' ? !now : open
        if (wanted === now) return before
        const next = new Set(before)
        if (next.has(id)) next.delete(id)
        else next.add(id)
        return next
      }),
    [all],
  )
  return { isOpen, set, clear: () => setDifferent(new Set()), version: `${all}:${[...different].join()}` }
}

/**
 * Widths go to the rows as CSS variables of the root: resizing writes one style and renders no row. Pinned cells are
 * shifted by a variable too; sticky ones would each become a layer, which costs most of the frame without a GPU.
 */
function useGridVariables<T>(
  root: React.RefObject<HTMLDivElement | null>,
  scroll: React.RefObject<HTMLDivElement | null>,
  inUse: ReturnType<typeof useColumns<T>>,
  panelHeight: number,
) {
  const { template, totalWidth } = inUse
  useLayoutEffect(() => {
    const style = root.current?.style
    if (!style) return
    style.setProperty('--grid-columns', template)
    style.setProperty('--grid-total', `${totalWidth}px`)
    style.setProperty('--grid-panel-height', `${panelHeight}px`)
  }, [root, template, totalWidth, panelHeight])

  useLayoutEffect(() => {
    const element = scroll.current
    const grid = root.current
    if (!element || !grid) return
    let lastLeft = -1
    const place = () => {
      const left = element.scrollLeft
      const hidden = Math.max(0, totalWidth - element.clientWidth)
      lastLeft = left
      grid.style.setProperty('--grid-view', `${element.clientWidth}px`)
      grid.style.setProperty('--grid-left', `${left}px`)
      grid.style.setProperty('--grid-right', `${hidden - left}px`)
      grid.toggleAttribute('data-scrolled', left > 0)
      grid.toggleAttribute('data-more', left < hidden)
    }
    const onScroll = () => {
      if (element.scrollLeft !== lastLeft) place()
    }
    place()
    const observer = new ResizeObserver(place)
    observer.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [root, scroll, totalWidth])
}
