// The control of a hub: keeps the session with core and leaves all media to a thread of its own.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { ChannelSlot } from '@backhaul/contract/gateway/shared'
import type { FollowedSetting, ServerCapabilities } from '@backhaul/contract/nouns/servers'
import { openOwnSoftware } from '@backhaul/device/own-software'
import { createRestartNote } from '@backhaul/device/restart-note'
import { createServerDevice, type ServerDevice } from '@backhaul/device/server-device'
import { createTokenFile } from '@backhaul/device/token-store'
import { systemClock } from '@backhaul/runtime/clock'
import { openDataFolder } from '@backhaul/runtime/data-folder'
import { createLog, type Log } from '@backhaul/runtime/log'
import { createLogTail } from '@backhaul/runtime/log-tail'
import { serveMetrics } from '@backhaul/runtime/metrics-door'
import { failStart } from '@backhaul/runtime/settings'
import { steadyMs } from '@backhaul/runtime/signed-requests'
import { onStop } from '@backhaul/runtime/stop'
import { findCapabilities } from './capabilities.ts'
import { openGatewayServer } from './databridge/gateway-server.ts'
import { withFailures } from './failures.ts'
import { openUploadPort } from './files/upload-port.ts'
import { createHub, type Hub } from './hub.ts'
import { openIpPipeServer, withIpPipes } from './ip-pipe/ip-pipe-server.ts'
import type { HubSlot } from './messages.ts'
import { hubMetrics } from './metrics.ts'
import { chooseSlots } from './ports.ts'
import { ownAddresses, readHubSettings } from './settings.ts'
import { readSpecifications } from './specifications.ts'
import { openTallyReceiver } from './tally/tally-receiver.ts'
import { createMachineTimeZone, type MachineTimeZone } from './time-zone.ts'
import { createUsageMeter } from './usage.ts'

/** A version in the numbering of the servers whose functions it has: gates of versions compare it. */
const SET_UP_VERSION = '10.1.0'
const PRODUCTS = {
  receiver: 'MMH Server',
  transceiver: 'Transceiver Server',
  ingest: 'Ingest Server',
} as const
const RETURN_PRODUCT = 'Video Return Server'
const GATEWAY_PRODUCT = 'Databridge Gateway'
/** Behind the name of the hub. */
const RETURN_NAME = '-Return'
const GATEWAY_NAME = '-Gateway'

try {
  await start()
} catch (error) {
  failStart(error)
}

