// The pictures of single units and of clusters: a plate with the glyph of the list, so that a state has the same colour and
// shape everywhere, and a mark for the most urgent alert. Each is drawn once and copied from then on.
import type { GlyphShape, Tone } from '../../ui/StatusGlyph.tsx'
import type { Colours } from './colours.ts'
import { type MarkerLook, type Severity, type Share, type Spot, shares } from './markers.ts'

export interface UnitLook extends MarkerLook {
  readonly shape: GlyphShape
  readonly tone: Tone
  readonly onAir: boolean
  /** Nothing was received from it for a while. */
  readonly stale: boolean
}

/** The markup of a glyph as the page has it. */
export type GlyphMarkup = (shape: GlyphShape) => string | undefined

export interface Sprites {
  drawUnit(context: CanvasRenderingContext2D, spot: Spot<UnitLook>, isSelected: boolean): void
  drawCluster(context: CanvasRenderingContext2D, spot: Spot<UnitLook>): void
}

export const unitRadiusPx = 13
/** The radius with its ring. */
export const clusterRadiusPx = 16
const spritePx = 44

const shareColours: Readonly<Record<Share, keyof Colours>> = {
  live: 'live',
  busy: 'busy',
  ready: 'ready',
  offline: 'offline',
}

/** `onReady` when a glyph can be drawn that could not be before. */
export function createSprites(colours: Colours, glyph: GlyphMarkup, onReady: () => void): Sprites {
  const ratio = devicePixelRatio || 1
  const sprites = new Map<string, HTMLCanvasElement>()
  const images = new Map<string, HTMLImageElement>()

  /** undefined while the browser reads it. */
  function glyphImage(shape: GlyphShape, colour: string): HTMLImageElement | undefined {
    const key = `${shape} ${colour}`
    const known = images.get(key)
    if (known) return known.complete && known.naturalWidth > 0 ? known : undefined
    const markup = glyph(shape)
    if (markup === undefined) return undefined
    const image = new Image(28, 28)
    image.onload = () => {
      sprites.clear()
      onReady()
    }
    image.src = `data:image/svg+xml,${encodeURIComponent(markup.replaceAll('currentColor', colour))}`
    images.set(key, image)
    return undefined
  }

  function sprite(key: string, draw: (context: CanvasRenderingContext2D) => void): HTMLCanvasElement {
    const known = sprites.get(key)
    if (known) return known
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = spritePx * ratio
    const context = canvas.getContext('2d')
    if (context) {
      context.setTransform(ratio, 0, 0, ratio, (spritePx / 2) * ratio, (spritePx / 2) * ratio)
      draw(context)
    }
    sprites.set(key, canvas)
    return canvas
  }

  function put(context: CanvasRenderingContext2D, picture: HTMLCanvasElement, x: number, y: number): void {
    // Positions are whole pixels, so that nothing is blurred.
    const at = (px: number) => Math.round((px - spritePx / 2) * ratio) / ratio
    context.drawImage(picture, at(x), at(y), spritePx, spritePx)
  }

  function disc(context: CanvasRenderingContext2D, radius: number, line: string, lineWidth: number): void {
    context.beginPath()
    context.arc(0, 0, radius, 0, 2 * Math.PI)
    context.fillStyle = colours.plate
    context.fill()
    context.strokeStyle = line
    context.lineWidth = lineWidth
    context.stroke()
  }

  function putAlert(context: CanvasRenderingContext2D, severity: Severity, away: number): void {
    if (severity === 'none') return
    const colour = colours[severity]
    context.beginPath()
    context.arc(away, -away, 7.5, 0, 2 * Math.PI)
    context.fillStyle = colours.plate
    context.fill()
    const image = glyphImage(severity === 'critical' ? 'octagon' : 'triangle', colour)
    if (image) context.drawImage(image, away - 7, -away - 7, 14, 14)
  }

  const unitSprite = (look: UnitLook, isSelected: boolean) =>
    sprite(`${look.key} ${isSelected}`, (context) => {
      if (look.stale) context.globalAlpha = 0.6
      if (isSelected) {
        context.beginPath()
        context.arc(0, 0, unitRadiusPx + 3.5, 0, 2 * Math.PI)
        context.strokeStyle = colours.accent
        context.lineWidth = 3
        context.stroke()
      }
      disc(context, unitRadiusPx - 1, colours[look.tone], 1.5)
      if (look.onAir) {
        context.strokeStyle = colours.onAir
        context.lineWidth = 3
        context.strokeRect(-unitRadiusPx - 2, -unitRadiusPx - 2, 2 * unitRadiusPx + 4, 2 * unitRadiusPx + 4)
      }
      const image = glyphImage(look.shape, colours[look.tone])
      if (image) context.drawImage(image, -8, -8, 16, 16)
      putAlert(context, look.severity, 10)
    })

  return {
    drawUnit: (context, { look, x, y }, isSelected) => put(context, unitSprite(look, isSelected), x, y),
    drawCluster(context, { count, severity, onShares, x, y }) {
      // The ring shows in eighths how many of them are in which state, so that few pictures are needed.
      const eighths = inEighths(onShares, count)
      const picture = sprite(`cluster ${severity} ${eighths.join('')}`, (onto) => {
        disc(onto, 15, colours.outline, 1)
        let from = -Math.PI / 2
        eighths.forEach((eighth, at) => {
          const to = from + (eighth * Math.PI) / 4
          onto.beginPath()
          onto.arc(0, 0, 14.5, from, to)
          onto.strokeStyle = colours[shareColours[shares[at] ?? 'offline']]
          onto.lineWidth = 3.5
          if (eighth > 0) onto.stroke()
          from = to
        })
        putAlert(onto, severity, 12)
      })
      put(context, picture, x, y)
      context.font = '600 11px "Inter Variable", sans-serif'
      context.textAlign = 'center'
      context.textBaseline = 'middle'
      context.fillStyle = colours.ink
      context.fillText(countText(count), x, y + 0.5)
    },
  }
}

const countText = (count: number): string => (count < 1000 ? `${count}` : `${Math.round(count / 100) / 10}k`)

/** Eight parts in all; each state that occurs has one at least. */
function inEighths(counts: Int32Array, total: number): number[] {
  const parts = [...counts].map((count) => (count === 0 ? 0 : Math.max(1, Math.round((count * 8) / total))))
  for (let sum = parts.reduce((a, b) => a + b, 0); sum !== 8; sum = parts.reduce((a, b) => a + b, 0)) {
    const largest = parts.indexOf(Math.max(...parts))
    parts[largest] = (parts[largest] ?? 0) + (sum > 8 ? -1 : 1)
  }
  return parts
}
