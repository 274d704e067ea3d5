/**
 * The least that the required work of core's intake costs with ws, JSON.parse and SQLite: each status is checked field by
 * field, compared with the last one, put into the time series, and both are on disk at core's rhythm; a new unit is admitted
 * by its key, stored with its group in a transaction that those of the same moment share, and welcomed by its token.
 *
 * `least-intake.ts <port> <database file> <registration key>`; it answers the fleet as the gateway does, any path by HTTP with two
 * bytes, and any line with the number of statuses so far.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { UnitSample } from '@backhaul/contract/gateway/units'
import { type WebSocket, WebSocketServer } from 'ws'
import { answerLines } from '../load/load-program.ts'
import { isTelemetry } from './least-check.ts'
import { LeastSeries, type Piece } from './least-series.ts'
import type { Batch } from './least-storage.ts'

const [port, file = '', key = ''] = process.argv.slice(2)
/** As core does: how often chunks that are due are written, and each thirtieth part of the last known states. */
const [chunksEveryMs, statesEveryMs, statesRounds] = [1000, 2000, 30]
const [inventoryId, groupId] = ['in-1', 'gr-1']
const wanted = JSON.stringify({ channelId: null, delayMs: 1000, transmission: null, disabledLinks: [] })
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')
const keyHash = Buffer.from(hashOf(key))

interface Unit {
  id: string
  series: LeastSeries
  sample: UnitSample | undefined
  actual: object | undefined
  /** Grows with each change; readers would be sent what is newer than they have, and here is none. */
  revision: number
  lastSeenMs: number
}

interface Register {
  registrationKey: string
  kind: string
  product: string
  serialNumber: string
  name: string
  swVersion: string
}

const units = new Map<string, Unit>()
/** By the hash of their token. */
const known = new Map<string, Unit>()
const pending = new Set<Unit>()
let taken = 0

const storage = new Worker(join(import.meta.dirname, 'least-storage.ts'), { workerData: file })
const storing = new Map<number, () => void>()
let batches = 0
storage.on('message', (id: number) => {
  storing.get(id)?.()
  storing.delete(id)
})
function store(rows: Batch['rows']): Promise<void> {
  const id = batches++
  return new Promise((resolve) => {
    storing.set(id, resolve)
    storage.postMessage({ id, rows } satisfies Batch)
  })
}

const idOfRow = () => randomBytes(9).toString('base64url')

const events: [id: string, unitId: string, atMs: number, kind: string, data: string][] = []
function note(unit: Unit, kind: string, code: string): void {
  const data = JSON.stringify({ severity: 'info', what: { code, params: {} } })
  events.push([idOfRow(), unit.id, Date.now(), kind, data])
}

let joining: { unit: Unit; device: string[]; done: () => void }[] = []
let isStoring = false
async function storeJoining(): Promise<void> {
  for (; joining.length > 0; ) {
    const some = joining
    joining = []
    const nowMs = Date.now()
    await store({
      devices: some.map(({ device }) => [...device, wanted, 1, '{}', nowMs]),
      members: some.map(({ unit }) => [groupId, unit.id]),
      histories: some.flatMap(({ unit, device }) => [
        [idOfRow(), 'inventory', 'joined', unit.id, device[3] ?? '', inventoryId, 'Customer', nowMs],
        [idOfRow(), 'group', 'joined', unit.id, device[3] ?? '', groupId, 'Group', nowMs],
      ]),
    })
    for (const { done } of some) done()
  }
  isStoring = false
}

