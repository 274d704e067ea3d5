// Transmissions: a unit sends to a channel. Starts, stops and settings are changes of the wanted state, followed as commands.

import { mayDo } from '@backhaul/contract/define/actions'
import { Conflict, NotAllowed, NotFound, Refusal } from '@backhaul/contract/define/errors'
import { type Wording, wordingOf } from '@backhaul/contract/define/refusals'
import type { Order } from '@backhaul/contract/gateway/gateway'
import { activityOf, type MultiCameraMode } from '@backhaul/contract/nouns/cameras'
import { type Channel, isMultipointName } from '@backhaul/contract/nouns/channels'
import type { CommandName } from '@backhaul/contract/nouns/commands'
import { feedsOf } from '@backhaul/contract/nouns/multi-camera'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import { powerRefusal } from '@backhaul/contract/nouns/unit-refusals'
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { isStreaming } from '@backhaul/contract/nouns/unit-status'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import { everything, type Scope } from '../../database/scope.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { AccessApprovals } from '../../fleet/access-approvals/access-approvals.ts'
import type { ChannelChange, Channels } from '../../fleet/channels/channels.ts'
import type { DeviceDetails, Devices, WantedChange } from '../../fleet/devices/devices.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Events } from '../../world/events.ts'
import { createActiveTransmissions, type Done } from './active-transmissions.ts'
import { createLimitChange } from './channel-limits.ts'
import type { CommandArgs } from './command-state.ts'
import type { StoredCommand } from './command-table.ts'
import { type Commands, createCommands, type Retry, type Secret } from './commands.ts'
import { followMachines } from './machine-copies.ts'
import { requireMachines } from './machines.ts'
import { followLabels } from './recorded-labels.ts'
import {
  mayHaveDelay,
  requireCameras,
  requireChannel,
  requireDelay,
  requireDestination,
  requireLinks,
  requireOfferedDelay,
  requireStart,
  requireStop,
  requireVersion,
} from './refusals.ts'
import { createSpeedTests } from './speed-tests.ts'
import { heldChannelsOf, type OpenTransmission, openTransmissions } from './transmission-table.ts'
import { watchTransmissions } from './transmission-watch.ts'

type OrderName = Extract<CommandName, Order['name']>

