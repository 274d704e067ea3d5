// A whole core with its sockets open, and small devices and browsers that use the contract with it.
import { isDeepStrictEqual } from 'node:util'
import { api } from '@backhaul/contract/api/api'
import type { FromCore, FromDevice, ServerReport, UnitReport } from '@backhaul/contract/gateway/gateway'
import type { ChannelTelemetry, ServerActual, ServerFailure } from '@backhaul/contract/gateway/servers'
import type { ChannelSlot, DeviceKind } from '@backhaul/contract/gateway/shared'
import type { UnitActual, UnitSample } from '@backhaul/contract/gateway/units'
import { createLog } from '@backhaul/runtime/log'
import { WebSocket } from 'ws'
import type { Engine } from '../database/dialect.ts'
import { createCore } from '../program/core.ts'
import type { Settings } from '../settings.ts'
import { type Browser, createBrowser, createTestCore, password, type TestCore } from '../testing.ts'
import { outOfTheBox } from './unit-settings.ts'
import { flushed, pause, until } from './wait.ts'

export interface TestFleet extends TestCore {
  url: string
  /** Dials without sending anything. */
  dial(token?: string): Promise<TestDevice>
  /** Connects the device on another socket, as after a lost connection. */
  again(device: TestDevice, more?: object): Promise<TestDevice>
  unit(name: string, more?: Partial<NewDevice>): Promise<TestDevice>
  server(name: string, slots?: number, more?: Partial<NewDevice>): Promise<TestDevice>
  follow(browser: Browser, topics?: string[], apiKey?: string): Promise<TestFollower>
  /** Ends core in an orderly way and starts another on the same database and clock. */
  restart(): Promise<void>
  /** Moves the clock in steps of a push tick, and gives the sockets time after each. */
  pass(ms?: number): Promise<void>
}

export interface NewDevice {
  registrationKey: string
  serialNumber: string
  bootId: string
  product: string
  swVersion: string
  /** This many channels of a server feed an SDI output. */
  outputs: number
}

