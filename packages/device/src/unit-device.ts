/** A unit's brain: keeps the session with core, follows the wanted state and reports the actual one. */

import { randomUUID } from 'node:crypto'
import { because, type Wording } from '@backhaul/contract/define/refusals'
import type { FromCore, Order, Welcome } from '@backhaul/contract/gateway/gateway'
import type {
  UnitActual,
  UnitWanted,
  WantedDatabridge,
  WantedIfb,
  WantedIpPipe,
  WantedVideoReturn,
} from '@backhaul/contract/gateway/units'
import { settingNames, type UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { bridgeRefusal, videoRefusal } from '@backhaul/contract/nouns/working-modes'
import { type Clock, systemClock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { createAddressTrials } from './address-trials.ts'
import { requireKey } from './certificate.ts'
import { createIntercoms, type Intercoms } from './intercoms.ts'
import { createLogSending, type LogSending, logIdOf } from './log-sending.ts'
import { createOrders } from './orders.ts'
import type { OwnSoftware } from './own-software.ts'
import { cutReason, Refused } from './refused.ts'
import { createReporter } from './reporter.ts'
import type { RestartNote } from './restart-note.ts'
import { createSampleBacklog } from './sample-backlog.ts'
import { createSession, type DeviceIdentity, type Session } from './session.ts'
import { createSpeedTestMeter } from './speed-test.ts'
import { createStepRunner } from './step-runner.ts'
import { createTicker, type Ticker } from './ticker.ts'
import type { TokenStore } from './token-store.ts'
import {
  createTransmission,
  shownState,
  type Transmission,
  type TransmissionHardware,
  type TransmissionState,
} from './transmission.ts'
import { carryOutFileOrder } from './unit-file-orders.ts'
import type { UnitHardware } from './unit-hardware.ts'
import { carryOutNetworkOrder } from './unit-network-orders.ts'
import { stepsTowards, type UnitStep } from './unit-steps.ts'
import { createUnitTally } from './unit-tally.ts'
import { createUpgrading, type Upgrading } from './upgrading.ts'
import { createUploadSending, type UploadSending } from './upload-sending.ts'

export interface UnitDeviceOptions {
  /** Address of the gateway, for instance ws://127.0.0.1:8080/gateway. */
  coreUrl: string
  identity: Omit<DeviceIdentity, 'kind'>
  registrationKey?: string | undefined
  tokens: TokenStore
  /** Present where a restart ends the process. */
  restartNote?: RestartNote
  hardware: UnitHardware
  /** Present where other versions of the software are installed on the machine. */
  software?: Pick<OwnSoftware, 'failed' | 'welcomed'>
  /** The unit runs this version from now on. */
  onUpgraded?: (version: string) => void
  /** The delay until core sets another. */
  delayMs?: number
  /** Turns at which the hardware is sampled; shared by the units of one process. By default an own one of 1 s. */
  ticker?: Ticker
  /** The number of samples that wait for core while it cannot be reached, at most 60. */
  keptSamples?: number
  clock?: Clock
  random?: () => number
  log?: Log
}

export interface UnitDevice {
  deviceId(): string | undefined
  isConnected(): boolean
  transmissionState(): TransmissionState
  /** As it reports to core. */
  actual(): UnitActual
  /** Ends the transmission and the session. */
  stop(): Promise<void>
}

export function createUnitDevice(options: UnitDeviceOptions): UnitDevice {
  const { hardware, clock = systemClock, random, log } = options
  const ticker = options.ticker ?? createTicker(clock, 1000)
  let session: Session
  let { identity } = options
  let wanted: { revision: number; state: UnitWanted } | undefined
  let appliedRevision = 0
  let channelId: string | null = null
  let delayMs = options.delayMs ?? 1000
  let isUp = true
  let stopped = false
  let places = placesOf(hardware.facts().settings)

  const speedTest = createSpeedTestMeter()
  const flow = { onChange: changed, clock, random }
  const transmission = createTransmission({ ...flow, hardware: withinMode(hardware) })
  const videoReturn = createTransmission<WantedVideoReturn>({
    ...flow,
    hardware: flowOf(() => hardware.videoReturn),
  })
  const ifb = createTransmission<WantedIfb>({ ...flow, hardware: flowOf(() => hardware.ifb) })
  const databridge = createTransmission<WantedDatabridge>({
    ...flow,
    hardware: flowOf(() => hardware.databridge),
  })
  const ipPipe = createTransmission<WantedIpPipe>({ ...flow, hardware: flowOf(() => hardware.ipPipe) })
  const intercoms = createIntercoms({ hardware: hardware.intercom, onChange: changed, clock, random })
  const tally = createUnitTally({ show: hardware.showTally?.bind(hardware), clock })
  const actual = () =>
    readActual(
      hardware,
      transmission,
      videoReturn,
      { logSending, uploads, upgrading, intercoms, ifb, databridge, ipPipe },
      {
        channelId,
        delayMs,
        appliedRevision,
        speedTest: speedTest.result(),
      },
    )
  const reporter = createReporter<UnitActual>({
    read: actual,
    send: (actual) => session.send({ type: 'report', actual }),
    clock,
  })
  const logSending = createLogSending({ send: (part) => session.send(part), onChange: changed, clock })
  const { files } = hardware
  const openTunnel = hardware.openUploadTunnel?.bind(hardware)
  const uploads = files && createUploadSending({ ...options, files, openTunnel, onChange: changed, clock })
  const backlog = createSampleBacklog((message) => session.send(message), clock, options.keptSamples)
  const upgrading = createUpgrading({
    upgrade: hardware.upgrade?.bind(hardware),
    requireIdle() {
      if (transmission.state() !== 'idle') throw new Refused('unit.transmitting')
    },
    send: (progress) => session.send(progress),
    onChange: changed,
  })
  const orders = createOrders({
    carryOut,
    send: (outcome) => session.send(outcome),
    clock,
    restartNote: options.restartNote,
  })
  const addressTrials = createAddressTrials((changes) => hardware.applySettings(changes))
  const runner = createStepRunner<UnitStep>({
    plan() {
      if (!wanted) return []
      const { links, settings, extenders } = hardware.facts()
      const [sent, fetched] = [transmission.wanted(), videoReturn.wanted()]
      const flows = {
        transmission: sent,
        videoReturn: fetched,
        intercoms: intercoms.wanted(),
        ifb: ifb.wanted(),
        databridge: databridge.wanted(),
        ipPipe: ipPipe.wanted(),
      }
      const now = { channelId, delayMs, canMove: transmission.canMove(), ...flows }
      const situation = { ...now, links, settings, extenders }
      const isOver = speedTest.isOver(wanted.state.transmission)
      const steps = stepsTowards(situation, isOver ? { ...wanted.state, transmission: null } : wanted.state)
      addressTrials.planned(steps)
      return steps
    },
    carryOut: doStep,
    onDone() {
      if (!wanted) return
      appliedRevision = wanted.revision
      changed()
    },
    onFailed(why) {
      log?.warn({ reason: why.message, revision: wanted?.revision }, 'the wanted state cannot be followed')
      tellOutcome('refused', why)
    },
  })

  function changed(): void {
    reporter.reportChanges()
  }

  function tellOutcome(state: 'accepted' | 'refused', why?: Wording): void {
    if (!wanted) return
    session.send({
      type: 'outcome',
      revision: wanted.revision,
      state,
      ...(why && cutReason(why)),
    })
  }

  async function doStep(step: UnitStep, signal: AbortSignal): Promise<void> {
    if (step.do === 'setEnabledLinks') await hardware.setEnabledLinks(step.disabled)
    if (step.do === 'applySettings') {
      await leaveFlows(step.changes)
      await addressTrials.apply(step.changes)
      if (step.changes.ethernet) session.redial()
    }
    if (step.do === 'setExtenders') await hardware.setExtenders?.(step.serialNumbers)
    if (step.do === 'stopTransmission') await stopTransmission()
    if (step.do === 'startTransmission') transmission.start(step.transmission, delayMs)
    if (step.do === 'stopVideoReturn') await videoReturn.stop()
    if (step.do === 'moveTransmission') await transmission.move(step.transmission, signal)
    if (step.do === 'limitTransmission') {
      await hardware.limitTransmission(step.transmission)
      transmission.adjust(step.transmission)
    }
    if (step.do === 'startVideoReturn') {
      if (!hardware.videoReturn) throw new Refused('videoReturn.notBuiltIn')
      videoReturn.start(step.videoReturn, delayMs)
    }
    if (step.do === 'setReturnDelay') {
      hardware.videoReturn?.setDelay?.(step.videoReturn.latencyMs)
      videoReturn.adjust(step.videoReturn)
    }
    if (step.do === 'stopIntercom') await intercoms.stop(step.intercom)
    if (step.do === 'startIntercom') intercoms.start(step.session)
    if (step.do === 'renameIntercomRoom') intercoms.renameRoom(step.session)
    if (step.do === 'stopIfb') await ifb.stop()
    if (step.do === 'startIfb') {
      if (!hardware.ifb) throw new Refused('ifb.notBuiltIn')
      ifb.start(step.ifb, 0)
    }
    if (step.do === 'stopDatabridge') await databridge.stop()
    if (step.do === 'startDatabridge') {
      if (!hardware.databridge) throw new Refused('databridge.notBuiltIn')
      const closed = bridgeRefusal(hardware.facts().settings?.workingMode)
      if (closed !== undefined) throw new Refused(closed)
      databridge.start(step.databridge, 0)
    }
    if (step.do === 'stopIpPipe') await ipPipe.stop()
    if (step.do === 'startIpPipe') {
      if (!hardware.ipPipe) throw new Refused('ipPipe.notBuiltIn')
      ipPipe.start(step.ipPipe, 0)
    }
    if (step.do === 'setChannel') {
      await hardware.setChannel(step.channelId)
      channelId = step.channelId
    }
    if (step.do === 'updateDelay') {
      await hardware.updateDelay(step.delayMs)
      delayMs = step.delayMs
      transmission.setDelay(delayMs)
    }
    changed()
  }

  /** Ends the flows that the unit does not have in its next working mode. */
  async function leaveFlows({ workingMode }: UnitSettings): Promise<void> {
    if (videoRefusal(workingMode) !== undefined) await stopTransmission()
    if (bridgeRefusal(workingMode) !== undefined) await databridge.stop()
  }

  async function stopTransmission(): Promise<void> {
    const ended = transmission.wanted()
    if (ended?.speedTestMs !== undefined) speedTest.cancel(ended.id)
    await transmission.stop()
  }

  const stopFlows = () =>
    Promise.all([
      transmission.stop(),
      videoReturn.stop(),
      intercoms.stopAll(),
      ifb.stop(),
      databridge.stop(),
      ipPipe.stop(),
    ])

  function measure(): void {
    if (!isUp) return
    const sample = hardware.sample()
    backlog.add(sample)
    const running = transmission.wanted()
    if (running?.speedTestMs === undefined || transmission.state() !== 'streaming') return
    const isOver = speedTest.note(running, sample.links, transmission.lastedMs())
    changed()
    // The time is kept here: links must not remain filled while core is unreachable.
    if (isOver) runner.request()
  }

  function receive(message: FromCore): void {
    if (message.type === 'order') orders.receive(message)
    if (message.type === 'tally') tally.receive(message.onAir)
    if (message.type !== 'wanted' || (wanted && message.revision < wanted.revision)) return
    wanted = message
    if (message.revision !== appliedRevision) tellOutcome('accepted')
    runner.request()
  }

  function welcomed(welcome: Welcome): void {
    // Core is authoritative about revisions: after its database was restored they may be lower than ours.
    wanted = undefined
    orders.welcomed(welcome.serverTime)
    reporter.reportAll()
  }

  async function carryOut(order: Order): Promise<void> {
    if (order.name === 'reboot') return await reboot()
    if (order.name === 'shutdown') return await shutDown()
    if (order.name === 'upgrade') return await upgrade(order.args)
    if (order.name === 'delete_certificate') return requireKey(options.registrationKey)
    if (order.name === 'send_logs') return sendLogs(logIdOf(order.args))
    if (order.name === 'stop_logs') return logSending.stop(logIdOf(order.args))
    if (order.name === 'virtual_channels_updated') return runner.request()
    if (await carryOutFileOrder({ files, uploads, send: (message) => session.send(message) }, order)) return
    const networks = await carryOutNetworkOrder(hardware.networks, order)
    if (networks === 'changed') session.redial()
    if (networks) return
    throw new Refused(because('unit.cannot', { action: order.name }))
  }

  function sendLogs(logId: string): void {
    if (!hardware.logs) throw new Refused('unit.noLogs')
    if (transmission.state() !== 'idle') throw new Refused('unit.transmitting')
    logSending.start(logId, hardware.logs())
  }

  /** The machine ends the process, which stops what it sends. */
  async function shutDown(): Promise<void> {
    if (!hardware.shutDown) throw new Refused('unit.noShutdown')
    await hardware.shutDown()
  }

  async function upgrade(args: Order['args']): Promise<void> {
    identity = { ...identity, swVersion: await upgrading.run(args) }
    options.onUpgraded?.(identity.swVersion)
    await reboot('upgraded')
  }

  async function reboot(why?: 'upgraded'): Promise<void> {
    isUp = false
    logSending.close()
    session.close()
    reporter.forget()
    tally.end()
    await stopFlows()
    const restarting = why && hardware.startInstalled ? hardware.startInstalled() : hardware.reboot()
    const failed = await restarting.then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    isUp = true
    if (stopped) return
    appliedRevision = 0
    await new Promise<void>((welcomedAgain) => {
      session = connect(welcomedAgain)
    })
    if (failed) throw failed.error
  }

  function connect(onFirstWelcome?: () => void): Session {
    return createSession({
      ...options,
      identity: { kind: 'unit', ...identity },
      bootId: randomUUID(),
      reportIntervalMs: ticker.periodMs,
      appliedRevision: () => appliedRevision,
      failedUpgrade: options.software?.failed,
      onWelcome(welcome) {
        options.software?.welcomed()
        welcomed(welcome)
        onFirstWelcome?.()
      },
      onMessage: receive,
      onLost() {
        reporter.forget()
        tally.lost()
      },
      clock,
    })
  }

  session = connect()
  hardware.onChange((change) => {
    if (change.kind === 'transmissionLost') transmission.lost(change.why)
    if (change.kind === 'videoReturnLost') videoReturn.lost(change.why)
    if (change.kind === 'ifbLost') ifb.lost(change.why)
    if (change.kind === 'databridgeLost') databridge.lost(change.why)
    if (change.kind === 'ipPipeLost') ipPipe.lost(change.why)
    if (change.kind === 'intercomLost') intercoms.lost(change.intercom, change.why)
    changed()
    const now = placesOf(hardware.facts().settings)
    if (now === places) return
    places = now
    runner.request()
  })
  const endTicks = ticker.onTurn(measure)

  return {
    deviceId: () => session.deviceId(),
    isConnected: () => session.isOpen(),
    transmissionState: transmission.state,
    actual,
    async stop() {
      stopped = true
      endTicks()
      uploads?.close()
      logSending.close()
      session.close()
      reporter.forget()
      tally.end()
      await runner.stop()
      await stopFlows()
    },
  }
}

/** No transmission starts in another working mode than one of video; test data is no transmission. */
const withinMode = (hardware: UnitHardware): TransmissionHardware => ({
  async startTransmission(wanted, delayMs, signal) {
    const closed = videoRefusal(hardware.facts().settings?.workingMode)
    if (closed !== undefined && wanted.speedTestMs === undefined) throw new Refused(closed)
    await hardware.startTransmission(wanted, delayMs, signal)
  },
  ...(hardware.moveTransmission && { moveTransmission: hardware.moveTransmission.bind(hardware) }),
  stopTransmission: () => hardware.stopTransmission(),
})

interface FlowHardware<Wanted> {
  start(wanted: Wanted, signal: AbortSignal): Promise<void>
  stop(): void | Promise<void>
}

/** A flow that begins and ends as a transmission does, without a delay of its own. */
const flowOf = <Wanted>(part: () => FlowHardware<Wanted> | undefined): TransmissionHardware<Wanted> => ({
  startTransmission: async (wanted, _, signal) => await part()?.start(wanted, signal),
  stopTransmission: async () => await part()?.stop(),
})

/** The settings that can be set, with their interfaces: wanted settings of one that was plugged in are applied then. */
const placesOf = (settings: UnitSettings = {}): string =>
  [...settingNames(settings), ...Object.keys(settings.ethernet ?? {})].join()

function readActual(
  hardware: UnitHardware,
  transmission: Transmission,
  videoReturn: Transmission<WantedVideoReturn>,
  {
    logSending,
    uploads,
    upgrading,
    intercoms,
    ifb,
    databridge,
    ipPipe,
  }: {
    logSending: LogSending
    uploads: UploadSending | undefined
    upgrading: Upgrading
    intercoms: Intercoms
    ifb: Transmission<WantedIfb>
    databridge: Transmission<WantedDatabridge>
    ipPipe: Transmission<WantedIpPipe>
  },
  own: Pick<UnitActual, 'channelId' | 'delayMs' | 'appliedRevision' | 'speedTest'>,
): UnitActual {
  const { activities = {}, status, ...facts } = hardware.facts()
  const why = transmission.failure()
  const failure = why && cutReason(why)
  const noReturn = videoReturn.failure()
  const missing = noReturn && cutReason(noReturn)
  const isTest = transmission.wanted()?.speedTestMs !== undefined
  const sent = shownState(transmission)
  const shown = isTest && sent === 'streaming' ? 'speedtest' : sent
  const fetched = shownState(videoReturn)
  const heard = shownState(ifb)
  const sound = heard !== 'idle' && {
    ifb: { state: heard === 'streaming' ? 'connected' : heard, since: ifb.sinceMs() },
  }
  const bridged = databridgeActual(databridge)
  const piped = ipPipeActual(ipPipe)
  const forward = uploads?.activity()
  const activity = transmission.wanted()?.activity ?? 'video'
  const video = shown !== 'idle' && { [activity]: { state: shown, since: transmission.sinceMs() } }
  const picture = fetched !== 'idle' && {
    videoReturn: { state: fetched === 'streaming' ? 'collecting' : fetched, since: videoReturn.sinceMs() },
  }
  return {
    ...facts,
    ...own,
    ...(status && { status }),
    state: shown,
    applications: {
      ...activities,
      ...video,
      ...picture,
      ...intercoms.activities(),
      ...sound,
      ...bridged.activities,
      ...piped.activities,
      ...(forward && { forward }),
      ...(upgrading.isRunning() && { upgrade: { state: 'upgrading' } }),
      ...(logSending.isRunning() && { fetchlogs: { state: 'running' } }),
    },
    transmissionId: transmission.wanted()?.id ?? null,
    failure: failure?.reason ?? null,
    failureCause: failure?.cause ?? null,
    ...(hardware.videoReturn && {
      videoReturnId: videoReturn.wanted()?.id ?? null,
      returnFailure: missing?.reason ?? null,
      returnFailureCause: missing?.cause ?? null,
    }),
    ...(hardware.databridge && bridged.actual),
    ...(hardware.ipPipe && piped.actual),
    ...intercoms.actual(),
    workingMode: facts.settings?.workingMode ?? 'video',
  }
}

/** Its state in the words of a databridge (ST-PHASE-01). */
function databridgeActual(databridge: Transmission<WantedDatabridge>) {
  const state = shownState(databridge)
  const why = databridge.failure()
  const failure = why && cutReason(why)
  return {
    activities: state !== 'idle' && {
      databridge: { state: state === 'streaming' ? 'bridging' : state, since: databridge.sinceMs() },
    },
    actual: {
      databridgeId: databridge.wanted()?.id ?? null,
      databridgeFailure: failure?.reason ?? null,
      databridgeFailureCause: failure?.cause ?? null,
    },
  }
}

/** Its state in the words of an IP pipe (ST-IPPIPE): one that continues to call after a failure has failed until it succeeds. */
function ipPipeActual(ipPipe: Transmission<WantedIpPipe>) {
  const why = ipPipe.failure()
  const failure = why && cutReason(why)
  const word = {
    idle: undefined,
    connecting: failure ? 'failed' : 'connecting',
    retrying: 'failed',
    streaming: 'connected',
    returning: 'connected',
    stopping: 'disconnecting',
  }[ipPipe.state()]
  return {
    activities: word !== undefined && { l2ControlPipe: { state: word, since: ipPipe.sinceMs() } },
    actual: {
      ipPipeId: ipPipe.wanted()?.id ?? null,
      ipPipeFailure: failure?.reason ?? null,
      ipPipeFailureCause: failure?.cause ?? null,
    },
  }
}