/** All of these answer the id under which the command is followed. */
export interface Transmissions {
  /** To the selected channel, or to the named one for this time only (GAP-STRM-07). */
  start(caller: Caller, unitId: string, channel?: string): Promise<string>
  stop(caller: Caller, unitId: string): Promise<string>
  /** Several cameras, in one of these modes only. */
  startCameras(caller: Caller, unitId: string, modes: readonly MultiCameraMode[]): Promise<string>
  stopCameras(caller: Caller, unitId: string, modes: readonly MultiCameraMode[]): Promise<string>
  /** Tests the links for this long on the selected channel; `stop` and another channel cancel it. */
  testSpeed(caller: Caller, unitId: string, seconds: number): Promise<string>
  /** While the unit transmits, the transmission moves to the new channel. */
  setChannel(caller: Caller, unitId: string, channel: string | null, retry?: Retry): Promise<string>
  setDelay(caller: Caller, unitId: string, delayMs: number): Promise<string>
  /** Stores the delay of the unit over fixed internet; answers a command only while the unit is in that link mode. */
  setFixedInternetDelay(caller: Caller, unitId: string, delayMs: number): Promise<string | undefined>
  /** Limits the rate of units to a channel, also while one sends (EN-CHAN-10). Throws Conflict where no unit keeps it. */
  limitChannel(scope: Scope, channelId: string, kbps: number): Promise<void>
  /** Selects the channel, which the unit transmits to alone from now on; answers the id of the command. */
  setDestination(caller: Caller, unitId: string, channelId: string): Promise<string>
  /** Any channel may be selected again. */
  removeDestination(unitId: string): Promise<void>
  /** Changes to which point-to-multipoint machines the unit sends, also while it does (ST-CHSEL-07). */
  changeMachines(unitId: string, next: (current: readonly string[]) => string[]): Promise<void>
  setLinks(
    caller: Caller,
    unitId: string,
    changes: { interface: number; enabled: boolean }[],
  ): Promise<string>
  /** Settings that the unit supports, of a unit in the caller's scope; those that are not named are kept. */
  configure(caller: Caller, unitId: string, changes: UnitSettings): Promise<string>
  order(caller: Caller, unitId: string, name: OrderName, more?: OrderDetails): Promise<string>
  /** Why the caller cannot give the order now, even if a reboot may interrupt the unit; undefined when they can. */
  refusalOf(caller: Caller, unit: TargetUnit, name: OrderName): Promise<Wording | undefined>
  /** Throws unless the caller may now switch the unit off or end its pairing (GAP-STRM-08, GAP-SCR-07). */
  requirePower(caller: Caller, unit: PoweredUnit): Promise<void>
  /** The transmission of a unit, and when its first picture came; undefined when none runs. */
  running(unitId: string): { id: string; liveMs: number | null } | undefined
  /** Commands for requests to units other than transmissions. */
  readonly commands: Pick<Commands, 'write' | 'open'>
  /** Resumes what was running when core stopped. */
  resume(): Promise<void>
  close(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  inventories: Inventories
  devices: Devices
  channels: Channels
  units: Units
  accessApprovals: AccessApprovals
}

interface OrderDetails {
  args?: Order['args']
  secret?: Secret | undefined
  /** A reboot also interrupts what the unit does now. */
  whileBusy?: boolean
}

type PoweredUnit = Pick<Unit, 'uid' | 'inventoryId'>
type TargetUnit = PoweredUnit & Pick<Unit, 'offline' | 'busy' | 'capabilities'>

/** A changed channel shows as not updated for this long (PU-TIME-01). */
const configurationUpdatedAfterMs = 2000

export function createTransmissions(needs: Needs): Transmissions {
  const { db, clock, inventories, devices, channels, units, accessApprovals } = needs
  const commands = createCommands(needs)
  const active = createActiveTransmissions({ ...needs, openCommand: commands.open })
  const watch = watchTransmissions(needs, active)
  const copies = followMachines(needs, active)
  const labels = followLabels(needs, active.running)
  const speedTests = createSpeedTests(needs, active)
  const showConfiguration = units.provide('configurationUpdated')
  const { running, leaving, wantedOf, commit, change, begin, newTransmission, follow, endAll, unfollow } =
    active

  async function write(
    transaction: DatabaseTransaction,
    caller: Caller,
    { deviceId: uid, revision }: WantedChange,
    name: CommandName,
    args: CommandArgs,
    retry?: Retry,
  ): Promise<StoredCommand> {
    await accessApprovals.noteAct(transaction, caller, uid)
    return await commands.write(transaction, {
      uid,
      name,
      by: caller.username,
      args: { ...args, revision },
      ...(retry && { retry }),
    })
  }

  function channelOf(caller: Caller, name: string) {
    const channel = channels.find(caller.scope, name)
    if (!channel) throw new NotFound('channel')
    return channel
  }

  async function start(caller: Caller, unitId: string, named?: string): Promise<string> {
    const unit = units.get(caller.scope, unitId)
    if (unit.multiCameraSelectedMode !== null) {
      if (named !== undefined) throw new Conflict('camera.inMode')
      return await startCameras(caller, unit, unit.multiCameraSelectedMode)
    }
    // After a move that failed the unit has another channel selected than its destination.
    const chosen = unit.destinationChannelUid ?? unit.channelId ?? ''
    const channel = named === undefined ? channels.known(chosen) : channelOf(caller, named)
    requireDestination(unit, named === undefined ? chosen : channel?.uniqueId)
    requireStart(unit, channel)
    channels.requireJoin(caller, channel)
    const transmission = newTransmission(caller.username, unitId, channel.uniqueId)
    return await run(caller, transmission, 'start_streaming', () => units.setTransition(unitId, 'starting'))
  }

  /** A unit in a multi-camera mode sends the cameras of that mode. */
  async function startCameras(caller: Caller, unit: Unit, mode: MultiCameraMode): Promise<string> {
    const feeds = feedsOf(unit, channels.members(unit.multipleCamera?.channel ?? ''))
    requireCameras(unit, feeds, channels.known)
    for (const { channelId } of feeds) channels.requireJoin(caller, channels.get(everything, channelId))
    for (const { channelId } of feeds) requireDestination(unit, channelId)
    const transmission = newTransmission(caller.username, unit.uid, feeds[0]?.channelId ?? '')
    const several = { ...transmission, activity: activityOf[mode], feeds }
    return await run(caller, several, 'start_streaming', () => units.setTransition(unit.uid, 'starting'))
  }

  async function run(
    caller: Caller,
    transmission: OpenTransmission,
    name: CommandName,
    afterwards: () => void,
  ): Promise<string> {
    const { id: transmissionId, unitId, channelId } = transmission
    return await commit(unitId, async (transaction) => {
      const [taken, unitChange] = await begin(transaction, transmission, (wanted) => {
        if (wanted.transmission !== null) throw new Conflict('unit.busy')
        return wanted
      })
      const command = await write(transaction, caller, unitChange, name, { transmissionId, channelId })
      const done = () => {
        follow(transmission)
        afterwards()
      }
      return { channelChanges: taken, unitChange, command, afterwards: done }
    })
  }

  async function stop(caller: Caller, unitId: string): Promise<string> {
    const unit = units.get(caller.scope, unitId)
    requireStop(unit)
    const transmission = running.get(unitId)
    return await commit(unitId, async (transaction) => {
      const freed = transmission ? await endAll(transaction, transmission, caller.username, 'stopped') : []
      const unitChange = await change(transaction, unitId, (wanted) => ({ ...wanted, transmission: null }))
      const args = transmission ? { transmissionId: transmission.id } : {}
      const command = await write(transaction, caller, unitChange, 'stop_streaming', args)
      const afterwards = () => {
        if (transmission) unfollow(unitId, transmission.id, wordingOf('speedTest.cancelled'))
        const now = units.values(unitId)
        units.setTransition(unitId, now && !now.offline && isStreaming(now) ? 'stopping' : undefined)
      }
      return { channelChanges: freed, unitChange, command, afterwards }
    })
  }

  async function setBuffers(
    transaction: DatabaseTransaction,
    transmission: OpenTransmission,
    delayMs: number,
  ): Promise<(ChannelChange | undefined)[]> {
    const changes: (ChannelChange | undefined)[] = []
    for (const id of await channels.hold(transaction, heldChannelsOf(transmission)))
      changes.push(await channels.setBuffer(transaction, id, transmission.id, delayMs))
    return changes
  }

  /**
   * The transmission continues on another channel, as a new one: old and new server never share a key. The old channel is
   * held until the unit sends to the new one, so that a unit that can serve both loses no picture.
   */
  async function move(caller: Caller, unitId: string, channelId: string, retry?: Retry): Promise<string> {
    const old = running.get(unitId) as OpenTransmission
    if (leaving.has(unitId)) throw new Conflict('unit.inTransition')
    const before = wantedOf(unitId).transmission
    const transmission = newTransmission(caller.username, unitId, channelId)
    return await commit(
      unitId,
      async (transaction) => {
        const [taken, unitChange] = await begin(transaction, transmission, (wanted) => {
          if (wanted.transmission?.id !== old.id) throw new Conflict('unit.inTransition')
          return { ...wanted, channelId }
        })
        const args = { channelId, transmissionId: transmission.id }
        const command = await write(transaction, caller, unitChange, 'set_virtual_channel', args, retry)
        const afterwards = () => {
          leaving.set(unitId, { transmission: old, wanted: before, commandId: command.id })
          follow(transmission)
        }
        return { channelChanges: taken, unitChange, command, afterwards }
      },
      retry,
    )
  }

  /** ST-CHSEL-01: not updated, and updated again after 2 s. */
  function flagConfiguration(unitId: string): void {
    showConfiguration(unitId, { configurationUpdated: false })
    const showUpdated = () => showConfiguration(unitId, { configurationUpdated: true })
    clock.setTimeout(showUpdated, configurationUpdatedAfterMs)
  }

  async function changeMachines(
    unitId: string,
    next: (current: readonly string[]) => string[],
  ): Promise<void> {
    await units.changeMachines(unitId, next)
    copies.follow(unitId)
  }

  /** A repeated request must not undo itself: only updatePtmpChannels removes a machine. */
  async function addMachine(unit: Unit, machine: Channel): Promise<void> {
    const others = unit.selectedChannels.filter((id) => id !== machine.uniqueId)
    const known = others.flatMap((id) => channels.known(id) ?? [])
    const machines = known.filter(({ name }) => isMultipointName(name))
    await requireMachines(inventories, unit, [...machines, machine])
    await changeMachines(unit.uid, (now) => [...new Set([...now, machine.uniqueId])])
  }

  async function setChannel(
    caller: Caller,
    unitId: string,
    name: string | null,
    retry?: Retry,
  ): Promise<string> {
    const unit = units.get(caller.scope, unitId)
    const channel = name === null ? undefined : channelOf(caller, name)
    requireDestination(unit, channel?.uniqueId)
    return await select(caller, unit, channel, retry)
  }

  async function select(
    caller: Caller,
    unit: Unit,
    channel: Channel | undefined,
    retry?: Retry,
  ): Promise<string> {
    const unitId = unit.uid
    if (channel) channels.requireJoin(caller, channel)
    if (channel && isMultipointName(channel.name)) await addMachine(unit, channel)
    else requireVersion(unit, channel)
    const before = running.get(unitId)
    const isTest = before?.speedTestMs !== undefined
    if (isTest && before.channelId !== channel?.uniqueId) await speedTests.channelChanged(caller, before)
    const transmission = running.get(unitId)
    const left = leaving.get(unitId)
    // A repeated request finds the move under way.
    if (left && transmission?.channelId === channel?.uniqueId) return left.commandId
    let commandId: string
    // Several cameras go to the channels of their mode, regardless of the selected channel.
    if (transmission && !transmission.feeds && transmission.channelId !== channel?.uniqueId) {
      requireChannel(unit, channel)
      commandId = await move(caller, unitId, channel.uniqueId, retry)
    } else {
      const channelId = channel?.uniqueId ?? null
      const body = async (transaction: DatabaseTransaction): Promise<Done> => {
        const unitChange = await change(transaction, unitId, (wanted) => ({ ...wanted, channelId }))
        const command = await write(
          transaction,
          caller,
          unitChange,
          'set_virtual_channel',
          { channelId },
          retry,
        )
        return { channelChanges: [], unitChange, command }
      }
      commandId = await commit(unitId, body, retry)
    }
    flagConfiguration(unitId)
    return commandId
  }

  async function setDelay(caller: Caller, unitId: string, delayMs: number): Promise<string> {
    const unit = units.get(caller.scope, unitId)
    requireDelay(unit, delayMs, wantedOf(unitId).delayMs)
    const transmission = running.get(unitId)
    return await commit(unitId, async (transaction) => {
      const buffered = transmission ? await setBuffers(transaction, transmission, delayMs) : []
      const unitChange = await change(transaction, unitId, (wanted) => ({ ...wanted, delayMs }))
      const command = await write(transaction, caller, unitChange, 'set_delay', { delayMs })
      return { channelChanges: buffered, unitChange, command }
    })
  }

  /** The delay that comes with another mode of the links, where the unit has one for it and can have it now (EP-USET-08). */
  function delayWith(unitId: string, { linkMode }: UnitSettings): number | undefined {
    const { fixedInternet } = devices.get(unitId)?.details ?? {}
    const unit = units.values(unitId)
    const before = units.settings(everything, unitId).settings.linkMode
    if (!unit || !fixedInternet || linkMode === undefined || linkMode === before) return undefined
    const { delayMs, bondedDelayMs } = fixedInternet
    const next = linkMode === 'fixedInternet' ? delayMs : bondedDelayMs
    return next !== undefined && mayHaveDelay(unit, next, wantedOf(unitId).delayMs) ? next : undefined
  }

  async function configure(caller: Caller, unitId: string, changes: UnitSettings): Promise<string> {
    const [transmission, delayMs] = [running.get(unitId), delayWith(unitId, changes)]
    const beforeMs = wantedOf(unitId).delayMs
    return await commit(unitId, async (transaction) => {
      const isBuffered = transmission !== undefined && delayMs !== undefined
      const buffered = isBuffered ? await setBuffers(transaction, transmission, delayMs) : []
      let settings: UnitSettings = {}
      const unitChange = await change(transaction, unitId, (wanted) => {
        settings = { ...wanted.settings, ...changes }
        return { ...wanted, settings, delayMs: delayMs ?? wanted.delayMs }
      })
      const command = await write(transaction, caller, unitChange, 'set_configuration', { settings })
      const done = { channelChanges: buffered, unitChange, command }
      if (delayMs === undefined) return done
      const next = (now: DeviceDetails) => withBondedDelay(now, changes, beforeMs)
      const details = await devices.changeDetails(transaction, unitId, next)
      return { ...done, afterwards: () => devices.adoptDetails(details) }
    })
  }

  return {
    start,
    stop,
    async startCameras(caller, unitId, modes) {
      const unit = units.get(caller.scope, unitId)
      const mode = modes.find((one) => one === unit.multiCameraSelectedMode)
      if (mode === undefined) throw new Conflict('camera.notInMode')
      return await startCameras(caller, unit, mode)
    },
    async stopCameras(caller, unitId, modes) {
      const { applications } = units.get(caller.scope, unitId)
      const activities = modes.map((mode) => activityOf[mode])
      const wantedActivity = running.get(unitId)?.activity
      const isSent = activities.some((one) => one === wantedActivity || applications?.[one] !== undefined)
      if (!isSent) throw new Conflict('transmission.notRunning')
      return await stop(caller, unitId)
    },
    async testSpeed(caller, unitId, seconds) {
      const transmission = speedTests.prepare(caller, unitId, seconds)
      return await run(caller, transmission, 'speed_test', () => speedTests.begun(transmission))
    },
    setChannel,
    limitChannel: createLimitChange(needs, active.change),
    async setDestination(caller, unitId, channelId) {
      const channel = channels.get(caller.scope, channelId)
      const commandId = await select(caller, units.get(caller.scope, unitId), channel)
      await devices.updateDetails(unitId, (now) => ({ ...now, destination: channelId }))
      units.addEvent(unitId, 'settings', unitEvent('settings.destination', {}))
      return commandId
    },
    async removeDestination(unitId) {
      await devices.updateDetails(unitId, ({ destination: _, ...now }) => now)
      units.addEvent(unitId, 'settings', unitEvent('settings.destination', {}))
    },
    changeMachines,
    setDelay,
    async setFixedInternetDelay(caller, unitId, delayMs) {
      const unit = units.get(caller.scope, unitId)
      const { linkMode } = units.settings(caller.scope, unitId).settings
      if (linkMode === undefined) throw Conflict.at('delay', 'unitSetting.unsupported')
      requireOfferedDelay(unit, delayMs)
      const isInUse = linkMode === 'fixedInternet'
      const before = isInUse ? { bondedDelayMs: wantedOf(unitId).delayMs } : {}
      const commandId = isInUse ? await setDelay(caller, unitId, delayMs) : undefined
      await devices.updateDetails(unitId, (now) => ({
        ...now,
        fixedInternet: { ...before, ...now.fixedInternet, delayMs },
      }))
      return commandId
    },
    async setLinks(caller, unitId, changes) {
      const unit = units.get(caller.scope, unitId)
      requireLinks(unit, units.memory(unitId)?.actual.links ?? [], unit.modems, changes)
      return await commit(unitId, async (transaction) => {
        let disabledLinks: number[] = []
        const unitChange = await change(transaction, unitId, (wanted) => {
          const disabled = new Set(wanted.disabledLinks)
          for (const { interface: port, enabled } of changes)
            enabled ? disabled.delete(port) : disabled.add(port)
          disabledLinks = [...disabled].sort((a, b) => a - b)
          return { ...wanted, disabledLinks }
        })
        const command = await write(transaction, caller, unitChange, 'set_enabled_links', { disabledLinks })
        return { channelChanges: [], unitChange, command }
      })
    },
    configure,
    async order(caller, unitId, name, { args = {}, secret, whileBusy = false } = {}) {
      await requireOrder(caller, units.get(caller.scope, unitId), name, whileBusy)
      const command = await db.transaction().execute(async (transaction) => {
        await accessApprovals.noteAct(transaction, caller, unitId)
        const shown = { ...args, ...(secret && { hasSecret: true }) }
        return await commands.write(transaction, { uid: unitId, name, by: caller.username, args: shown })
      })
      commands.open(command, { secret })
      return command.id
    },
    async refusalOf(caller, unit, name) {
      try {
        await requireOrder(caller, unit, name, true)
      } catch (error) {
        if (error instanceof Refusal) return error
        throw error
      }
    },
    requirePower,
    running: (unitId) => running.get(unitId),
    commands,
    async resume() {
      active.resume(await openTransmissions(db))
      await commands.start()
      watch.start()
    },
    async close() {
      watch.stop()
      await labels.stored()
      await commands.stop()
    },
  }

  async function requireOrder(
    caller: Caller,
    unit: TargetUnit,
    name: OrderName,
    whileBusy: boolean,
  ): Promise<void> {
    if (name !== 'reboot' && name !== 'shutdown') {
      if (unit.offline) throw new Conflict('unit.offline')
      return
    }
    await requirePower(caller, unit)
    const refusal = powerRefusal(unit, name, whileBusy)
    if (refusal !== undefined) throw new Conflict(refusal)
  }

  /** Only for those who may power units, where the customer allows it. */
  async function requirePower(caller: Caller, { uid, inventoryId }: PoweredUnit): Promise<void> {
    if (!mayDo(caller.roles, 'powerUnits')) throw new NotAllowed()
    await accessApprovals.require(caller, uid)
    const closed = await inventories.closed(inventoryId, 'reboot')
    if (closed !== undefined) throw new Conflict(closed)
  }
}

/** The delay before is remembered for the return to bonding, and forgotten with it. */
function withBondedDelay(
  { fixedInternet, ...now }: DeviceDetails,
  { linkMode }: UnitSettings,
  bondedDelayMs: number,
): DeviceDetails {
  if (!fixedInternet) return now
  const { delayMs } = fixedInternet
  return { ...now, fixedInternet: linkMode === 'fixedInternet' ? { delayMs, bondedDelayMs } : { delayMs } }
}
