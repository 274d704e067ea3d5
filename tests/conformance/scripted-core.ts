/** Core's side of the gateway as a script: admits a device, takes its uploads, and checks each of its messages. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
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
  /** The number of messages of each type that were received. */
  readonly counts: ReadonlyMap<string, number>
  /** The faults of messages that do not satisfy the contract. */
  readonly faults: readonly string[]
  /** Files that a unit sent, or that a server may fetch, by the id of the upload. */
  readonly uploads: Map<string, Buffer>
  /** Ids of uploads whose connection ends after half of the file. */
  readonly interrupted: Set<string>
  /** The boot id of the present connection; undefined while there is none. */
  bootId(): string | undefined
  /** Every message, until the returned function is called. */
  listen(listener: (message: FromDevice) => void): () => void
  send(message: FromCore): void
  /** The device reads what `run` sends at one time. */
  together<T>(run: () => T): T
  /** Sends a wanted state, again after each welcome; resolves when the device has applied it, rejects with its reason. */
  want(wanted: Wanted): Promise<void>
  /** Sends an order, again after each welcome, and resolves with its last outcome. */
  order(name: OrderName, args?: Record<string, unknown>): Promise<Outcome>
  /** The token of the device is unknown from now on; who registers gets another. */
  voidToken(): void
  /** Orders an upgrade to this package; it is over when the device sends hello as another version. */
  upgrade(version: string, content: Buffer): void
  close(): Promise<void>
}

const outcomeWithinMs = 60_000
const appliedWithinMs = 180_000

export interface ScriptedCoreOptions {
  /** The keys that a server is sent with its welcome. */
  keys?: () => Pick<Welcome, 'previewKey' | 'previewTime'>
  /** How late an order may be carried out; more where the time of devices runs faster. */
  orderWithinMs?: number
}

/** For one device, of any product. */
export async function startScriptedCore(options: ScriptedCoreOptions = {}): Promise<ScriptedCore> {
  const { device } = await startScriptedCores({ device: undefined }, options)
  return device
}

/** For a device of each of these products, with a script of its own, at one address; others are not admitted. */
export async function startScriptedCores<Name extends string>(
  products: Readonly<Record<Name, string | undefined>>,
  options: ScriptedCoreOptions = {},
): Promise<Readonly<Record<Name, ScriptedCore>>> {
  const uploads = new Map<string, Buffer>()
  const interrupted = new Set<string>()
  const packages = new Map<string, Buffer>()
  const faults: string[] = []
  const http = createServer((request, response) => {
    if (request.method === 'PUT') void takeUpload(uploads, request, response)
    else if (request.url?.startsWith(GATEWAY_UPLOADS_PATH))
      giveUpload({ uploads, interrupted }, request, response)
    else givePackage(packages, request, response)
  })
  const gateway = new WebSocketServer({ server: http, path: GATEWAY_PATH, maxPayload: MAX_FRAME_BYTES })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const door: Door = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    faults,
    uploads,
    interrupted,
    packages,
    async close() {
      for (const client of gateway.clients) client.terminate()
      gateway.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
  const names = Object.keys(products) as Name[]
  const devices = names.map((name, at) => ({
    name,
    product: products[name],
    ...createScriptedDevice(`device-${at + 1}`, door, options),
  }))

  gateway.on('connection', (socket, { headers: { authorization }, socket: carrier }) => {
    const isKnown = devices.some(({ token }) => authorization === `Bearer ${token()}`)
    if (authorization !== undefined && !isKnown)
      return socket.close(closeCodes.unknownToken, 'Unknown device token')
    let device: (typeof devices)[number] | undefined
    socket.on('message', (data) => {
      const read = FromDevice.safeParse(JSON.parse(data.toString()))
      if (!read.success) return void faults.push(`${read.error.message}: ${data.toString().slice(0, 300)}`)
      const message = read.data
      if (message.type === 'register' || message.type === 'hello')
        device = devices.find(({ product = message.product }) => product === message.product)
      if (device) device.take(message, socket, carrier)
      else socket.close(closeCodes.notAllowed, 'Not a device of this run')
    })
    socket.on('close', () => device?.lost(socket))
  })
  return Object.fromEntries(devices.map(({ name, core }) => [name, core])) as Record<Name, ScriptedCore>
}

/** The door that all devices of one run share. */
interface Door extends Pick<ScriptedCore, 'url' | 'faults' | 'uploads' | 'interrupted' | 'close'> {
  /** By the upgrade. */
  readonly packages: Map<string, Buffer>
}

interface ScriptedDevice {
  readonly core: ScriptedCore
  token(): string
  take(message: FromDevice, socket: WebSocket, carrier: Socket): void
  lost(socket: WebSocket): void
}

function createScriptedDevice(
  deviceId: string,
  { packages, ...door }: Door,
  { keys, orderWithinMs = outcomeWithinMs }: ScriptedCoreOptions,
): ScriptedDevice {
  const counts = new Map<string, number>()
  const listeners = new Set<(message: FromDevice) => void>()
  /** Orders without a last outcome: an outcome is lost with its connection. */
  const open = new Map<string, FromCore>()
  let device: { socket: WebSocket; carrier: Socket; bootId: string } | undefined
  let wanted: Extract<FromCore, { type: 'wanted' | 'serverWanted' }> | undefined
  let appliedRevision: number | undefined
  let orders = 0
  let tokens = 1
  const token = () => `token-${tokens}-of-${deviceId}`

  const core: ScriptedCore = {
    ...door,
    counts,
    bootId: () => device?.bootId,
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    send: (message) => device?.socket.send(JSON.stringify(message)),
    together(run) {
      const carrier = device?.carrier
      carrier?.cork()
      try {
        return run()
      } finally {
        carrier?.uncork()
      }
    },
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
      const order: FromCore = { type: 'order', id, name, args, deadlineMs: Date.now() + orderWithinMs }
      open.set(id, order)
      core.send(order)
      return await until(`an outcome of ${name}`, () => last, outcomeWithinMs).finally(() => {
        open.delete(id)
        stop()
      })
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
        deadlineMs: Date.now() + orderWithinMs,
      })
    },
  }

  return {
    core,
    token,
    take(message, socket, carrier) {
      const send = (answer: FromCore) => socket.send(JSON.stringify(answer))
      counts.set(message.type, (counts.get(message.type) ?? 0) + 1)
      if (message.type === 'report' || message.type === 'serverReport')
        appliedRevision = message.actual.appliedRevision ?? appliedRevision
      for (const listener of listeners) listener(message)
      if (message.type === 'register') send({ type: 'registered', deviceId, token: token() })
      if (message.type !== 'hello') return
      device = { socket, carrier, bootId: message.bootId }
      send({ type: 'welcome', deviceId, serverTime: Date.now(), ...keys?.() })
      if (wanted) send(wanted)
      for (const order of open.values()) send(order)
    },
    lost(socket) {
      if (device?.socket === socket) device = undefined
    },
  }
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
