import { type SplitterPaneSize, useSplitter } from '@mantine/hooks'
import type { CSSProperties, ReactNode } from 'react'

/** Pixels as `400px`, or a share of 100 as a number. */
export type SplitSize = SplitterPaneSize

interface SplitProps {
  isStacked?: boolean
  main: ReactNode
  mainMin: number
  /** Next to the main part, or before it; null when there is none. */
  side: ReactNode | null
  isSideFirst?: boolean
  sideLabel: string
  size: SplitSize
  sideMin: number
  sideMax: SplitSize
  /** The size that a double click on the handle restores. */
  defaultSize: SplitSize
  onSize: (size: SplitSize) => void
}

/** A fixed size may shrink with the window; a share grows into the room that is left. */
const flexOf = (size: SplitSize): CSSProperties =>
  typeof size === 'number' ? { flex: `${size} 1 0` } : { flex: `0 1 ${size}` }

/** Two parts with a handle between them, for the pointer and for arrow keys. The main one has the room that is left. */
export function Split(props: SplitProps) {
  const { isStacked = false, isSideFirst = false, main, side, size, onSize } = props
  const sideAt = isSideFirst ? 0 : 1
  const inOrder = <T,>(ofMain: T, ofSide: T): T[] => (isSideFirst ? [ofSide, ofMain] : [ofMain, ofSide])
  const rest = typeof size === 'number' ? 100 - size : 100
  const splitter = useSplitter({
    orientation: isStacked ? 'vertical' : 'horizontal',
    panels: inOrder(
      { defaultSize: rest, min: `${props.mainMin}px` },
      { defaultSize: props.defaultSize, min: `${props.sideMin}px`, max: props.sideMax },
    ),
    sizes: inOrder<SplitSize>(rest, size),
    onSizeChange: (sizes) => onSize(sizes[sideAt] ?? size),
    step: '10px',
    shiftStep: '50px',
  })
  const handle = {
    ...splitter.getHandleProps({ index: 0 }),
    'aria-label': props.sideLabel,
    onDoubleClick: () => onSize(props.defaultSize),
  }
  const least = (pixels: number): CSSProperties => (isStacked ? { minHeight: pixels } : { minWidth: pixels })
  const parts = [
    <div key="main" className="split-part" style={{ ...flexOf(rest), ...least(props.mainMin) }}>
      {main}
    </div>,
    side === null ? null : <div key="handle" className="split-handle" {...handle} />,
    side === null ? null : (
      <div key="side" className="split-part" style={{ ...flexOf(size), ...least(props.sideMin) }}>
        {side}
      </div>
    ),
  ]
  return (
    <div ref={splitter.ref} className="split-view" data-stacked={isStacked || undefined}>
      {isSideFirst ? parts.toReversed() : parts}
    </div>
  )
}
