/**
 * Pages of the console that are kept open, each in a browser of its own so that its memory is its own. Nothing is attached to a
 * page except while it is read: a debugger that follows the network stores something of each picture.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { chromiumFlags, chromiumPath, givePasswordOnPage } from '../../tests/stage/browser.ts'
import { ownKb } from '../load/process-cost.ts'
import { heapKb, inspected } from './debugger.ts'

const freedWithinMs = 1000

/**
 * Each function is compiled once, at its first call, and the space for new objects has one size: what V8 compiles again when
 * it has run often, and gives to new objects when many survive, would look like growth for hours.
 */
const sameSize =
  '--js-flags=--always-sparkplug --no-maglev --no-turbofan --min-semi-space-size=1 --max-semi-space-size=1'

export interface Tab {
  readonly name: string
  read(): Promise<{ ownKb: number; heapKb: number }>
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
      sameSize,
      '--remote-debugging-port=0',
      '--window-size=1440,900',
      `--user-data-dir=${folder}`,
      'about:blank',
    ),
    // Debian's program is a script that waits for Chromium: both are in a group of their own, which is ended as a whole.
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  stack.defer(() => ended(child))
  const debuggerUrl = await debuggerOf(child)
  await showPage(debuggerUrl, url, path, password)
  const pageUrl = await pageDebuggerOf(debuggerUrl)
  return {
    name,
    async read() {
      const heap = await heapKb(pageUrl)
      await freeCaches(debuggerUrl)
      const { processInfo } = await inspected(debuggerUrl, ({ ask }) =>
        ask<{ processInfo: { type: string; id: number }[] }>({ method: 'SystemInfo.getProcessInfo' }),
      )
      const renderers = processInfo.filter(({ type }) => type === 'renderer')
      return {
        ownKb: renderers.reduce((sum, { id }) => sum + ownOrNone(id), 0),
        heapKb: heap,
      }
    },
  }
}

/** Decoded pictures and buffers that Chromium keeps as long as memory is plenty come and go by 40 MB. */
async function freeCaches(debuggerUrl: string): Promise<void> {
  const command = { method: 'Memory.simulatePressureNotification', params: { level: 'critical' } }
  await inspected(debuggerUrl, ({ ask }) => ask(command))
  await wait(freedWithinMs)
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  process.kill(-child.pid, 'SIGTERM')
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

function ownOrNone(pid: number): number {
  try {
    return ownKb(pid)
  } catch {
    return 0
  }
}
