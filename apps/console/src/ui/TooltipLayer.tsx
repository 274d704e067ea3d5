// The one tooltip of the page: for text that does not fit and for anything that carries data-tip.
import { useEffect, useState } from 'react'

const delayMs = 350

interface Tip {
  text: string
  anchor: HTMLElement
  /** From the edge of the page that is nearer to what the tip belongs to. */
  side: { left: number } | { right: number }
  y: number
  above: boolean
}

const leastMargin = 8
/** The widest tip with a margin. */
const mostWidth = 370

const cuttable = '.clip'

/** For the control in focus the words inside count too: by keyboard nothing can be pointed at. */
function textFor(target: HTMLElement, isFocus: boolean): { text: string; anchor: HTMLElement } | null {
  const tipped = target.closest<HTMLElement>('[data-tip]')
  if (tipped?.dataset.tip) return { text: tipped.dataset.tip, anchor: tipped }
  const inside = isFocus && target.matches('a, button') ? target.querySelector<HTMLElement>(cuttable) : null
  const clipped = inside ?? target.closest<HTMLElement>(cuttable)
  if (clipped && clipped.scrollWidth > clipped.clientWidth) {
    return { text: clipped.textContent ?? '', anchor: clipped }
  }
  return null
}

function sideOf({ left, right }: DOMRect): Tip['side'] {
  const { innerWidth } = window
  const kept = (margin: number) => Math.max(leastMargin, Math.min(margin, innerWidth - mostWidth))
  return left + right < innerWidth ? { left: kept(left) } : { right: kept(innerWidth - right) }
}

export function TooltipLayer() {
  const [tip, setTip] = useState<Tip | null>(null)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const hide = () => {
      clearTimeout(timer)
      setTip(null)
    }
    const show = (event: Event) => {
      const found =
        event.target instanceof HTMLElement || event.target instanceof SVGElement
          ? textFor(event.target as HTMLElement, event.type === 'focusin')
          : null
      hide()
      if (!found) return
      timer = setTimeout(() => {
        const box = found.anchor.getBoundingClientRect()
        const above = box.bottom + 60 > window.innerHeight
        setTip({ ...found, side: sideOf(box), y: above ? box.top - 6 : box.bottom + 6, above })
      }, delayMs)
    }
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide()
    document.addEventListener('pointerover', show)
    document.addEventListener('focusin', show)
    document.addEventListener('pointerdown', hide)
    document.addEventListener('focusout', hide)
    document.addEventListener('scroll', hide, true)
    document.addEventListener('keydown', onKey)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('pointerover', show)
      document.removeEventListener('focusin', show)
      document.removeEventListener('pointerdown', hide)
      document.removeEventListener('focusout', hide)
      document.removeEventListener('scroll', hide, true)
      document.removeEventListener('keydown', onKey)
    }
  }, [])

  // A button that does something else by now has another text; without one, or without the button, the tip ends.
  useEffect(() => {
    if (!tip) return
    const { anchor } = tip
    const observer = new MutationObserver(() => {
      const text = anchor.isConnected ? textFor(anchor, false)?.text : undefined
      setTip(text === undefined ? null : { ...tip, text })
    })
    observer.observe(anchor, { attributeFilter: ['data-tip'] })
    if (anchor.parentElement) observer.observe(anchor.parentElement, { childList: true })
    return () => observer.disconnect()
  }, [tip])

  if (!tip) return null
  return (
    <div
      role="tooltip"
      className="tooltip-layer"
      style={{ ...tip.side, top: tip.y, transform: tip.above ? 'translateY(-100%)' : undefined }}
    >
      {tip.text}
    </div>
  )
}