async function start(): Promise<void> {
  const settings = readHubSettings(process.env, process.argv.slice(2))
  const { dataFolder, logFormat, metrics, coreUrl, registrationKey, name } = settings
  const tail = createLogTail()
  const log = createLog({ name: 'hub', format: logFormat, tail })
  openDataFolder(dataFolder, 'hub')
  const tokens = createTokenFile(join(dataFolder, 'token.json'))
  const software = openOwnSoftware({
    ...settings.upgrades,
    program: 'hub',
    setUpVersion: SET_UP_VERSION,
    dataFolder,
    coreUrl,
    tokens,
    log,
  })
  const { capabilities, ffmpeg } = await findCapabilities(process.env, log, settings.opened)
  const timeZone = createMachineTimeZone(settings.timeZoneCommand, log)
  const slots = await ownSlots(settings, capabilities)
  const hub = createHub({
    settings: {
      slots,
      returnSources: settings.returns.sources,
      ifbSources: settings.ifbs,
      ffmpeg,
      dataFolder,
      unitHost: settings.unitHost,
      previewHost: settings.previewHost,
      previewPort: settings.previewPort,
      speechPort: settings.speechPort,
      web: settings.web,
      localAddresses: [...ownAddresses(), '127.0.0.1'],
      loops: settings.loops,
      mayStreamToOwnNetwork: settings.mayStreamToOwnNetwork,
      logFormat,
      logLevel: 'info',
    },
    capabilities,
    addresses: settings.addresses,
    webUrl: settings.webUrl,
    region: settings.region,
    hotFolder: settings.hotFolder,
    ingestFolder: settings.ingestFolder,
    uploadPort: await openUploadPort({ host: settings.unitHost, port: settings.uploadPort, log }),
    logs: tail,
    log,
  })
  await hub.ready
  const { hardware, stopPipes } = await withPipes(hub, settings, log)
  const tally = settings.tally && openTallyReceiver({ settings: settings.tally, clock: systemClock, log })
  const metricsDoor = metrics && (await serveMetrics(hubMetrics(hub), metrics.host, metrics.port))
  const device = createServerDevice({
    coreUrl,
    identity: {
      product: PRODUCTS[settings.role],
      serialNumber: serialNumber(dataFolder),
      name,
      swVersion: software.version,
    },
    registrationKey,
    tokens,
    software,
    restartNote: createRestartNote(join(dataFolder, 'restarted-by')),
    slots: [...slots.map((slot) => channelSlot(slot, capabilities)), ...groupSlots(slots, settings.cameras)],
    hardware: {
      ...hardware,
      ...(tally && { tallies: tally }),
      sample: () => withFailures(hardware.sample(), tally?.failures() ?? []),
      ...(software.upgrade && { upgrade: software.upgrade }),
      facts() {
        const facts = hardware.facts()
        const own = { upgrade: software.upgrade !== undefined, settings: followedSettings(hub, timeZone) }
        return {
          ...facts,
          capabilities: { ...facts.capabilities, ...own },
          ...(tally && { interfaces: [...tally.interfaces, ...(facts.interfaces ?? [])] }),
        }
      },
      async apply(wanted, signal) {
        await hardware.apply(wanted, signal)
        await timeZone.set(wanted.settings?.timezone)
      },
      async startInstalled() {
        stopping.restart()
        await new Promise<never>(() => {})
      },
    },
    onWelcome({ previewKey: secret, previewTime }) {
      if (secret !== undefined && previewTime !== undefined)
        hub.setPreviewKey({ secret, coreAheadMs: previewTime - steadyMs() })
      log.info('registered with core')
    },
    log,
  })
  warnOfMissing(hub, settings, log)
  const others = startOthers({ hub, settings, swVersion: software.version, log })
  const stopping = onStop(log, async () => {
    await Promise.all([device.stop(), others.stop()])
    tally?.close()
    await metricsDoor?.close()
    await stopPipes()
    await hub.stop()
  })
  process.stdout.write(`${JSON.stringify({ ready: true, metricsUrl: metricsDoor?.url })}\n`)
}

/** Its channels; an input that the machine cannot receive has none. */
async function ownSlots(
  { mediaPort: base, unitHost, channels: bonded, role, inputs }: ReturnType<typeof readHubSettings>,
  { protocolsIn }: Pick<ServerCapabilities, 'protocolsIn'>,
): Promise<HubSlot[]> {
  return await chooseSlots({
    base,
    unitHost,
    bonded,
    ...(role === 'transceiver' && { bondedWord: 'Feed' }),
    inputs: inputs.filter((name) => protocolsIn.includes(name)),
  })
}

/** The server of the hub, with IP pipes where its owner has opened a network to them. */
async function withPipes(
  hub: Hub,
  { ipPipeNetworks: networks, unitHost: host }: ReturnType<typeof readHubSettings>,
  log: Log,
) {
  const pipes = networks.length === 0 ? undefined : await openIpPipeServer({ host, networks, log })
  return { hardware: withIpPipes(hub.hardware, pipes), stopPipes: async () => await pipes?.stop() }
}

function warnOfMissing(hub: Hub, { returns, hotFolder }: ReturnType<typeof readHubSettings>, log: Log): void {
  if (returns.channels > 0 && !hub.returns) log.warn('without ffmpeg or an input no video can be returned')
  if (hotFolder !== undefined && !hub.publishes) log.warn('without ffmpeg no files can be published')
}

function followedSettings({ publishes }: Hub, timeZone: MachineTimeZone): FollowedSetting[] {
  return [
    'webrtcPort',
    ...(timeZone.isSettable() ? (['timezone'] as const) : []),
    'metadataFormat',
    ...(publishes ? (['publishingMode', 'hotfolderOutputFormat'] as const) : []),
  ]
}

function channelSlot(
  { slot, name, intake }: HubSlot,
  { protocolsOut }: Pick<ServerCapabilities, 'protocolsOut'>,
): ChannelSlot {
  const isBonded = intake === 'bonded'
  return { slot, name, inputType: isBonded ? null : intake, output: isBonded && protocolsOut.length > 0 }
}

