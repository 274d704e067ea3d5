/** Reads the clock in the picture of the page's video by way of a canvas. */
import { ageByStrip, readTimeCodeStrip } from '@backhaul/ffmpeg/time-code-strip'
import type { Page } from 'playwright-core'

export interface SeenTime {
  /** Wall clock of the source in milliseconds, modulo 2^24. */
  readonly sourceMs: number
  /** From the source's clock to this machine's. */
  readonly ageMs: number
}

interface Drawing {
  drawImage(image: unknown, ...places: number[]): void
  getImageData(...place: number[]): { data: ArrayLike<number> }
}

/** The little of a page's own types that is needed here. */
interface Video {
  videoWidth: number
  readyState: number
  ownerDocument: {
    createElement(name: 'canvas'): { width: number; height: number; getContext(kind: '2d'): Drawing }
  }
}

/** The time in the present picture of the page; undefined while it shows no picture with a readable clock. */
export async function seenTime(page: Page): Promise<SeenTime | undefined> {
  const strip = await page.locator('video').evaluate((video: Video) => {
    const width = video.videoWidth
    const hasPicture = width > 0 && video.readyState >= 2
    if (!hasPicture) return undefined
    const canvas = video.ownerDocument.createElement('canvas')
    Object.assign(canvas, { width, height: 1 })
    const drawing = canvas.getContext('2d')
    drawing.drawImage(video, 0, Math.round((width * 24) / 1280), width, 1, 0, 0, width, 1)
    const nowMs = Date.now()
    const pixels = drawing.getImageData(0, 0, width, 1).data
    return { luma: Array.from({ length: width }, (_, x) => pixels[x * 4 + 1] ?? 0), nowMs }
  })
  if (!strip) return undefined
  const sourceMs = readTimeCodeStrip((x) => strip.luma[x] ?? 0, strip.luma.length)
  return sourceMs === undefined ? undefined : { sourceMs, ageMs: ageByStrip(sourceMs, strip.nowMs) }
}
