// Upgrades of units and servers: a target waits until the device is idle, is sent once, and follows the device's reports.

import { randomBytes } from 'node:crypto'
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import {
  causeOf,
  english,
  type PlainCode,
  type ReasonFields,
  reasonFields,
  type Wording,
  wordingIn,
  wordingOfFields,
} from '@backhaul/contract/define/refusals'
import type { Hello, Outcome, UpgradeProgress } from '@backhaul/contract/gateway/gateway'
import { channelIsIn } from '@backhaul/contract/nouns/channels'
import type { KnownSoftwareVersion, SoftwareVersion } from '@backhaul/contract/nouns/software-versions'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import {
  anyUpgradeRefusal,
  shownWarnings,
  type Upgrade,
  type UpgradeChoice,
  type UpgradedDevice,
  type UpgradeRefusal,
  type UpgradeRequest,
  upgradeRefusal,
  upgradeResults,
} from '@backhaul/contract/nouns/upgrades'
import { compareVersions } from '@backhaul/contract/nouns/versions'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import { everything, type Scope } from '../../database/scope.ts'
import { createWrites } from '../../database/writes.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { SoftwareVersions } from '../../platform/software-versions/software-versions.ts'
import type { EventMap, Events } from '../../world/events.ts'
import type { AccessApprovals } from '../access-approvals/access-approvals.ts'
import type { Channels } from '../channels/channels.ts'
import type { Device, Devices } from '../devices/devices.ts'
import type { Servers } from '../servers/servers.ts'
import type { Units } from '../units/units.ts'
import { allUpgrades, deleteUpgrade, type KeptUpgrade, saveUpgrade } from './upgrade-table.ts'