export async function createTestFleet(engine: Engine, changed: Partial<Settings> = {}): Promise<TestFleet> {
  const test = await createTestCore(engine, changed)
  await test.core.start()
  let url = await test.core.api.listen('127.0.0.1', 0)
  const sockets = new Set<WebSocket>()

  async function dial(token?: string): Promise<TestDevice> {
    const device = await dialCore(url, token)
    sockets.add(device.socket)
    return device
  }

  async function quiet(): Promise<void> {
    await Promise.all([...sockets].map(flushed))
    await pause()
  }

  async function pass(ms = 100): Promise<void> {
    const stepMs = Math.max(100, ms / 40)
    for (let left = ms; left > 0; left -= stepMs) {
      await quiet()
      await test.clock.advanceAsync(Math.min(stepMs, left))
    }
    await quiet()
  }

  const fleet: TestFleet = {
    ...test,
    get url() {
      return url
    },
    dial,
    pass,
    again: async (device, more) => (await dial(device.token)).take(device, more),
    async restart() {
      await fleet.core.close()
      const { settings, db, clock } = test
      const log = createLog({ name: 'core', format: 'json', level: 'silent' })
      fleet.core = await createCore({ secretKey: 'k'.repeat(32), settings, db, clock, log, version: '0.1.0' })
      await fleet.core.start()
      url = await fleet.core.api.listen('127.0.0.1', 0)
    },
    program: (apiKey) => createBrowser(fleet.core, apiKey),
    async signedIn(username) {
      const browser = createBrowser(fleet.core)
      await browser.call(api.signIns.signIn, { body: { username, password } })
      return browser
    },
    unit: async (name, more) => (await dial()).join('unit', name, 'key-london', 0, more),
    server: async (name, slots = 1, more) => (await dial()).join('server', name, 'key-london', slots, more),
    async follow(browser, topics = [], apiKey = '') {
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const socket = new WebSocket(`${url.replace('http', 'ws')}/luc-core-web/pubsub`, {
        headers: { cookie, ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      })
      sockets.add(socket)
      const follower = new TestFollower(socket)
      await opened(socket)
      await until(() => follower.messages.length > 0)
      if (topics.length > 0) follower.subscribe(topics)
      return follower
    },
    async remove() {
      for (const socket of sockets) socket.terminate()
      // Closing twice is harmless, and the first core may have been replaced.
      await fleet.core.close()
      await test.remove()
    },
  }
  return fleet
}

/** A device's socket before its first message; with a token its hello is due. */
export async function dialCore(url: string, token?: string, more = {}): Promise<TestDevice> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/gateway`, {
    headers: { ...more, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    perMessageDeflate: false,
  })
  const device = new TestDevice(socket)
  await opened(socket)
  return device
}

const idleUnit: UnitActual = {
  state: 'idle',
  applications: {},
  channelId: null,
  transmissionId: null,
  delayMs: 1000,
  workingMode: 'video',
  speedTest: null,
  links: [1, 2, 3].map((port) => ({ port, id: `Modem ${port}`, kind: 'modem' as const, enabled: true })),
  storages: [],
  camera: null,
  capabilities: {},
  settings: outOfTheBox,
  appliedRevision: 0,
}

export const sampleOf = (ts: number, more: Partial<UnitSample> = {}): UnitSample => ({
  ts,
  links: [1, 2, 3].map((port) => ({
    port,
    up: true,
    kbps: 1000,
    downKbps: 10,
    rttMs: 40 + port,
    lossPercent: 1,
    rtxPercent: 1,
    capacityKbps: 1500,
  })),
  encoderKbps: 2800,
  capacityKbps: 4500,
  ...more,
})

const serverOf = (slots: readonly ChannelSlot[]): ServerActual => ({
  capabilities: { protocolsIn: ['bonded'], protocolsOut: [], encoders: [], ffmpegVersion: null, logs: true },
  addresses: ['127.0.0.1'],
  previewPort: null,
  ports: slots.map(({ slot }, at) => ({ slot, ristPort: 20_000 + 2 * at, inputAddress: null })),
  loops: [],
  bootedAt: 1_795_000_000_000,
  appliedRevision: 0,
})

abstract class TestSocket {
  readonly socket: WebSocket
  /** The close code, once it is closed. */
  closed: number | undefined

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data) => this.receive(JSON.parse(String(data))))
    socket.on('close', (code) => {
      this.closed = code
    })
    socket.on('error', () => {})
  }

  protected abstract receive(message: unknown): void
}

export class TestDevice extends TestSocket {
  id = ''
  token = ''
  channelIds: string[] = []
  hello: Extract<FromDevice, { type: 'hello' }> | undefined
  readonly messages: FromCore[] = []

  protected receive(message: unknown): void {
    this.messages.push(message as FromCore)
  }

  send(message: FromDevice | object | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  async greet(): Promise<void> {
    this.send(this.hello as object)
    await this.next('welcome')
  }

  /** Registers, sends its hello and its report; a server waits until core has made its channels. */
  async join(
    kind: DeviceKind,
    name: string,
    key: string,
    slotCount = 0,
    more: Partial<NewDevice> = {},
  ): Promise<this> {
    const { registrationKey = key, bootId = `boot-${name}`, outputs = 0, ...rest } = more
    const product = kind === 'unit' ? 'LU-600' : 'MMH Server'
    const identity = { kind, product, serialNumber: `sn-${name}`, name, swVersion: '10.1.0', ...rest }
    this.send({ type: 'register', protocol: 1, ...identity, registrationKey })
    const { deviceId, token } = await this.next('registered')
    const slots = Array.from({ length: slotCount }, (_, at) => ({
      slot: `slot-${at + 1}`,
      name: `${name}-${at + 1}`,
      inputType: null,
      ...(at < outputs && { sdiNo: at + 1 }),
    }))
    const hello = {
      type: 'hello',
      protocol: 1,
      ...identity,
      bootId,
      reportIntervalMs: 1000,
      appliedRevision: 0,
    }
    Object.assign(this, { id: deviceId, token, hello: kind === 'server' ? { ...hello, slots } : hello })
    await this.greet()
    this.report(kind === 'server' ? serverOf(slots) : idleUnit)
    if (kind === 'server') {
      const made = await this.next('serverWanted', ({ state }) => state.channels.length === slotCount)
      this.channelIds = made.state.channels.map(({ channelId }) => channelId)
    }
    await flushed(this.socket)
    return this
  }

  /** Becomes the same device on this new socket. */
  take({ id, token, hello }: TestDevice, more: object = {}): this {
    return Object.assign(this, { id, token, hello: { ...hello, ...more } })
  }

  report(actual: Partial<UnitActual> | Partial<ServerActual>): void {
    const type = this.hello?.kind === 'server' ? 'serverReport' : 'report'
    this.send({ type, actual } as ServerReport | UnitReport)
  }

  telemetry(channels: Partial<ChannelTelemetry>[], more: { failures?: ServerFailure[] } = {}): void {
    const whole = channels.map((channel) => ({
      status: 'idle',
      transmissionId: null,
      kbps: 0,
      continuityErrors: 0,
      recovered: 0,
      uncorrected: 0,
      bufferMs: 0,
      video: null,
      health: null,
      source: 'bonded',
      recording: false,
      ...channel,
    }))
    const usage = { cpuPercent: 10, memoryPercent: 20, storagePercent: 30 }
    this.send({ type: 'serverTelemetry', ts: Date.now(), usage, channels: whole, ...more })
  }

  /** Confirms every order. */
  obey(): this {
    this.socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as FromCore
      if (message.type === 'order') this.send({ type: 'outcome', id: message.id, state: 'confirmed' })
    })
    return this
  }

  newest<T extends FromCore['type']>(type: T): Extract<FromCore, { type: T }> | undefined {
    return this.messages.findLast((one): one is Extract<FromCore, { type: T }> => one.type === type)
  }

  async next<T extends FromCore['type']>(
    type: T,
    matches: (message: Extract<FromCore, { type: T }>) => boolean = () => true,
  ): Promise<Extract<FromCore, { type: T }>> {
    const find = () =>
      this.messages.find(
        (one): one is Extract<FromCore, { type: T }> => one.type === type && matches(one as never),
      )
    await until(() => find() !== undefined)
    return find() as Extract<FromCore, { type: T }>
  }

  async gone(): Promise<number> {
    await until(() => this.closed !== undefined)
    return this.closed as number
  }
}

export interface Pushed {
  topic: string
  kind: string
  from: number
  seq: number
  data: Record<string, unknown>
}

export class TestFollower extends TestSocket {
  readonly frames: (Pushed & Record<string, unknown>)[][] = []

  protected receive(message: unknown): void {
    this.frames.push(message as never)
  }

  get messages(): (Pushed & Record<string, unknown>)[] {
    return this.frames.flat()
  }

  get epoch(): string {
    return String(this.messages[0]?.epoch)
  }

  subscribe(topics: string[], since?: Record<string, string>): void {
    this.socket.send(JSON.stringify({ action: 'subscribe', topics, ...(since && { since }) }))
  }

  /** The fields of a topic as a browser holds them, after all messages so far. */
  state(topic: string): Record<string, unknown> {
    return Object.assign({}, ...this.messages.filter((one) => one.topic === topic).map(({ data }) => data))
  }

  async sees(topic: string, fields: Record<string, unknown>): Promise<void> {
    await until(() => {
      const state = this.state(topic)
      return Object.entries(fields).every(([field, value]) => isDeepStrictEqual(state[field], value))
    })
  }
}

const opened = (socket: WebSocket) =>
  new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
    socket.once('unexpected-response', (_, response) => reject(new Error(`HTTP ${response.statusCode}`)))
  })
