/** A receiving server's brain: keeps the session with core, follows the wanted state and reports the actual one. */
import { randomUUID } from 'node:crypto'
import { because } from '@backhaul/contract/define/refusals'
import type { FromCore, Order, ServerWantedMessage, Welcome } from '@backhaul/contract/gateway/gateway'
import { fileOrders, OverlayOrder, type ServerActual } from '@backhaul/contract/gateway/servers'
import type { ChannelSlot } from '@backhaul/contract/gateway/shared'
import { type Clock, systemClock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { requireKey } from './certificate.ts'
import { createFileReporter } from './file-reporter.ts'
import { createLogSending, logIdOf } from './log-sending.ts'
import { createOrders } from './orders.ts'
import type { OwnSoftware } from './own-software.ts'
import { cutReason, Refused } from './refused.ts'
import { createReporter } from './reporter.ts'
import type { RestartNote } from './restart-note.ts'
import type { ServerHardware } from './server-hardware.ts'
import { createSession, type DeviceIdentity, type Session } from './session.ts'
import { createStepRunner } from './step-runner.ts'
import { createTicker, type Ticker } from './ticker.ts'
import type { TokenStore } from './token-store.ts'
import { createUpgrading } from './upgrading.ts'
import { createUploadReceiving } from './upload-receiving.ts'

/** Sound levels five times a second. */
const levelsPeriodMs = 200

export interface ServerDeviceOptions {
  /** Address of the gateway, for instance ws://127.0.0.1:8080/gateway. */
  coreUrl: string
  identity: Omit<DeviceIdentity, 'kind'>
  registrationKey?: string | undefined
  tokens: TokenStore
  /** Present where a restart ends the process. */
  restartNote?: RestartNote
  hardware: ServerHardware
  /** Present where other versions of the software are installed on the machine. */
  software?: Pick<OwnSoftware, 'failed' | 'welcomed'>
  /** The channels that the server has room for. */
  slots: ChannelSlot[]
  /** The newest welcome from core: the device's id and the key of preview requests. */
  onWelcome?: (welcome: Welcome) => void
  /** The device runs this version from now on. */
  onUpgraded?: (version: string) => void
  /** Turns of the telemetry, by default each second; may be shared. */
  ticker?: Ticker
  /** Turns of the sound levels, by default each 200 ms; may be shared. */
  levelsTicker?: Ticker
  clock?: Clock
  random?: () => number
  log?: Log
}

export interface ServerDevice {
  deviceId(): string | undefined
  isConnected(): boolean
  /** Ends the session; the hardware continues until it is stopped itself. */
  stop(): Promise<void>
}

export function createServerDevice(options: ServerDeviceOptions): ServerDevice {
  const { hardware, clock = systemClock, log } = options
  const ticker = options.ticker ?? createTicker(clock, 1000)
  const levelsTicker = options.levelsTicker ?? createTicker(clock, levelsPeriodMs)
  let session: Session
  let { identity } = options
  let wanted: ServerWantedMessage | undefined
  let appliedRevision = 0
  let stopped = false

  const reporter = createReporter<ServerActual>({
    read: () => ({ ...hardware.facts(), appliedRevision }),
    send: (actual) => session.send({ type: 'serverReport', actual }),
    clock,
  })
  const { files, tallies } = hardware
  const fileReporter =
    files &&
    createFileReporter({
      read: () => files.all(),
      send: (message) => session.send(message),
      clock,
    })
  const tallyReporter =
    tallies &&
    createReporter<{ on: string[] }>({
      read: () => ({ on: [...tallies.on()] }),
      send: ({ on = [] }) => session.send({ type: 'tallies', on }),
      clock,
    })
  const uploads =
    files?.uploads &&
    createUploadReceiving({
      ...options,
      uploads: files.uploads,
      tunnels: hardware.uploadTunnels,
      report: (progress) => session.send({ type: 'uploadProgress', ...progress }),
      clock,
    })
  const logSending = createLogSending({ send: (part) => session.send(part), clock })
  const upgrading = createUpgrading({
    upgrade: hardware.upgrade?.bind(hardware),
    requireIdle() {
      if (wanted?.state.channels.some(({ intake }) => intake !== null)) throw new Refused('server.receiving')
    },
    send: (progress) => session.send(progress),
    onChange: () => reporter.reportChanges(),
  })
  const orders = createOrders({
    carryOut,
    send: (outcome) => session.send(outcome),
    clock,
    restartNote: options.restartNote,
  })
  const runner = createStepRunner<ServerWantedMessage>({
    plan: () => (wanted ? [wanted] : []),
    carryOut: (message, signal) => hardware.apply(message.state, signal),
    onDone() {
      if (wanted) appliedRevision = wanted.revision
      reporter.reportChanges()
    },
    onFailed(why) {
      log?.warn({ reason: why.message, revision: wanted?.revision }, 'the wanted state cannot be followed')
      if (!wanted) return
      const { revision } = wanted
      session.send({ type: 'outcome', revision, state: 'refused', ...cutReason(why) })
    },
  })

  function sendLogs(args: Order['args']): void {
    if (!hardware.logs) throw new Refused('server.noLogs')
    logSending.start(logIdOf(args), hardware.logs(String(args.channelId)))
  }

  async function putOverlay(args: Order['args']): Promise<void> {
    if (!hardware.overlays) throw new Refused('server.noOverlays')
    const { id, png } = OverlayOrder.parse(args)
    await hardware.overlays.put(id, Buffer.from(png, 'base64'))
  }

  async function carryOut({ name, args }: Order): Promise<void> {
    if (name === 'virtual_channels_updated') return runner.request()
    if (name === 'reset_instance') return await restart()
    if (name === 'upgrade') return await upgrade(args)
    if (name === 'delete_certificate') return requireKey(options.registrationKey)
    if (name === 'stop_logs') return logSending.stop(logIdOf(args))
    if (name === 'send_logs') return sendLogs(args)
    if (name === 'put_overlay') return await putOverlay(args)
    if (!files) throw new Refused(because('server.unsupported', { action: name }))
    switch (name) {
      case 'rename_file': {
        const { file, newFileName } = fileOrders[name].parse(args)
        return await files.rename(file, newFileName)
      }
      case 'receive_file': {
        if (!uploads) throw new Refused('server.noUploads')
        return await uploads.receive(fileOrders[name].parse(args))
      }
      case 'forget_upload':
        return await uploads?.forget(fileOrders[name].parse(args).uploadId)
      case 'remove_file':
        return await files.remove(fileOrders[name].parse(args).file)
      case 'play_file': {
        const { file, channelId } = fileOrders[name].parse(args)
        return await files.play(file, channelId)
      }
      case 'publish_file': {
        if (!files.publish) throw new Refused('publishing.noFolder')
        return await files.publish(fileOrders[name].parse(args).file)
      }
      case 'describe_file': {
        if (!files.describe) throw new Refused(because('server.cannot', { action: name }))
        const { file, format, metadata } = fileOrders[name].parse(args)
        return await files.describe(file, format, metadata)
      }
      case 'stop_file': {
        const { file, channelId } = fileOrders[name].parse(args)
        return await files.stopPlaying(file, channelId)
      }
      default:
        throw new Refused(because('server.cannot', { action: name }))
    }
  }

  async function upgrade(args: Order['args']): Promise<void> {
    identity = { ...identity, swVersion: await upgrading.run(args) }
    options.onUpgraded?.(identity.swVersion)
    await restart('upgraded')
  }

  /** Core sees the server disconnect and connect again, with a new boot id. */
  async function restart(why?: 'upgraded'): Promise<void> {
    session.close()
    forget()
    wanted = undefined
    await (why && hardware.startInstalled ? hardware.startInstalled() : hardware.restart())
    if (stopped) return
    appliedRevision = 0
    await new Promise<void>((welcomedAgain) => {
      session = connect(welcomedAgain)
    })
  }

  function receive(message: FromCore): void {
    if (message.type === 'order') orders.receive(message)
    if (message.type !== 'serverWanted' || (wanted && message.revision < wanted.revision)) return
    wanted = message
    runner.request()
  }

  function forget(): void {
    reporter.forget()
    fileReporter?.forget()
    tallyReporter?.forget()
  }

  function connect(onFirstWelcome?: () => void): Session {
    return createSession({
      ...options,
      identity: { kind: 'server', ...identity },
      bootId: randomUUID(),
      reportIntervalMs: ticker.periodMs,
      appliedRevision: () => appliedRevision,
      failedUpgrade: options.software?.failed,
      onWelcome(welcome) {
        options.software?.welcomed()
        // Core is authoritative about revisions: after its database was restored they may be lower than ours.
        wanted = undefined
        orders.welcomed(welcome.serverTime)
        options.onWelcome?.(welcome)
        reporter.reportAll()
        fileReporter?.reportAll()
        tallyReporter?.reportAll()
        onFirstWelcome?.()
      },
      onMessage: receive,
      onLost: forget,
      clock,
    })
  }

  session = connect()
  hardware.onChange(() => reporter.reportChanges())
  files?.onChange(() => fileReporter?.reportChanges())
  tallies?.onChange(() => tallyReporter?.reportChanges())
  const endTicks = ticker.onTurn(() => {
    // Sampling continues without core: figures that count since the last sample must not accumulate.
    const sample = hardware.sample()
    session.send({ type: 'serverTelemetry', ts: clock.nowMs(), ...sample })
  })
  const endLevels = levelsTicker.onTurn(() => {
    const channels = hardware.levels()
    if (channels.length > 0) session.send({ type: 'levels', channels })
  })

  return {
    deviceId: () => session.deviceId(),
    isConnected: () => session.isOpen(),
    async stop() {
      stopped = true
      endTicks()
      endLevels()
      logSending.close()
      session.close()
      forget()
      await runner.stop()
    },
  }
}
