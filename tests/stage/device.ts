/** A unit or a server of a few lines at the real gateway: it only does what the test makes it do. */
import { localRegistrationKey } from '@backhaul/contract/examples/demo'
import type { FromCore } from '@backhaul/contract/gateway/gateway'
import type { ChannelTelemetry } from '@backhaul/contract/gateway/servers'
import type { ChannelSlot, DeviceKind } from '@backhaul/contract/gateway/shared'
import type { UnitActual, UnitSample } from '@backhaul/contract/gateway/units'
import { WebSocket } from 'ws'
import type { Stage } from './stage.ts'
import { pause, until } from './until.ts'

type Received<T extends FromCore['type']> = Extract<FromCore, { type: T }>

export interface StageDevice {
  readonly id: string
  /** Its credential at other interfaces. */
  readonly token: string
  readonly messages: readonly FromCore[]
  send(message: object): void
  /** A report of a unit that has applied the newest wanted state. */
  report(actual: Partial<UnitActual>): void
  /** Figures of a unit; links 0 and 1 are up by default. */
  sample(more?: Partial<UnitSample>): void
  /** The channels of a server, those named; a status alone is enough. */
  channels(channels: (Pick<ChannelTelemetry, 'channelId' | 'status'> & Partial<ChannelTelemetry>)[]): void
  outcome(answer: { id?: string; revision?: number; state: 'accepted' | 'confirmed' | 'refused' }): void
  /** The first message of the kind that matches, now or soon. */
  received<T extends FromCore['type']>(
    type: T,
    matches?: (message: Received<T>) => boolean,
  ): Promise<Received<T>>
  close(): void
}

export interface StageDeviceOptions {
  kind?: DeviceKind
  name: string
  groupId: string
  /** A group's key or an invitation's code, instead of the key of this machine. */
  registrationKey?: string
  product?: string
  swVersion?: string
  slots?: ChannelSlot[]
  actual?: Partial<UnitActual>
  reportIntervalMs?: number
}

const twoLinks: UnitActual['links'] = [
  {
    port: 0,
    id: 'Ethernet',
    kind: 'ethernet',
    enabled: true,
    technology: '1000BASE-T',
    address: '10.1.0.10',
  },
  {
    port: 1,
    id: 'Modem 1',
    kind: 'modem',
    enabled: true,
    carrier: 'Vodafone',
    technology: 'LTE',
    activeSim: 'B',
  },
]

const settled: UnitActual = {
  state: 'idle',
  applications: {},
  channelId: null,
  transmissionId: null,
  delayMs: 1000,
  workingMode: 'video',
  speedTest: null,
  links: twoLinks,
  storages: [],
  camera: null,
  capabilities: {},
  appliedRevision: 0,
}

const quiet: ChannelTelemetry = {
  channelId: '',
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
  outputs: [],
  previewOf: null,
  playing: [],
}

/** Registers with the key of this machine, sends hello and a full report. */
export async function joinDevice(stage: Stage, options: StageDeviceOptions): Promise<StageDevice> {
  const { kind = 'unit', name, groupId, slots = [], actual = {}, reportIntervalMs = 60_000 } = options
  const product = options.product ?? (kind === 'unit' ? 'LU-600' : 'MMH Server')
  const { swVersion = '7.3.0' } = options
  const identity = { protocol: 1, kind, product, serialNumber: `STAGE-${name}`, name, swVersion }
  const { registrationKey = localRegistrationKey(stage.localKey, groupId) } = options
  // A device that reconnects is refused for as long as core has not seen the end of its last socket.
  const { socket, messages } = await until(`${name} to be admitted`, () =>
    register(stage.url, { ...identity, registrationKey }),
  )
  const send = (message: object) => socket.send(JSON.stringify(message))
  const received = <T extends FromCore['type']>(
    type: T,
    matches: (message: Received<T>) => boolean = () => true,
  ) =>
    until(`${type} for ${name}`, () =>
      messages.find((one): one is Received<T> => one.type === type && matches(one as Received<T>)),
    )
  const { deviceId, token } = await received('registered')
  const greeting = { bootId: `boot-${name}`, reportIntervalMs, appliedRevision: 0 }
  send({ type: 'hello', ...identity, ...greeting, ...(kind === 'server' && { slots }) })
  await received('welcome')
  if (kind === 'unit') send({ type: 'report', actual: { ...settled, ...actual } })
  else {
    const ports = slots.flatMap(({ slot, members }, at) =>
      members ? [] : [{ slot, ristPort: 30_000 + 2 * at, inputAddress: null }],
    )
    const can = { protocolsIn: ['bonded'], protocolsOut: ['rtmp'], encoders: ['libx264'] }
    const capabilities = { ...can, ffmpegVersion: null }
    const facts = { capabilities, addresses: ['127.0.0.1'], previewPort: null, ports, loops: [] }
    send({ type: 'serverReport', actual: { ...facts, bootedAt: Date.now(), appliedRevision: 0 } })
    await received('serverWanted', ({ state }) => state.channels.length === slots.length)
  }
  return {
    id: deviceId,
    token,
    messages,
    received,
    send,
    report(changes) {
      const wanted = messages.findLast((one) => one.type === 'wanted')
      const applied = wanted?.type === 'wanted' ? { appliedRevision: wanted.revision } : {}
      send({ type: 'report', actual: { ...applied, ...changes } })
    },
    sample: (more) => send({ type: 'telemetry', samples: [{ ...steady(), ...more }] }),
    channels(changes) {
      const usage = { cpuPercent: 7, memoryPercent: 21, storagePercent: 33 }
      const channels = changes.map((channel) => ({ ...quiet, ...channel }))
      send({ type: 'serverTelemetry', ts: Date.now(), usage, channels })
    },
    outcome: (answer) => send({ type: 'outcome', ...answer }),
    close: () => socket.terminate(),
  }
}

/** Undefined while the machine counts as connected already; another refusal is thrown. */
async function register(url: string, identity: object) {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/gateway`, { perMessageDeflate: false })
  const messages: FromCore[] = []
  socket.on('message', (bytes) => messages.push(JSON.parse(String(bytes)) as FromCore))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.send(JSON.stringify({ type: 'register', ...identity }))
  const answer = await until('an answer to the registration', () =>
    messages.find(({ type }) => type === 'registered' || type === 'refused'),
  )
  if (answer.type !== 'refused') return { socket, messages }
  socket.terminate()
  if (!answer.message.includes('is connected')) throw new Error(answer.message)
  // Core counts refusals and blocks the address after ten of them.
  await pause(500)
  return undefined
}

const steady = (): UnitSample => ({
  ts: Date.now(),
  links: [
    {
      port: 0,
      up: true,
      kbps: 3210,
      downKbps: 120,
      rttMs: 18,
      lossPercent: 0,
      rtxPercent: 0,
      capacityKbps: 9000,
    },
    {
      port: 1,
      up: true,
      kbps: 1234,
      downKbps: 80,
      rttMs: 52,
      lossPercent: 0.4,
      rtxPercent: 0.4,
      capacityKbps: 2500,
      signal: { rsrp: -91, bars: 3 },
    },
  ],
  encoderKbps: 4000,
  capacityKbps: 11_500,
})