function register(socket: WebSocket, message: Register, welcomed: (unit: Unit) => void): void {
  const { registrationKey, kind, product, serialNumber, name, swVersion } = message
  const texts = [registrationKey, kind, product, serialNumber, name, swVersion]
  const isWhole = texts.every((text) => typeof text === 'string' && text.length < 256)
  if (!isWhole || !timingSafeEqual(keyHash, Buffer.from(hashOf(registrationKey)))) {
    socket.terminate()
    return
  }
  const id = `u-${randomBytes(9).toString('base64url')}`
  const token = randomBytes(32).toString('base64url')
  const tokenHash = hashOf(token)
  const series = new LeastSeries(id, randomBytes(4).readUInt32LE())
  const unit = { id, series, sample: undefined, actual: undefined, revision: 0, lastSeenMs: Date.now() }
  const device = [id, kind, inventoryId, name, '', product, serialNumber, swVersion, tokenHash]
  const done = () => {
    units.set(id, unit)
    known.set(tokenHash, unit)
    socket.send(JSON.stringify({ type: 'registered', deviceId: id, token }))
    welcomed(known.get(hashOf(token)) as Unit)
  }
  joining.push({ unit, device, done })
  if (isStoring) return
  isStoring = true
  setImmediate(() => void storeJoining())
}

/** Whether a link, the battery or the place differs; what readers would be sent of it. */
function changesOf(before: UnitSample, now: UnitSample): boolean {
  if (before.links.length !== now.links.length) return true
  for (let at = 0; at < now.links.length; at++) {
    const [one, other] = [before.links[at], now.links[at]] as [UnitSample['links'][0], UnitSample['links'][0]]
    if (one.up !== other.up || one.kbps !== other.kbps || one.downKbps !== other.downKbps) return true
    if (one.rttMs !== other.rttMs || one.lossPercent !== other.lossPercent) return true
    if (one.rtxPercent !== other.rtxPercent || one.capacityKbps !== other.capacityKbps) return true
  }
  return (
    before.encoderKbps !== now.encoderKbps ||
    before.battery?.percentage !== now.battery?.percentage ||
    before.location?.lat !== now.location?.lat ||
    before.location?.lng !== now.location?.lng
  )
}

function telemetry(unit: Unit, samples: UnitSample[]): boolean {
  if (!isTelemetry(samples)) return false
  for (const sample of samples) {
    unit.series.add(sample)
    if (!unit.sample || changesOf(unit.sample, sample)) unit.revision++
    unit.sample = sample
  }
  unit.lastSeenMs = Date.now()
  pending.add(unit)
  taken++
  return true
}

const http = createServer((_, response) => void response.end('ok'))
const server = new WebSocketServer({ server: http, perMessageDeflate: false, maxPayload: 1 << 20 })
server.on('connection', (socket) => {
  let unit: Unit | undefined
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as { type: string }
    if (message.type === 'telemetry') {
      if (!unit || !telemetry(unit, (message as unknown as { samples: UnitSample[] }).samples))
        socket.terminate()
    } else if (message.type === 'register')
      register(socket, message as unknown as Register, (one) => {
        unit = one
      })
    else if (message.type === 'hello') {
      socket.send('{"type":"welcome"}')
      if (unit) note(unit, 'connection', 'connection.connected')
    } else if (unit) {
      if (!unit.actual) note(unit, 'status', 'status.ready')
      unit.actual = (message as unknown as { actual: object }).actual
      pending.add(unit)
    }
  })
})

setInterval(() => {
  const [nowMs, due] = [Date.now(), [] as Piece[]]
  for (const { series } of units.values()) series.due(nowMs, due)
  const rows = due.map((one) => [one.unitId, one.resolutionMs, one.fromMs, one.toMs, one.data])
  if (rows.length > 0) void store({ chunks: rows })
  if (events.length > 0) void store({ events: events.splice(0) })
}, chunksEveryMs)

setInterval(() => {
  const states = []
  const share = Math.max(20, Math.ceil(pending.size / statesRounds))
  for (const unit of pending) {
    if (states.length >= share) break
    const { id, lastSeenMs, sample, actual } = unit
    states.push([id, JSON.stringify({ ...actual, sample }), lastSeenMs, lastSeenMs])
    pending.delete(unit)
  }
  if (states.length > 0) void store({ states })
}, statesEveryMs)

await new Promise<void>((resolve) => http.listen(Number(port), '127.0.0.1', resolve))
answerLines(() => ({ taken }))
