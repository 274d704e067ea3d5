/** The cost of a page while it is watched. */
import type { CDPSession, Page } from 'playwright-core'

export const frameMs = 1000 / 60

/** The counters of Chromium since the page was opened: seconds of script, of all tasks, bytes of heap. */
export async function metricsOf(session: CDPSession): Promise<Record<string, number>> {
  const { metrics } = await session.send('Performance.getMetrics')
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]))
}

export interface Watched {
  /** Between one frame and the next, in ms. */
  gaps: number[]
  /** Texts of the page that changed. */
  changes: number
  /** Tasks of the main thread that took more than 50 ms. */
  longTasks: number
}

/** Watches frames, tasks and changes of the page for a while. */
export function watchFrames(page: Page, seconds: number): Promise<Watched> {
  return page.evaluate(async (forMs) => {
    const { document, MutationObserver, PerformanceObserver, requestAnimationFrame } =
      globalThis as unknown as {
        document: { body: unknown }
        MutationObserver: new (
          run: (records: unknown[]) => void,
        ) => { observe(target: unknown, options: object): void; disconnect(): void }
        PerformanceObserver: new (
          run: (list: { getEntries(): unknown[] }) => void,
        ) => { observe(options: object): void; disconnect(): void }
        requestAnimationFrame(run: (atMs: number) => void): void
      }
    let longTasks = 0
    const tasks = new PerformanceObserver((list) => {
      longTasks += list.getEntries().length
    })
    tasks.observe({ type: 'longtask' })
    let changes = 0
    const observer = new MutationObserver((records) => {
      changes += records.length
    })
    observer.observe(document.body, { subtree: true, characterData: true, childList: true })
    const gaps: number[] = []
    const end = performance.now() + forMs
    await new Promise<void>((resolve) => {
      let last: number | undefined
      const next = (atMs: number) => {
        if (last !== undefined) gaps.push(atMs - last)
        last = atMs
        if (performance.now() < end) requestAnimationFrame(next)
        else resolve()
      }
      requestAnimationFrame(next)
    })
    observer.disconnect()
    tasks.disconnect()
    return { gaps, changes, longTasks }
  }, seconds * 1000)
}
