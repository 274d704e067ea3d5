/** Pages of the console that stay open, each in a browser of its own so that its memory is its own. */
import type { CDPSession, Page } from 'playwright-core'
import { openChromium, signInOnPage } from '../../tests/stage/browser.ts'
import { residentKb } from '../load/process-cost.ts'

export interface Tab {
  readonly name: string
  readonly page: Page
  read(): Promise<{ residentKb: number; heapKb: number }>
}

export async function openTab(
  stack: AsyncDisposableStack,
  name: string,
  url: string,
  path: string,
  password: string,
): Promise<Tab> {
  const { context, page, close } = await openChromium()
  stack.defer(close)
  await signInOnPage(page, url, 'admin', password)
  await page.goto(`${url}${path}`)
  const ofPage = await context.newCDPSession(page)
  await ofPage.send('Performance.enable')
  const ofBrowser = await context.browser()?.newBrowserCDPSession()
  return {
    name,
    page,
    async read() {
      return {
        residentKb: ofBrowser ? await renderersKb(ofBrowser) : Number.NaN,
        heapKb: await heapKb(ofPage),
      }
    },
  }
}

/** Of all processes that draw pages; a browser with one page has one, and at times a spare. */
async function renderersKb(browser: CDPSession): Promise<number> {
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo')
  const renderers = processInfo.filter(({ type }) => type === 'renderer')
  return renderers.reduce((sum, { id }) => sum + residentOrNone(id), 0)
}

function residentOrNone(pid: number): number {
  try {
    return residentKb(pid)
  } catch {
    return 0
  }
}

/** Garbage is collected first, so that only referenced memory is counted. */
async function heapKb(page: CDPSession): Promise<number> {
  await page.send('HeapProfiler.collectGarbage')
  const { metrics } = await page.send('Performance.getMetrics')
  return Math.round((metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / 1024)
}
