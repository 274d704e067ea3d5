import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useNarrow } from './use-narrow.ts'

interface SplitViewProps {
  id: string
  main: ReactNode
  /** The resizable side; null when there is none. */
  side: ReactNode | null
  sideLabel: string
}

/** px that main keeps and that the side may have, next to each other and one under the other. */
const sideBySide = { main: 360, least: 300, most: 720, start: 400 }
const stacked = { main: 200, least: 160, most: Number.POSITIVE_INFINITY, start: 320 }
/** px that one press of an arrow moves the handle. */
const step = 24

/** Content with a resizable inspector at its end, under it on a narrow screen; its size is remembered on this machine. */
export function SplitView({ id, main, side, sideLabel }: SplitViewProps) {
  const isStacked = useNarrow()
  const limits = isStacked ? stacked : sideBySide
  const key = `split.${id}${isStacked ? '-stacked' : ''}`
  const frame = useRef<HTMLDivElement>(null)
  const sideId = useId()
  const [sizes, setSizes] = useState<Readonly<Record<string, number>>>({})
  const size = sizes[key] ?? (Number(localStorage.getItem(key)) || limits.start)

  function resize(wanted: number): void {
    const whole = (isStacked ? frame.current?.clientHeight : frame.current?.clientWidth) ?? 0
    const most = Math.min(limits.most, whole - limits.main)
    const next = Math.round(Math.max(limits.least, Math.min(wanted, most)))
    setSizes({ ...sizes, [key]: next })
    localStorage.setItem(key, String(next))
  }

  function drag(event: PointerEvent<HTMLElement>): void {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const end = frame.current?.getBoundingClientRect()
    if (end) resize(isStacked ? end.bottom - event.clientY : end.right - event.clientX)
  }

  function press(event: KeyboardEvent): void {
    const wider = isStacked ? 'ArrowUp' : 'ArrowLeft'
    const narrower = isStacked ? 'ArrowDown' : 'ArrowRight'
    const sizeOfKey = { [wider]: size + step, [narrower]: size - step, Home: limits.least, End: limits.most }
    const next = sizeOfKey[event.key]
    if (next === undefined) return
    event.preventDefault()
    resize(next)
  }

  return (
    <div ref={frame} className="split-view" data-stacked={isStacked || undefined}>
      <div className="split-main">{main}</div>
      {side === null ? null : (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: a rule between paragraphs cannot be moved */}
          <div
            role="separator"
            className="split-handle"
            tabIndex={0}
            aria-label={sideLabel}
            aria-orientation={isStacked ? 'horizontal' : 'vertical'}
            aria-controls={sideId}
            aria-valuenow={size}
            aria-valuemin={limits.least}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={drag}
            onKeyDown={press}
          />
          <div id={sideId} className="split-side" style={{ flexBasis: size }}>
            {side}
          </div>
        </>
      )}
    </div>
  )
}
