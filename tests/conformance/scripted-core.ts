/** Core's side of the gateway as a script, for one device: admits it, takes its uploads, and checks each of its messages. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FromCore, FromDevice, type Outcome, type Welcome } from '@backhaul/contract/gateway/gateway'
import {
  closeCodes,
  GATEWAY_PACKAGES_PATH,
  GATEWAY_PATH,
  GATEWAY_UPLOADS_PATH,
  MAX_FRAME_BYTES,
  type OrderName,
} from '@backhaul/contract/gateway/shared'
import { type WebSocket, WebSocketServer } from 'ws'
import { until } from '../stage/until.ts'

type OfAny<Message> = Message extends { revision: number } ? Omit<Message, 'revision'> : never
/** The wanted state of a unit or of a server. */
type Wanted = OfAny<Extract<FromCore, { type: 'wanted' | 'serverWanted' }>>

export interface ScriptedCore {
  /** http://127.0.0.1:port */
  readonly url: string
  /** How many messages of each type came. */
  readonly counts: ReadonlyMap<string, number>
  /** What is wrong with messages that do not satisfy the contract. */
  readonly faults: readonly string[]
  /** Files that a unit sent, or that a server may fetch, by the id of the upload. */
  readonly uploads: Map<string, Buffer>
  /** Ids of uploads whose connection ends after half of the file. */
  readonly interrupted: Set<string>
  /** Of the present connection; undefined while there is none. */
  bootId(): string | undefined
  /** Every message, until the returned function is called. */
  listen(listener: (message: FromDevice) => void): () => void
  send(message: FromCore): void
  /** Sends a wanted state, again after each welcome; resolves when the device has applied it, rejects with its reason. */
  want(wanted: Wanted): Promise<void>
  /** Sends an order and resolves with its last outcome; the order of a device that restarts ends after that. */
  order(name: OrderName, args?: Record<string, unknown>): Promise<Outcome>
  /** The token of the device is unknown from now on; who registers gets another. */
  voidToken(): void
  /** Orders an upgrade to this package; it is over when the device says hello as another version. */
  upgrade(version: string, content: Buffer): void
  close(): Promise<void>
}

const outcomeWithinMs = 60_000
const appliedWithinMs = 180_000

export interface ScriptedCoreOptions {
  /** What a server gets when it is welcomed. */
  keys?: () => Pick<Welcome, 'previewKey' | 'previewTime'>
}