interface ReturnDeviceOptions {
  hub: Hub
  settings: ReturnType<typeof readHubSettings>
  swVersion: string
  log: Log
}

/** The servers of this machine that are devices of their own. */
function startOthers(options: ReturnDeviceOptions): { stop(): Promise<unknown> } {
  const { settings, swVersion, log } = options
  const returnDevice = createReturnDevice(options)
  const gateway = openGateway(settings, swVersion, log)
  return { stop: () => Promise.all([returnDevice?.stop(), gateway?.stop()]) }
}

/** The server of this machine that returns video: a device of its own; undefined where the hub returns none. */
function createReturnDevice({
  hub,
  settings,
  swVersion,
  log,
}: ReturnDeviceOptions): ServerDevice | undefined {
  const { returns: hardware } = hub
  if (!hardware) return undefined
  const { coreUrl, registrationKey, name, returns, dataFolder } = settings
  return createServerDevice({
    coreUrl,
    identity: {
      product: RETURN_PRODUCT,
      serialNumber: serialNumber(dataFolder, 'vr'),
      name: `${name.slice(0, 64 - RETURN_NAME.length)}${RETURN_NAME}`,
      swVersion,
    },
    registrationKey,
    tokens: createTokenFile(join(dataFolder, 'return-token.json')),
    restartNote: createRestartNote(join(dataFolder, 'return-restarted-by')),
    slots: Array.from({ length: returns.channels }, (_, at) => ({
      slot: `return-${at + 1}`,
      name: `Return-${at + 1}`,
      inputType: null,
    })),
    hardware,
    onWelcome({ previewKey: secret, previewTime }) {
      if (secret !== undefined && previewTime !== undefined)
        hub.setPreviewKey({ secret, coreAheadMs: previewTime - steadyMs() }, 'returns')
      log.info('video return registered with core')
    },
    log,
  })
}

/** The databridge gateway of this machine: a device of its own; undefined where the owner has not opened its port. */
function openGateway(
  settings: ReturnType<typeof readHubSettings>,
  swVersion: string,
  log: Log,
): { stop(): Promise<void> } | undefined {
  const { coreUrl, registrationKey, name, dataFolder, databridge, unitHost, addresses } = settings
  if (!databridge) return undefined
  if (databridge.allowed.length === 0)
    log.warn('databridges lead nowhere: BACKHAUL_HUB_DATABRIDGE_TO names no place')
  const gateway = openGatewayServer({
    ...databridge,
    host: unitHost,
    addresses,
    specifications: readSpecifications(dataFolder),
    usage: createUsageMeter(dataFolder).read,
    log,
  })
  const device = createServerDevice({
    coreUrl,
    identity: {
      product: GATEWAY_PRODUCT,
      serialNumber: serialNumber(dataFolder, 'db'),
      name: `${name.slice(0, 64 - GATEWAY_NAME.length)}${GATEWAY_NAME}`,
      swVersion,
    },
    registrationKey,
    tokens: createTokenFile(join(dataFolder, 'gateway-token.json')),
    restartNote: createRestartNote(join(dataFolder, 'gateway-restarted-by')),
    slots: [],
    hardware: gateway.hardware,
    onWelcome: () => log.info('databridge gateway registered with core'),
    log,
  })
  return {
    async stop() {
      await device.stop()
      await gateway.stop()
    },
  }
}

/** The first channels together receive a unit with this many cameras; the group itself receives nothing. */
function groupSlots(slots: readonly HubSlot[], cameras: number): ChannelSlot[] {
  if (cameras === 0) return []
  const members = slots.slice(0, cameras).map(({ slot }) => slot)
  return [{ slot: 'cameras', name: 'Cameras', inputType: null, members }]
}

/** A serial number from the machine and the data folder: two hubs may share a machine, and machines of two customers a name. */
function serialNumber(dataFolder: string, role: 'hub' | 'vr' | 'db' = 'hub'): string {
  const own = createHash('sha256').update(`${machineId()} ${dataFolder}`).digest('hex').slice(0, 12)
  return `${role}-${hostname().slice(0, 46)}-${own}`
}

/** A container has none; its name serves as well. */
function machineId(): string {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim() || hostname()
  } catch {
    return hostname()
  }
}
