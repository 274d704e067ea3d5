// A list of live objects: thousands of rows, each rendered again only when its own item changes.
// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are placed freely, which a table cannot be
import { useVirtualizer } from '@tanstack/react-virtual'
import type { TFunction } from 'i18next'
import {
  type CSSProperties,
  type ReactNode,
  type Ref,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { ReadStore } from '../keyed-store.ts'
import { loaded } from '../loaded.ts'
import { compareTexts } from '../locale.ts'
import { download, listAsCsv } from './export-list.ts'
import { GridHeader } from './GridHeader.tsx'
import type { GridMenuItem, GridMenuPlace } from './GridMenu.tsx'
import { GridRow } from './GridRow.tsx'
import { GridEmpty, GridError, GridSkeleton, MovedNotice } from './GridStates.tsx'
import { type GridColumn, type GridPrefs, nextSort } from './grid-columns.ts'
import styles from './live-grid.module.css'
import { type ColumnsInUse, useColumns } from './use-columns.ts'
import { useLately } from './use-lately.ts'
import { type GridHandle, useRowKeys } from './use-row-keys.ts'
import { useRowOrder } from './use-row-order.ts'

const GridMenu = loaded(async () => (await import('./GridMenu.tsx')).GridMenu)

const rowHeightPx = 34
const headerHeightPx = 31

export interface LiveGridProps<T> {
  label: string
  store: ReadStore<T>
  columns: readonly GridColumn<T>[]
  /** Order when no column is sorted, and within equal values of a sorted one. */
  defaultCompare: (a: T, b: T) => number
  /** A new function is a request of the user and is applied at once. */
  filter?: ((item: T) => boolean) | undefined
  /** For a list that core searches: the query of the store's answer. Another one is a request of the user too. */
  asked?: unknown
  prefs: GridPrefs | undefined
  /** undefined: back to how the grid was made. */
  onPrefs: (prefs: GridPrefs | undefined) => void
  selectedId: string | null
  onSelect: (id: string) => void
  handle?: Ref<GridHandle> | undefined
  /** The list is what its screen is about: it has the focus once its rows are there. */
  takesFocus?: boolean
  /** Action of Enter and a double click; none, where a row is all there is. */
  onOpen?: ((id: string) => void) | undefined
  /** Keys of the trade on the focused row; true when it was one. */
  onRowKey?: ((key: string, id: string) => boolean) | undefined
  rowMenu?: ((id: string) => GridMenuItem[]) | undefined
  /** In place of `rowMenu`: the whole menu of a row, where its items are loaded with it. */
  renderRowMenu?: ((id: string, place: GridMenuPlace) => ReactNode) | undefined
  rowClass?: ((item: T) => string) | undefined
  renderPanel?: ((item: T) => ReactNode) | undefined
  /** px */
  panelHeight?: number
  allExpanded?: boolean
  onAllExpanded?: ((open: boolean) => void) | undefined
  state: 'loading' | 'ready' | 'error'
  errorText?: string | undefined
  onRetry?: (() => void) | undefined
  /** True if the main content is missing, regardless of other rows; by default, as long as the list has no items. */
  isEmpty?: boolean | undefined
  empty: { title: string; text: string; action?: ReactNode }
  noMatch: { title: string; text: string; clear: () => void }
  /** File name of the export, without its ending. */
  exportName: string
}

const itemsOfGrid = <T,>(
  { onPrefs, exportName }: LiveGridProps<T>,
  t: TFunction<'ui'>,
  csv: () => string,
): GridMenuItem[] => [
  { id: 'reset', label: t('grid.reset'), run: () => onPrefs(undefined) },
  { id: 'export', label: t('grid.export'), run: () => download(`${exportName}.csv`, csv()) },
]

function expandAllOf<T>(
  { renderPanel, allExpanded, onAllExpanded }: LiveGridProps<T>,
  expansion: ReturnType<typeof useExpansion>,
  t: TFunction<'ui'>,
) {
  if (!renderPanel || !onAllExpanded) return undefined
  return {
    open: allExpanded ?? false,
    label: t(allExpanded ? 'grid.collapseAll' : 'grid.expandAll'),
    toggle() {
      expansion.clear()
      onAllExpanded(!allExpanded)
    },
  }
}

export function LiveGrid<T>(props: LiveGridProps<T>) {
  const { store, columns, prefs, onPrefs, defaultCompare } = props
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
  const rows = useRows(props, {
    scroll,
    compare,
    held: hovered || acting || menu !== null,
    onMenu: (id, x, y) => setMenu({ id, x, y }),
  })
  const hasPanel = props.renderPanel !== undefined
  useScrollVariables(root, scroll, inUse.totalWidth)

  const gridItems = itemsOfGrid(props, t, () =>
    listAsCsv(
      visible,
      rows.order.ids.flatMap((id) => store.get(id) ?? []),
    ),
  )

  return (
    <div
      ref={root}
      className={styles.liveGrid}
      data-expandable={hasPanel || undefined}
      style={gridVariables(inUse, props.panelHeight ?? 0)}
    >
      <div
        ref={scroll}
        role="treegrid"
        tabIndex={-1}
        aria-label={props.label}
        aria-rowcount={rows.order.ids.length + 1}
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
          expandAll={expandAllOf(props, rows.expansion, t)}
        />
        {props.state === 'error' ? null : (
          <GridRows grid={props} rows={rows} columns={visible} onAct={act} onHover={setHovered} />
        )}
      </div>
      <GridState grid={props} rows={rows} />
      <Suspense fallback={null}>
        {menu ? (
          <MenuAt
            grid={props}
            id={menu.id}
            place={{
              x: menu.x,
              y: menu.y,
              gridItems,
              onClose: () => {
                setMenu(null)
                if (menu.id !== null) rows.keys.focusRow(menu.id)
              },
            }}
          />
        ) : null}
      </Suspense>
    </div>
  )
}

interface MenuAtProps<T> {
  grid: Pick<LiveGridProps<T>, 'rowMenu' | 'renderRowMenu'>
  /** null: not on a row. */
  id: string | null
  place: GridMenuPlace
}

function MenuAt<T>({ grid, id, place }: MenuAtProps<T>) {
  if (id !== null && grid.renderRowMenu) return grid.renderRowMenu(id, place)
  return <GridMenu {...place} items={id === null ? [] : (grid.rowMenu?.(id) ?? [])} />
}

interface PartOfGrid<T> {
  grid: LiveGridProps<T>
  rows: ReturnType<typeof useRows<T>>
}

interface GridRowsProps<T> extends PartOfGrid<T> {
  columns: readonly GridColumn<T>[]
  onAct: () => void
  onHover: (hovered: boolean) => void
}

function GridRows<T>({ grid, rows, columns, onAct, onHover }: GridRowsProps<T>) {
  const { t } = useTranslation('ui')
  const { order, expansion, keys, virtual } = rows
  return (
    <div
      role="rowgroup"
      className={styles.gridRows}
      style={{ height: virtual.getTotalSize() }}
      onPointerEnter={() => onHover(true)}
      onPointerLeave={() => onHover(false)}
      onFocus={keys.onFocus}
      onKeyDown={(event) => {
        onAct()
        keys.onKeyDown(event)
      }}
      onClick={(event) => {
        onAct()
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
            store={grid.store}
            id={id}
            index={item.index}
            top={item.start - headerHeightPx}
            columns={columns}
            selected={id === grid.selectedId}
            roving={item.index === keys.rovingIndex}
            expanded={grid.renderPanel !== undefined && expansion.isOpen(id)}
            renderPanel={grid.renderPanel}
            expandLabel={t('grid.expandRow')}
            rowClass={grid.rowClass}
          />
        )
      })}
    </div>
  )
}