export interface Upgrades {
  /** Throws NotFound for a device outside the caller's scope. */
  target(scope: Scope, deviceId: string): Upgrade | null
  choices(scope: Scope, deviceId: string): Promise<UpgradeChoice[]>
  /**
   * Throws Conflict with the rule that forbids it, a temporary one only where the upgrade is wanted now; NotAllowed to
   * contractors and partners while the customer does not approve.
   */
  setTarget(caller: Caller, deviceId: string, target: UpgradeRequest): Promise<Upgrade>
  /** Sets a target in a batch of the vendor's own, which needs no approval. */
  setTargetInBatch(by: string, deviceId: string, target: UpgradeRequest): Promise<Upgrade>
  /** Why the device cannot have this target, now or at all; the rules behind a temporary reason are checked too. */
  refusalOf(device: Device, target: SoftwareVersion): UpgradeRefusal | undefined
  /** Why the device cannot have any target; temporary reasons do not count. */
  closed(device: Device): PlainCode | undefined
  /** The id of its newest upgrade. */
  idOf(deviceId: string): string | undefined
  /** Throws Conflict where none is pending, NotAllowed as `setTarget` does. */
  clear(caller: Caller, deviceId: string): Promise<void>
  /** The path of the package in the repository, while this upgrade of this device runs. */
  pathOf(deviceId: string, upgradeId: string): Promise<string | undefined>
  start(): Promise<void>
  stop(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  devices: Devices
  servers: Servers
  channels: Channels
  units: Units
  accessApprovals: AccessApprovals
  softwareVersions: Pick<SoftwareVersions, 'known' | 'get'>
}

/** The interval at which pending upgrades are checked. */
const checkEveryMs = 5000
/** A device that reports nothing of its upgrade for this long has failed. */
const silentAfterMs = 15 * 60_000
const orderLastsMs = 20_000
const networkProblem = 105
const tryRebooting = -1

export function createUpgrades(needs: Needs): Upgrades {
  const { db, clock, log, events, devices, servers, channels, units, accessApprovals, softwareVersions } =
    needs
  const upgrades = new Map<string, KeptUpgrade>()
  const showOnUnit = units.provide('upgrade')
  const showOnServer = servers.provide('upgrade', 'targetVersion')
  /** The time of the last message of each, by the monotonic clock. */
  const receivedMs = new Map<string, number>()
  /** The boot id of the newest start of each device's software. */
  const boots = new Map<string, string>()
  const writes = createWrites(log)
  let timer: Timer | undefined

  function show(deviceId: string): void {
    const kept = upgrades.get(deviceId)
    const upgrade = kept ? shown(kept) : null
    if (devices.get(deviceId)?.kind === 'unit') {
      showOnUnit(deviceId, { upgrade })
      return
    }
    // The software version that the server is to run, until it does.
    const targetVersion = upgrade?.state === 'succeeded' ? null : (upgrade?.version ?? null)
    showOnServer(deviceId, { upgrade, targetVersion })
  }

  const write = (job: () => Promise<void>, deviceId: string) =>
    writes.add(job, 'state of the upgrade not stored', { deviceId })

  function change(upgrade: KeptUpgrade, changes: Partial<Upgrade>): Promise<void> {
    const { device } = upgrade
    const before = upgrades.get(device)
    if (before?.state === 'pending' && before.id !== upgrade.id) announce({ ...before, state: 'replaced' })
    const after = { ...upgrade, ...changes, changedAt: clock.nowMs() }
    upgrades.set(device, after)
    receivedMs.set(device, clock.monotonicMs())
    show(device)
    if (changes.state !== undefined && devices.get(device)?.kind === 'unit')
      units.addEvent(
        device,
        'command',
        {
          ...unitEvent(`upgrade.${after.state}`, { version: after.version }),
          reason: after.reason,
          cause: after.cause,
        },
        after.state === 'failed' || after.state === 'rejected' ? 'warning' : 'info',
      )
    if (changes.state !== undefined) announce(after)
    // The device reports its progress again after a restart of core.
    return changes.state === undefined ? writes.stored() : write(() => saveUpgrade(db, after), device)
  }

  const announce = ({
    id: upgradeId,
    device: deviceId,
    state,
    reason,
    cause,
  }: Omit<KeptUpgrade, 'state'> & Pick<EventMap['upgradeChanged'], 'state'>) =>
    events.emit('upgradeChanged', { deviceId, upgradeId, state, reason, cause })

  function known(scope: Scope, deviceId: string): Device {
    const device = devices.get(deviceId)
    try {
      if (device?.kind === 'unit') units.get(scope, deviceId)
      else servers.get(scope, deviceId)
    } catch (error) {
      // A unit of another customer is treated like one that does not exist.
      throw error instanceof NotFound ? new NotFound('device') : error
    }
    return device as Device
  }

  function situation(device: Device): UpgradedDevice {
    const { id, productType: product, swVersion, inventoryId, kind } = device
    const isServer = kind === 'server'
    const own = isServer ? channels.ofServer(id) : []
    const unit = units.values(id)
    const channelId = unit?.channelId ?? null
    const serverId = channelId === null ? undefined : channels.serverOf(channelId)
    const capabilities = units.memory(id)?.actual.capabilities
    const ofServer = servers.memory(id)?.actual.capabilities
    return {
      product,
      swVersion,
      inventoryId,
      isServer,
      isOffline: device.presence === 'offline',
      isBusy: isServer
        ? own.some(({ status, allocatedTo }) => channelIsIn(status, 'busy') || allocatedTo !== null)
        : unit?.busy === true || (unit?.transmission ?? null) !== null,
      canUpgrade: isServer
        ? ofServer && ofServer.upgrade === true
        : capabilities && capabilities.upgrade === true,
      hasHevc: capabilities?.hevc,
      channelServerVersion: serverId === undefined ? undefined : devices.get(serverId)?.swVersion,
      hasEncoderInput: own.some(({ inputType }) => inputType === 'sdi'),
    }
  }

  /** A temporary reason hides the rules behind it: they are checked too, so that the upgrade does not fail later. */
  const hiddenRefusal = (device: Device, target: SoftwareVersion): UpgradeRefusal | undefined =>
    upgradeRefusal({ ...situation(device), isOffline: false, isBusy: false }, target)

  async function want(
    device: Device,
    version: KnownSoftwareVersion,
    upgradeNow: boolean,
    by: string,
  ): Promise<Upgrade> {
    if (upgrades.get(device.id)?.state === 'upgrading') throw new Conflict('upgrade.running')
    const refusal = upgradeRefusal(situation(device), version)
    if (refusal && (upgradeNow || !refusal.passes)) throw new Conflict(refusal.reason, { code: refusal.code })
    const later = refusal && hiddenRefusal(device, version)
    if (later) throw new Conflict(later.reason, { code: later.code })
    const upgrade: KeptUpgrade = {
      id: `ug-${randomBytes(9).toString('base64url')}`,
      device: device.id,
      state: 'pending',
      percent: 0,
      resultCode: null,
      reason: null,
      version: version.number,
      versionNumberId: version.id,
      by,
      changedAt: clock.nowMs(),
    }
    await change(upgrade, { state: 'pending' })
    const kept = upgrades.get(device.id) as KeptUpgrade
    if (!refusal) await check(kept)
    return shown(upgrades.get(device.id) ?? kept)
  }

  /** Sends the order; the device answers with its progress, or refuses. */
  async function begin(upgrade: KeptUpgrade, path: string): Promise<void> {
    const { id, device, version } = upgrade
    const args = { upgradeId: id, version, path }
    const isSent = devices.order(device, {
      id,
      name: 'upgrade',
      args,
      deadlineMs: clock.nowMs() + orderLastsMs,
    })
    if (isSent) await change(upgrade, { state: 'upgrading', percent: 0 })
  }

  async function check(upgrade: KeptUpgrade): Promise<void> {
    const device = devices.get(upgrade.device)
    if (!device) return
    if (
      upgrade.state === 'upgrading' &&
      clock.monotonicMs() - (receivedMs.get(upgrade.device) ?? 0) > silentAfterMs
    )
      return await change(upgrade, failure(networkProblem))
    if (upgrade.state !== 'pending') return
    const target = await softwareVersions.get(everything, upgrade.versionNumberId).catch(() => undefined)
    // It may have been cleared, or have got another target, in the meantime.
    if (upgrades.get(upgrade.device) !== upgrade) return
    const refusal = target
      ? upgradeRefusal(situation(device), target)
      : { reason: 'upgrade.notAllowed' as const, code: 6802, passes: false }
    if (refusal?.passes) return
    if (refusal) return await change(upgrade, rejection(refusal.reason, refusal.code))
    await begin(upgrade, target?.path ?? '')
  }

  function progressed(deviceId: string, progress: UpgradeProgress): void {
    const { upgradeId, percent, resultCode } = progress
    const upgrade = upgrades.get(deviceId)
    if (upgrade?.id !== upgradeId || upgrade.state !== 'upgrading') return
    void change(upgrade, resultCode === null ? { percent } : failure(resultCode, progress))
  }

  function answered(deviceId: string, outcome: Outcome): void {
    const { id, state } = outcome
    const upgrade = upgrades.get(deviceId)
    if (id === undefined || upgrade?.id !== id || upgrade.state !== 'upgrading') return
    if (state === 'refused') void change(upgrade, rejection(wordingOfFields(outcome, 'upgrade.unsupported')))
  }

  /** The device is back: with the new version, or the old one. */
  function opened(deviceId: string, { bootId, swVersion, failedUpgrade }: Hello): void {
    const before = boots.get(deviceId)
    boots.set(deviceId, bootId)
    const upgrade = upgrades.get(deviceId)
    if (upgrade?.state !== 'upgrading') return
    if (failedUpgrade?.upgradeId === upgrade.id)
      void change(upgrade, failure(failedUpgrade.resultCode, failedUpgrade))
    else if (swVersion === upgrade.version) void change(upgrade, { state: 'succeeded', percent: 100 })
    else if (before !== undefined && before !== bootId) void change(upgrade, failure(tryRebooting))
  }

  events.on('deviceConnected', ({ deviceId, hello }) => opened(deviceId, hello))
  events.on('device:upgradeProgress', ({ deviceId, message }) => progressed(deviceId, message))
  events.on('device:outcome', ({ deviceId, message }) => answered(deviceId, message))
  events.on('deviceRemoved', ({ deviceId }) => {
    const open = upgrades.get(deviceId)
    if (open?.state === 'pending' || open?.state === 'upgrading') announce({ ...open, state: 'cleared' })
    upgrades.delete(deviceId)
    boots.delete(deviceId)
  })

  return {
    target(scope, deviceId) {
      const { id } = known(scope, deviceId)
      const kept = upgrades.get(id)
      return kept ? shown(kept) : null
    },
    async choices(scope, deviceId) {
      const device = known(scope, deviceId)
      const now = situation(device)
      const versions = (await softwareVersions.known(scope)).filter(
        ({ products, deprecated }) => products.includes(device.productType) && !deprecated,
      )
      return versions
        .sort((a, b) => compareVersions(b.number, a.number))
        .map((version) => ({
          versionNumberId: version.id,
          version: version.number,
          description: version.description,
          releaseNotesUrl: version.releaseNotesUrl,
          refusal: shownRefusal(upgradeRefusal(now, version)),
          warnings: shownWarnings(device.swVersion, version.number),
        }))
    },
    async setTarget(caller, deviceId, request) {
      const device = known(caller.scope, deviceId)
      await accessApprovals.require(caller, deviceId)
      const version = await softwareVersions.get(caller.scope, request.versionNumberId)
      const upgrade = await want(device, version, request.upgradeNow, caller.username)
      await accessApprovals.noteAct(db, caller, deviceId)
      return upgrade
    },
    async setTargetInBatch(by, deviceId, { versionNumberId, upgradeNow }) {
      const device = known(everything, deviceId)
      return await want(device, await softwareVersions.get(everything, versionNumberId), upgradeNow, by)
    },
    refusalOf(device, target) {
      if (upgrades.get(device.id)?.state === 'upgrading')
        return { reason: 'upgrade.running', code: 409, passes: false }
      const refusal = upgradeRefusal(situation(device), target)
      return refusal?.passes ? (hiddenRefusal(device, target) ?? refusal) : refusal
    },
    closed(device) {
      if (upgrades.get(device.id)?.state === 'upgrading') return 'upgrade.running'
      return anyUpgradeRefusal({ ...situation(device), isOffline: false, isBusy: false })?.reason
    },
    idOf: (deviceId) => upgrades.get(deviceId)?.id,
    async clear(caller, deviceId) {
      known(caller.scope, deviceId)
      await accessApprovals.require(caller, deviceId)
      const pending = upgrades.get(deviceId)
      if (pending?.state !== 'pending') throw new Conflict('upgrade.nonePending')
      upgrades.delete(deviceId)
      announce({ ...pending, state: 'cleared' })
      show(deviceId)
      await write(() => deleteUpgrade(db, deviceId), deviceId)
      await accessApprovals.noteAct(db, caller, deviceId)
    },
    async pathOf(deviceId, upgradeId) {
      const upgrade = upgrades.get(deviceId)
      if (upgrade?.id !== upgradeId || upgrade.state !== 'upgrading') return undefined
      const version = await softwareVersions.get(everything, upgrade.versionNumberId).catch(() => undefined)
      return version?.path
    },
    async start() {
      for (const upgrade of await allUpgrades(db)) {
        upgrades.set(upgrade.device, upgrade)
        const silentMs = Math.max(0, clock.nowMs() - upgrade.changedAt)
        receivedMs.set(upgrade.device, clock.monotonicMs() - silentMs)
        show(upgrade.device)
      }
      timer = clock.setInterval(() => {
        for (const upgrade of upgrades.values()) void check(upgrade)
      }, checkEveryMs)
    },
    async stop() {
      clock.clearInterval(timer)
      await writes.stored()
    },
  }
}

/** The device may have a more exact reason than that of its code. */
const failure = (resultCode: number, why: Partial<ReasonFields> = {}): Partial<Upgrade> => ({
  state: 'failed',
  resultCode,
  ...reasonFields(wordingIn(why) ?? upgradeResults[resultCode]),
})

const rejection = (why: PlainCode | Wording, code = 409): Partial<Upgrade> => ({
  state: 'rejected',
  ...reasonFields(why),
  resultCode: code === 409 ? null : code,
})

const shownRefusal = (refusal: UpgradeRefusal | undefined): UpgradeChoice['refusal'] =>
  refusal
    ? {
        code: refusal.code,
        message: english(refusal.reason),
        cause: causeOf(refusal.reason),
        passes: refusal.passes,
      }
    : null

const shown = ({ id: _, ...upgrade }: KeptUpgrade): Upgrade => upgrade