export async function startScriptedCore({ keys }: ScriptedCoreOptions = {}): Promise<ScriptedCore> {
  const uploads = new Map<string, Buffer>()
  const interrupted = new Set<string>()
  const packages = new Map<string, Buffer>()
  const http = createServer((request, response) => {
    if (request.method === 'PUT') void takeUpload(uploads, request, response)
    else if (request.url?.startsWith(GATEWAY_UPLOADS_PATH))
      giveUpload({ uploads, interrupted }, request, response)
    else givePackage(packages, request, response)
  })
  const gateway = new WebSocketServer({ server: http, path: GATEWAY_PATH, maxPayload: MAX_FRAME_BYTES })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const counts = new Map<string, number>()
  const faults: string[] = []
  const listeners = new Set<(message: FromDevice) => void>()
  let device: { socket: WebSocket; bootId: string } | undefined
  let wanted: Extract<FromCore, { type: 'wanted' | 'serverWanted' }> | undefined
  let appliedRevision: number | undefined
  let orders = 0
  let tokens = 1
  const token = () => `token-${tokens}-of-device-1`
  const deviceId = 'device-1'

  const core: ScriptedCore = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    counts,
    faults,
    uploads,
    interrupted,
    bootId: () => device?.bootId,
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    send: (message) => device?.socket.send(JSON.stringify(message)),
    async want(next) {
      const revision = (wanted?.revision ?? 0) + 1
      wanted = { ...next, revision }
      let refusal: string | undefined
      const stop = core.listen((message) => {
        if (message.type === 'outcome' && message.revision === revision && message.state === 'refused')
          refusal = message.reason ?? 'refused without a reason'
      })
      core.send(wanted)
      const isOver = () => refusal !== undefined || appliedRevision === revision
      const state = JSON.stringify(next.state)
      await until(`the device to follow ${state}`, isOver, appliedWithinMs).finally(stop)
      if (refusal !== undefined) throw new Error(`refused ${state}: ${refusal}`)
    },
    async order(name, args = {}) {
      const id = `order-${++orders}`
      let last: Outcome | undefined
      const stop = core.listen((message) => {
        if (message.type === 'outcome' && message.id === id && message.state !== 'accepted') last = message
      })
      core.send({ type: 'order', id, name, args, deadlineMs: Date.now() + outcomeWithinMs })
      return await until(`an outcome of ${name}`, () => last, outcomeWithinMs).finally(stop)
    },
    voidToken() {
      tokens++
      device?.socket.close(closeCodes.unknownToken, 'Unknown device token')
      device = undefined
    },
    upgrade(version, content) {
      const upgradeId = `upgrade-${packages.size + 1}`
      packages.set(upgradeId, content)
      const args = { upgradeId, version, path: 'package.bhp' }
      core.send({
        type: 'order',
        id: upgradeId,
        name: 'upgrade',
        args,
        deadlineMs: Date.now() + outcomeWithinMs,
      })
    },
    async close() {
      for (const client of gateway.clients) client.terminate()
      gateway.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }

  gateway.on('connection', (socket, { headers: { authorization } }) => {
    if (authorization !== undefined && authorization !== `Bearer ${token()}`)
      return socket.close(closeCodes.unknownToken, 'Unknown device token')
    const send = (message: FromCore) => socket.send(JSON.stringify(message))
    socket.on('message', (data) => {
      const read = FromDevice.safeParse(JSON.parse(data.toString()))
      if (!read.success) return void faults.push(`${read.error.message}: ${data.toString().slice(0, 300)}`)
      const message = read.data
      counts.set(message.type, (counts.get(message.type) ?? 0) + 1)
      if (message.type === 'report' || message.type === 'serverReport')
        appliedRevision = message.actual.appliedRevision ?? appliedRevision
      for (const listener of listeners) listener(message)
      if (message.type === 'register') send({ type: 'registered', deviceId, token: token() })
      if (message.type !== 'hello') return
      device = { socket, bootId: message.bootId }
      send({ type: 'welcome', deviceId, serverTime: Date.now(), ...keys?.() })
      if (wanted) send(wanted)
    })
    socket.on('close', () => {
      if (device?.socket === socket) device = undefined
    })
  })
  return core
}

/** A part of a file: appended where it belongs, answered with the number of bytes that are there. */
async function takeUpload(
  uploads: Map<string, Buffer>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://core')
  const id = pathname.replace(`${GATEWAY_UPLOADS_PATH}/`, '')
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const before = (uploads.get(id) ?? Buffer.alloc(0)).subarray(0, Number(searchParams.get('from')))
  const file = Buffer.concat([before, ...parts])
  uploads.set(id, file)
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ taken: file.length }))
}

/** The rest of a file, from a byte on. */
function giveUpload(
  { uploads, interrupted }: Pick<ScriptedCore, 'uploads' | 'interrupted'>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://core')
  const id = pathname.replace(`${GATEWAY_UPLOADS_PATH}/`, '')
  const content = uploads.get(id)
  if (!content) response.writeHead(404).end()
  else if (interrupted.has(id))
    response
      .writeHead(200, { 'content-length': content.length })
      .write(content.subarray(0, content.length / 2), () => response.destroy())
  else response.writeHead(200).end(content.subarray(Number(searchParams.get('from'))))
}

/** The requested range of a package. */
function givePackage(
  packages: ReadonlyMap<string, Buffer>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const content = packages.get((request.url ?? '').replace(`${GATEWAY_PACKAGES_PATH}/`, ''))
  const [, from = 0, last = 0] = (/^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []).map(Number)
  if (!content) response.writeHead(404).end()
  else if (from >= content.length) response.writeHead(416).end()
  else response.writeHead(206).end(content.subarray(from, last + 1))
}
