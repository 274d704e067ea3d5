// Pointer, wheel, fingers and keys on the map.
import { type MapView, panned, type Size, zoomed } from './mercator.ts'

interface Hand {
  view(): MapView
  size(): Size
  move(view: MapView): void
  /** A press at a position in px of the map. */
  press(x: number, y: number): void
  /** A double click; true where something was there. */
  open(x: number, y: number): boolean
  openSelected(): void
  showAll(): void
  /** The point that is kept in place when keys zoom, in px from the middle. */
  anchor(): [x: number, y: number]
  point(at: { x: number; y: number } | undefined): void
}

/** A press that moves less is a click. */
const clickPx = 5
const wheelPxPerZoom = 320
const stepPx = 90

/** Answers how to stop it. */
export function followHand(host: HTMLElement, hand: Hand): () => void {
  const stopping = new AbortController()
  const { signal } = stopping
  const fingers = new Map<number, { x: number; y: number }>()
  let wandered = 0

  const at = (event: MouseEvent) => {
    const box = host.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }
  const fromMiddle = ({ x, y }: { x: number; y: number }): [number, number] => {
    const { width, height } = hand.size()
    return [x - width / 2, y - height / 2]
  }

  host.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0) return
      host.setPointerCapture(event.pointerId)
      if (fingers.size === 0) wandered = 0
      fingers.set(event.pointerId, at(event))
    },
    { signal },
  )
  host.addEventListener(
    'pointermove',
    (event) => {
      const now = at(event)
      const before = fingers.get(event.pointerId)
      if (!before) {
        hand.point(event.pointerType === 'touch' ? undefined : now)
        return
      }
      const [moveX, moveY] = [now.x - before.x, now.y - before.y]
      wandered += Math.hypot(moveX, moveY)
      fingers.set(event.pointerId, now)
      if (wandered <= clickPx) return
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1]
      if (!other) return hand.move(panned(hand.view(), moveX, moveY))
      // Two fingers: the map between them is kept between them.
      const spread = (a: { x: number; y: number }) => Math.hypot(a.x - other.x, a.y - other.y)
      const by = Math.log2(Math.max(spread(now), 1) / Math.max(spread(before), 1))
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }
      hand.move(zoomed(panned(hand.view(), moveX / 2, moveY / 2), by, ...fromMiddle(middle)))
    },
    { signal },
  )
  const lift = (event: PointerEvent) => {
    const was = fingers.get(event.pointerId)
    fingers.delete(event.pointerId)
    if (was && event.type === 'pointerup' && wandered <= clickPx && fingers.size === 0)
      hand.press(was.x, was.y)
  }
  host.addEventListener('pointerup', lift, { signal })
  host.addEventListener('pointercancel', lift, { signal })
  host.addEventListener('pointerleave', () => hand.point(undefined), { signal })
  host.addEventListener(
    'dblclick',
    (event) => {
      const place = at(event)
      if (!hand.open(place.x, place.y)) hand.move(zoomed(hand.view(), 1, ...fromMiddle(place)))
    },
    { signal },
  )
  host.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      const px = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 20 : event.deltaY
      // Fingers on a trackpad arrive as a wheel with Ctrl, in smaller steps.
      const by = -px / (event.ctrlKey ? wheelPxPerZoom / 4 : wheelPxPerZoom)
      hand.move(zoomed(hand.view(), Math.max(-1, Math.min(1, by)), ...fromMiddle(at(event))))
    },
    { signal, passive: false },
  )
  host.addEventListener('keydown', (event) => pressKey(event, hand), { signal })
  return () => stopping.abort()
}

function pressKey(event: KeyboardEvent, hand: Hand): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const step = event.shiftKey ? 3 * stepPx : stepPx
  const moves: Readonly<Record<string, readonly [rightPx: number, downPx: number]>> = {
    ArrowLeft: [step, 0],
    ArrowRight: [-step, 0],
    ArrowUp: [0, step],
    ArrowDown: [0, -step],
  }
  const zooms: Readonly<Record<string, number>> = { '+': 1, '=': 1, '-': -1 }
  const [move, zoom] = [moves[event.key], zooms[event.key]]
  if (move) hand.move(panned(hand.view(), ...move))
  else if (zoom !== undefined) hand.move(zoomed(hand.view(), zoom, ...hand.anchor()))
  else if (event.key === 'Home') hand.showAll()
  else if (event.key === 'Enter') hand.openSelected()
  else return
  event.preventDefault()
  event.stopPropagation()
}
