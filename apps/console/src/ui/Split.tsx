import { type CSSProperties, Suspense } from 'react'
import { loadedBehind } from './loaded.ts'
import { restOf, type SplitProps, type SplitSize } from './split-size.ts'

// A side that is there from the start has its handle as soon as the first screen is there.
const SplitHandle = loadedBehind(async () => (await import('./SplitHandle.tsx')).SplitHandle)

/** A fixed size may shrink with the window; a share grows into the room that is left. */
const flexOf = (size: SplitSize): CSSProperties =>
  typeof size === 'number' ? { flex: `${size} 1 0` } : { flex: `0 1 ${size}` }

/** Two parts with a handle between them, for the pointer and for arrow keys. The main one has the room that is left. */
export function Split(props: SplitProps) {
  const { isStacked = false, isSideFirst = false, main, side, size } = props
  const least = (pixels: number): CSSProperties => (isStacked ? { minHeight: pixels } : { minWidth: pixels })
  const parts = [
    <div key="main" className="split-part" style={{ ...flexOf(restOf(size)), ...least(props.mainMin) }}>
      {main}
    </div>,
    side === null ? null : (
      <Suspense key={isStacked ? 'handle-below' : 'handle'} fallback={<div className="split-handle" />}>
        <SplitHandle {...props} />
      </Suspense>
    ),
    side === null ? null : (
      <div key="side" className="split-part" style={{ ...flexOf(size), ...least(props.sideMin) }}>
        {side}
      </div>
    ),
  ]
  return (
    <div className="split-view" data-stacked={isStacked || undefined}>
      {isSideFirst ? parts.toReversed() : parts}
    </div>
  )
}