/** Text where there are no rows, or others than before. */
function GridState<T>({ grid, rows }: PartOfGrid<T>) {
  const { store, state, errorText, onRetry, empty, noMatch } = grid
  const { order } = rows
  const { isEmpty = store.size() === 0 } = grid
  const isReady = state === 'ready'
  return (
    <>
      {state === 'loading' && order.ids.length === 0 ? <GridSkeleton /> : null}
      {state === 'error' ? <GridError text={errorText} onRetry={onRetry} /> : null}
      {isReady && isEmpty ? <GridEmpty {...empty} /> : null}
      {isReady && !isEmpty && order.ids.length === 0 ? <GridEmpty {...noMatch} /> : null}
      {order.moved > 0 ? <MovedNotice count={order.moved} onShow={order.settle} /> : null}
    </>
  )
}

interface RowsInGrid<T> {
  scroll: RefObject<HTMLDivElement | null>
  compare: (a: T, b: T) => number
  /** The rows keep their places. */
  held: boolean
  onMenu: (id: string, x: number, y: number) => void
}

/** The order of the rows, which of them are open, which has the focus, and which are drawn. */
function useRows<T>(props: LiveGridProps<T>, { scroll, compare, held, onMenu }: RowsInGrid<T>) {
  const order = useRowOrder({
    store: props.store,
    filter: props.filter,
    compare,
    asked: props.asked,
    held,
  })
  const expansion = useExpansion(props.allExpanded ?? false)
  const hasPanel = props.renderPanel !== undefined
  const panelHeight = props.panelHeight ?? 0

  const sizeOf = (index: number) =>
    rowHeightPx + (hasPanel && expansion.isOpen(order.ids[index] ?? '') ? panelHeight : 0)
  const keys = useRowKeys({
    ids: order.ids,
    selectedId: props.selectedId,
    handle: props.handle,
    takesFocus: props.takesFocus ?? false,
    scroll,
    scrollTo: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
    onSelect: props.onSelect,
    onOpen: props.onOpen,
    onExpand: hasPanel ? expansion.set : undefined,
    onRowKey: props.onRowKey,
    onMenu,
  })
  const isPainted = useIsPainted()
  const isMeasured = useRef(false)
  const virtual = useVirtualizer({
    count: order.ids.length,
    getScrollElement: () => scroll.current,
    // Rows that are there come with the grid, not after its place has been measured.
    initialRect: { width: 0, height: window.innerHeight },
    estimateSize: sizeOf,
    getItemKey: (index) => order.ids[index] ?? index,
    overscan: isPainted ? 8 : 0,
    scrollPaddingStart: headerHeightPx,
    scrollMargin: headerHeightPx,
    rangeExtractor: keys.withRovingRow,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes depend on what is expanded and where it is
  useLayoutEffect(() => {
    // The first pass has just been measured; again would be a second one ahead of the first paint.
    if (isMeasured.current) virtual.measure()
    isMeasured.current = true
  }, [virtual, expansion.version, order.ids, hasPanel, panelHeight])
  return { order, expansion, keys, virtual }
}

/** False until the rows in sight have been painted: those to be scrolled to do not hold them up. */
function useIsPainted(): boolean {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [])
  return isPainted
}

function currentColumns<T>(inUse: ReturnType<typeof useColumns<T>>) {
  return inUse.shown.map((column) => ({
    key: column.id,
    width: inUse.layout.widths[column.id] ?? column.width,
  }))
}

/** The same array as long as the columns and their order are the same, so that rows do not render in vain. */
function useVisibleColumns<T>(now: readonly GridColumn<T>[]): readonly GridColumn<T>[] {
  const last = useRef<readonly GridColumn<T>[]>([])
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

/** Widths go to the rows as CSS variables of the root: resizing writes one style and renders no row. */
const gridVariables = <T,>({ template, totalWidth }: ColumnsInUse<T>, panelHeight: number) =>
  ({
    '--grid-columns': template,
    '--grid-total': `${totalWidth}px`,
    '--grid-panel-height': `${panelHeight}px`,
  }) as CSSProperties

/**
 * Pinned cells are shifted by a variable too; sticky ones would each become a layer, which costs most of the frame without a
 * GPU. Another value restyles every row, so the style sheet already has those of a list that is not scrolled.
 */
function useScrollVariables(
  root: RefObject<HTMLDivElement | null>,
  scroll: RefObject<HTMLDivElement | null>,
  totalWidth: number,
) {
  useLayoutEffect(() => {
    const element = scroll.current
    const grid = root.current
    if (!element || !grid) return
    let lastLeft = -1
    const place = () => {
      const left = element.scrollLeft
      const view = element.clientWidth
      const hidden = Math.max(0, totalWidth - view)
      lastLeft = left
      // Where all columns fit, panels are as wide as the rows.
      if (hidden > 0) grid.style.setProperty('--grid-view', `${view}px`)
      else grid.style.removeProperty('--grid-view')
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
