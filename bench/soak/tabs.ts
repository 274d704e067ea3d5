/**
 * Pages of the console that stay open, each in a browser of its own so that its memory is its own. Nothing is attached to a
 * page except while it is read: a debugger that follows the network stores something of each picture.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright-core'
import { WebSocket } from 'ws'
import { chromiumFlags, chromiumPath, givePasswordOnPage } from '../../tests/stage/browser.ts'
import { residentKb } from '../load/process-cost.ts'

export interface Tab {
  readonly name: string
  read(): Promise<{ residentKb: number; heapKb: number }>
}

export async function openTab(
  stack: AsyncDisposableStack,
  name: string,
  url: string,
  path: string,
  password: string,
): Promise<Tab> {
  const folder = mkdtempSync(join(tmpdir(), `backhaul-tab-${name}-`))
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  const child = spawn(
    chromiumPath,
    chromiumFlags.concat(
      '--headless',
      '--remote-debugging-port=0',
      '--window-size=1440,900',
      `--user-data-dir=${folder}`,
      'about:blank',
    ),
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  stack.defer(() => ended(child))
  const debuggerUrl = await debuggerOf(child)
  await showPage(debuggerUrl, url, path, password)
  const pageUrl = await pageDebuggerOf(debuggerUrl)
  return {
    name,
    async read() {
      const { processInfo } = await askOnce<{ processInfo: { type: string; id: number }[] }>(debuggerUrl, [
        'SystemInfo.getProcessInfo',
      ])
      const renderers = processInfo.filter(({ type }) => type === 'renderer')
      // Garbage is collected first, so that only referenced memory is counted.
      const { metrics } = await askOnce<{ metrics: { name: string; value: number }[] }>(pageUrl, [
        'HeapProfiler.collectGarbage',
        'Performance.enable',
        'Performance.getMetrics',
      ])
      const heapBytes = metrics.find((one) => one.name === 'JSHeapUsedSize')?.value ?? Number.NaN
      return {
        residentKb: renderers.reduce((sum, { id }) => sum + residentOrNone(id), 0),
        heapKb: Math.round(heapBytes / 1024),
      }
    },
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exit
}

/** The address by which Chromium can be controlled, which it prints. */
function debuggerOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stderr! }).on('line', (line) => {
      const [, address] = /listening on (ws:\S+)/.exec(line) ?? []
      if (address !== undefined) resolve(address)
    })
    child.once('exit', () => reject(new Error('Chromium ended')))
  })
}

/** Signs in and leaves the page to itself. */
async function showPage(debuggerUrl: string, url: string, path: string, password: string): Promise<void> {
  const browser = await chromium.connectOverCDP(debuggerUrl)
  const page = browser.contexts()[0]?.pages()[0]
  if (!page) throw new Error('Chromium has no page')
  await givePasswordOnPage(page, url, 'admin', password)
  await page.waitForURL((address) => !address.pathname.startsWith('/login'))
  await page.goto(`${url}${path}`)
  await browser.close()
}

async function pageDebuggerOf(debuggerUrl: string): Promise<string> {
  const targets = (await (await fetch(`http://${new URL(debuggerUrl).host}/json/list`)).json()) as {
    type: string
    webSocketDebuggerUrl: string
  }[]
  const page = targets.find(({ type }) => type === 'page')
  if (!page) throw new Error('the page of the console was closed')
  return page.webSocketDebuggerUrl
}

/** Sends the commands one after the other on a connection of their own; the result of the last. */
async function askOnce<Result>(debuggerUrl: string, methods: readonly string[]): Promise<Result> {
  const socket = new WebSocket(debuggerUrl)
  try {
    return await new Promise<Result>((resolve, reject) => {
      const ask = (id: number) => socket.send(JSON.stringify({ id, method: methods[id] }))
      socket.on('open', () => ask(0))
      socket.on('message', (bytes) => {
        const answer = JSON.parse(String(bytes)) as {
          id?: number
          result: Result
          error?: { message: string }
        }
        if (answer.id === undefined) return
        if (answer.error) reject(new Error(answer.error.message))
        else if (answer.id === methods.length - 1) resolve(answer.result)
        else ask(answer.id + 1)
      })
      socket.on('error', reject)
    })
  } finally {
    socket.close()
  }
}

function residentOrNone(pid: number): number {
  try {
    return residentKb(pid)
  } catch {
    return 0
  }
}
