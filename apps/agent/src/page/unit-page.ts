// The unit's own page for its crew: served by the unit, in a browser on the machine or on a phone in its network.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { CrewTalk } from '../intercom/intercom.ts'
import { createPageAccess, type PageAccess } from './page-access.ts'
import { pageCss, pageHtml, pageScript, passwordHtml } from './page-html.ts'
import { type PageFacts, pageStateOf, sessionOn } from './page-state.ts'
import { type Language, languageOf, pageTexts } from './page-texts.ts'
import type { Stills } from './stills.ts'
import { carryOut, headerFault, isTalkPath, type RequestFault } from './talk-door.ts'

const periodMs = 1000
const readersAtMost = 16
const connectionsAtMost = 64
const longestForm = 1024
/** A reader that is this far behind is disconnected, and connects again by itself. */
const mostWaitingBytes = 256 * 1024

const headers = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

export interface UnitPageOptions {
  host: string
  /** 0 takes any free one. */
  port: number
  /** Required of every browser, where it is set. */
  password: string | undefined
  name: string
  facts: () => Pick<PageFacts, 'isConnected' | 'actual' | 'sample'>
  talk: () => CrewTalk
  cameras: number
  stills: Stills
  clock: Clock
  log: Log
}

export interface UnitPage {
  /** The address of the page, such as http://127.0.0.1:8090. */
  readonly address: string
  showTally(onAir: boolean): void
  close(): Promise<void>
}

interface Reader {
  readonly response: ServerResponse
  readonly language: Language
}

/**
 * Rejects when the port cannot be opened. Every reader gets the state each second, and immediately when the tally or a
 * microphone changes.
 */
export async function openUnitPage(options: UnitPageOptions): Promise<UnitPage> {
  const { host, port, clock, log, stills } = options
  const access = createPageAccess(options.password, clock)
  const sinceOf = createChangeTimes(clock)
  const readers = new Set<Reader>()
  let onAir = false

  /** Read also while no user looks, so that the times are right later. */
  function factsNow(): Omit<PageFacts, 'onAir' | 'stills'> {
    const { isConnected, actual, sample } = options.facts()
    const lines = options.talk().lines()
    return {
      isConnected,
      actual,
      sample,
      connectionSinceMs: sinceOf('core', `${isConnected}`),
      lines: lines.map((line) => {
        const session = sessionOn(actual, line.intercom)
        const sinceMs = sinceOf(`line ${line.intercom}`, `${session?.state} ${session?.sessionId}`)
        return { ...line, sinceMs }
      }),
    }
  }

  function stateFor(language: Language): string {
    const numbers = Array.from({ length: options.cameras }, (_, at) => stills.of(at + 1)?.number ?? null)
    return JSON.stringify(pageStateOf({ ...factsNow(), onAir, stills: numbers }, language))
  }

  function send({ response, language }: Reader): void {
    if (response.writableLength > mostWaitingBytes) return void response.destroy()
    response.write(`data: ${stateFor(language)}\n\n`)
  }

  function sendAll(): void {
    for (const reader of readers) send(reader)
  }

  function addReader(response: ServerResponse, language: Language): void {
    if (readers.size >= readersAtMost) return void answer(response, 503)
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' })
    const reader = { response, language }
    const endWatch = stills.watch()
    readers.add(reader)
    response.on('error', () => {})
    response.on('close', () => {
      readers.delete(reader)
      endWatch()
    })
    send(reader)
  }

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url?.split('?')[0] ?? ''
    const language = languageOf(request.headers['accept-language'])
    const still = stills.of(Number(/^\/cameras\/(\d)\.jpg$/.exec(path)?.[1]))
    if (path === '/') answer(response, 200, 'text/html; charset=utf-8', pageHtml(language, options.name))
    else if (path === '/page.js') answer(response, 200, 'text/javascript; charset=utf-8', pageScript)
    else if (path === '/events') addReader(response, language)
    else if (still) answer(response, 200, 'image/jpeg', still.jpeg)
    else answer(response, 404)
  }

  function accessFault(request: IncomingMessage): RequestFault | undefined {
    if (access.isAllowed(request.headers)) return undefined
    const isOpen = options.password === undefined
    return {
      status: 403,
      message: isOpen
        ? 'host: must be a name of this machine'
        : 'password: must be entered on the page first',
    }
  }

  async function change(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault =
      accessFault(request) ??
      headerFault(request.headers) ??
      carryOut(options.talk(), path, await readAll(request).catch(() => ''))
    if (fault) {
      const { status, message } = fault
      return answer(response, status, 'application/json', JSON.stringify({ message }))
    }
    answer(response, 204)
    sendAll()
  }

  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    if (request.method === 'POST' && path === '/password' && options.password !== undefined)
      return void enter(options, access, request, response)
    if (request.method === 'POST' && isTalkPath(path)) return void change(path, request, response)
    if (request.method !== 'GET') return answer(response, 405)
    if (path === '/page.css') return answer(response, 200, 'text/css; charset=utf-8', pageCss)
    if (access.isAllowed(request.headers)) return serve(request, response)
    if (options.password === undefined || path !== '/') return answer(response, 403)
    askPassword(options, request, response, 403, '')
  })
  server.maxConnections = connectionsAtMost
  await listen(server, host, port)
  const timer = clock.setInterval(() => {
    factsNow()
    sendAll()
  }, periodMs)
  const address = `http://${host}:${(server.address() as AddressInfo).port}`
  log.info({ address, password: options.password !== undefined }, "the unit's own page is served")

  return {
    address,
    showTally(next) {
      onAir = next
      sendAll()
    },
    async close() {
      clock.clearInterval(timer)
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await Promise.all([closed, stills.close()])
    },
  }
}

/** When each of several values, by its name, became what it is. */
function createChangeTimes(clock: Clock): (name: string, value: string) => number {
  const known = new Map<string, { value: string; sinceMs: number }>()
  return (name, value) => {
    const last = known.get(name)
    if (last?.value === value) return last.sinceMs
    const sinceMs = clock.nowMs()
    known.set(name, { value, sinceMs })
    return sinceMs
  }
}

function answer(
  response: ServerResponse,
  status: number,
  type?: string,
  content: string | Buffer = '',
): void {
  response.writeHead(status, { ...headers, ...(type && { 'content-type': type }) }).end(content)
}

function askPassword(
  { name }: UnitPageOptions,
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  message: 'wrongPassword' | 'laterPassword' | '',
): void {
  const language = languageOf(request.headers['accept-language'])
  const text = message && pageTexts[language][message]
  answer(response, status, 'text/html; charset=utf-8', passwordHtml(language, name, text))
}

async function enter(
  options: UnitPageOptions,
  access: PageAccess,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // A form without a length is none of a browser.
  if (!(Number(request.headers['content-length']) <= longestForm)) return answer(response, 413)
  const form = await readAll(request).catch(() => '')
  const address = request.socket.remoteAddress ?? ''
  const result = access.enter(new URLSearchParams(form).get('password') ?? '', address)
  if (result === 'later') return askPassword(options, request, response, 429, 'laterPassword')
  if (result === 'wrong') {
    options.log.warn({ address }, "wrong password for the unit's own page")
    return askPassword(options, request, response, 403, 'wrongPassword')
  }
  response.writeHead(303, { ...headers, location: '/', 'set-cookie': result.cookie }).end()
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
