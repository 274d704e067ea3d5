// The running transmissions, and the one way to change them: a transaction, then memory, then the devices.
import { randomBytes } from 'node:crypto'
import { Conflict } from '@backhaul/contract/define/errors'
import { reasonFields, type Wording } from '@backhaul/contract/define/refusals'
import type { Intake } from '@backhaul/contract/gateway/servers'
import type { UnitWanted, WantedFeed, WantedTransmission } from '@backhaul/contract/gateway/units'
import type { CameraFeed } from '@backhaul/contract/nouns/cameras'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import type { ChannelChange, Channels } from '../../fleet/channels/channels.ts'
import type { Device, Devices, WantedChange } from '../../fleet/devices/devices.ts'
import type { Units } from '../../fleet/units/units.ts'
import { limitKbpsOf, withLimits } from './channel-limits.ts'
import type { StoredCommand } from './command-table.ts'
import type { Retry } from './commands.ts'
import { labelsOf } from './recorded-labels.ts'
import * as table from './transmission-table.ts'

/** The changes of a transaction, applied in memory after its commit. */
export interface Done {
  channelChanges: (ChannelChange | undefined)[]
  unitChange: WantedChange
  command: StoredCommand | undefined
  /** Applied in memory after the commit, before any device is informed. */
  afterwards?: () => void
}

/** A transmission whose unit is on its way to another channel; its own is held until the unit sends to the new one. */
export interface LeftTransmission {
  transmission: table.OpenTransmission
  /** The state that the unit returns to when the new channel does not answer; not known after a restart of core. */
  wanted: WantedTransmission | null
  /** Under which the move is followed. */
  commandId: string
}

export type RunningTransmission = table.OpenTransmission & { abandonedSinceMs: number | undefined }

interface Needs {
  db: Database
  clock: Clock
  devices: Devices
  channels: Channels
  units: Units
  openCommand: (command: StoredCommand, more?: { retry?: Retry | undefined }) => void
}

export type ActiveTransmissions = ReturnType<typeof createActiveTransmissions>

export function createActiveTransmissions({ db, clock, devices, channels, units, openCommand }: Needs) {
  /** The transmissions by unit: a unit has one at a time. */
  const running = new Map<string, RunningTransmission>()

  /** The transmissions that units are leaving, by unit. */
  const leaving = new Map<string, LeftTransmission>()

  const showTest = units.provide('speedTest', 'speedTestInTransition', 'speedTestCompleted')
  const wantedOf = (unitId: string) => (devices.get(unitId) as Device).wanted as UnitWanted

  /** Answers the id of the command, '' when there is none. */
  async function commit(
    unitId: string,
    body: (transaction: DatabaseTransaction) => Promise<Done>,
    retry?: Retry,
  ): Promise<string> {
    const { channelChanges, unitChange, command, afterwards } = await db.transaction().execute(body)
    afterwards?.()
    channels.adopt(channelChanges)
    devices.adopt([unitChange])
    units.wantedChanged(unitId)
    if (command) openCommand(command, { retry })
    return command?.id ?? ''
  }

  const change = (
    transaction: DatabaseTransaction,
    unitId: string,
    next: (wanted: UnitWanted) => UnitWanted,
  ): Promise<WantedChange> => devices.changeWanted<UnitWanted>(transaction, unitId, next)

  /** Takes the channel for one picture of the transmission, under a key of its own. */
  async function feed(
    transaction: DatabaseTransaction,
    { id, unitId, delayMs }: table.OpenTransmission,
    { camera, channelId }: CameraFeed,
  ): Promise<{ taken: ChannelChange; wanted: WantedFeed }> {
    const key = randomBytes(32).toString('base64')
    const labels = labelsOf(units, unitId)
    const intake: Intake = { transmissionId: id, unitId, key, bufferMs: delayMs, ...(labels && { labels }) }
    const targets = channels.targets(channelId)
    if (targets.length === 0) throw new Conflict('channel.busyOrOffline')
    const taken = await channels.take(transaction, channelId, intake)
    const limit = limitKbpsOf(taken.facts.settings.details?.bandwidthLimit)
    return { taken, wanted: { camera, channelId, key, targets, ...limit } }
  }

  /** Rows are locked in one order everywhere: the channels, their servers, the unit. */
  async function begin(
    transaction: DatabaseTransaction,
    transmission: table.OpenTransmission,
    next: (wanted: UnitWanted) => UnitWanted = (wanted) => wanted,
  ): Promise<[ChannelChange[], WantedChange]> {
    const { id, unitId, channelId, speedTestMs, activity, feeds } = transmission
    const fed: Awaited<ReturnType<typeof feed>>[] = []
    for (const held of await channels.hold(transaction, table.channelsOf(transmission))) {
      const camera = feeds?.find((one) => one.channelId === held)?.camera ?? null
      fed.push(await feed(transaction, transmission, { camera, channelId: held }))
    }
    const { camera: _, ...own } = wantedOfChannel(fed, channelId)
    const unitChange = await change(transaction, unitId, (wanted) => ({
      ...next(wanted),
      transmission: {
        id,
        ...own,
        ...(speedTestMs !== undefined && { speedTestMs }),
        ...(activity && { activity }),
        ...(feeds && { feeds: feeds.slice(1).map((one) => wantedOfChannel(fed, one.channelId)) }),
      },
    }))
    await table.insertTransmission(transaction, transmission)
    return [fed.map(({ taken }) => taken), unitChange]
  }

  function newTransmission(by: string, unitId: string, channelId: string): table.OpenTransmission {
    const unit = units.values(unitId)
    return {
      id: `t-${randomBytes(12).toString('base64url')}`,
      unitId,
      channelId,
      inventoryId: unit?.inventoryId ?? '',
      delayMs: wantedOf(unitId).delayMs,
      startedMs: clock.nowMs(),
      startedBy: by,
      liveMs: null,
    }
  }

  function showSpeedTest(unitId: string, test: NonNullable<Unit['speedTest']>): void {
    showTest(unitId, {
      speedTest: test,
      speedTestInTransition: !test.done,
      speedTestCompleted: test.done && test.reason === null,
    })
  }

  function follow(transmission: table.OpenTransmission): void {
    const { unitId, id, channelId, feeds, startedMs: startedAt, startedBy: by } = transmission
    running.set(unitId, { ...transmission, abandonedSinceMs: undefined })
    units.setTransmission(unitId, { id, channelId, startedAt, by, ...(feeds && { feeds }) })
  }

  /** At the start of core: the newest of a unit continues, an older one waits for the end of the move. */
  function resume(open: readonly table.OpenTransmission[]): void {
    for (const transmission of open.toSorted((a, b) => a.startedMs - b.startedMs)) {
      const older = running.get(transmission.unitId)
      if (older) leaving.set(older.unitId, { transmission: older, wanted: null, commandId: '' })
      follow(transmission)
    }
  }

  /** A speed test that has not reported its figures by now ends without them, for this reason. */
  function unfollow(unitId: string, transmissionId: string, why: Wording): void {
    const ended = running.get(unitId)
    if (ended?.id !== transmissionId) return
    running.delete(unitId)
    leaving.delete(unitId)
    units.setTransmission(unitId, null)
    const test = units.values(unitId)?.speedTest
    if (ended.speedTestMs !== undefined && test?.done === false)
      showSpeedTest(unitId, { ...test, links: [], done: true, ...reasonFields(why) })
  }

  async function end(
    transaction: DatabaseTransaction,
    transmission: table.OpenTransmission,
    by: string | null,
    reason: string,
  ): Promise<(ChannelChange | undefined)[]> {
    const { id } = transmission
    const freed: (ChannelChange | undefined)[] = []
    for (const channelId of await channels.hold(transaction, table.heldChannelsOf(transmission)))
      freed.push(await channels.free(transaction, channelId, id))
    await table.endTransmission(transaction, id, { atMs: clock.nowMs(), by, reason })
    return freed
  }

  /** With the one that its unit is leaving. */
  async function endAll(
    transaction: DatabaseTransaction,
    transmission: table.OpenTransmission,
    by: string | null,
    reason: string,
  ): Promise<(ChannelChange | undefined)[]> {
    const left = leaving.get(transmission.unitId)?.transmission
    const freed = left ? await end(transaction, left, by, reason) : []
    return [...freed, ...(await end(transaction, transmission, by, reason))]
  }

  /** The unit sends to its new channel: the old one is free. */
  async function finishMove(unitId: string): Promise<void> {
    const left = leaving.get(unitId)
    if (!left) return
    leaving.delete(unitId)
    const { transmission } = left
    const by = running.get(unitId)?.startedBy ?? null
    channels.adopt(
      await db
        .transaction()
        .execute((transaction) => end(transaction, transmission, by, 'moved to another channel')),
    )
  }

  /** The new channel did not answer: the unit keeps its old channel, where that is known. */
  async function undoMove(current: table.OpenTransmission, why: Wording): Promise<void> {
    const { unitId, id } = current
    const left = leaving.get(unitId)
    if (!left?.wanted) return await finishMove(unitId)
    const { transmission: old, wanted: before } = left
    await commit(unitId, async (transaction) => {
      const freed = await end(transaction, current, null, why.message)
      const unitChange = await change(transaction, unitId, (wanted) =>
        wanted.transmission?.id === id
          ? {
              ...wanted,
              channelId: old.channelId,
              transmission: withLimits(before, (one) => channels.known(one)?.bandwidthLimit),
            }
          : wanted,
      )
      const afterwards = () => {
        leaving.delete(unitId)
        follow(old)
      }
      return { channelChanges: freed, unitChange, command: undefined, afterwards }
    })
    units.addEvent(unitId, 'status', unitEvent('transmission.notMoved', {}, why), 'warning')
  }

  /** The wanted state goes back to no transmission, if it is still this one. */
  async function release(
    transmission: table.OpenTransmission,
    by: string | null,
    why: Wording,
  ): Promise<void> {
    const { unitId, id } = transmission
    await commit(unitId, async (transaction) => {
      const freed = await endAll(transaction, transmission, by, why.message)
      const unitChange = await change(transaction, unitId, (wanted) =>
        wanted.transmission?.id === id ? { ...wanted, transmission: null } : wanted,
      )
      const afterwards = () => {
        unfollow(unitId, id, why)
        units.setTransition(unitId, undefined)
      }
      return { channelChanges: freed, unitChange, command: undefined, afterwards }
    })
  }

  /** Without a request of a user. */
  async function withdraw(transmission: table.OpenTransmission, why: Wording): Promise<void> {
    await release(transmission, null, why)
    const { unitId } = transmission
    units.addEvent(unitId, 'status', unitEvent('transmission.ended', {}, why), 'warning')
  }

  return {
    running,
    wantedOf,
    commit,
    change,
    begin,
    newTransmission,
    follow,
    resume,
    leaving,
    endAll,
    finishMove,
    undoMove,
    unfollow,
    showSpeedTest,
    release,
    withdraw,
  }
}

const wantedOfChannel = (fed: readonly { wanted: WantedFeed }[], channelId: string): WantedFeed =>
  (fed.find(({ wanted }) => wanted.channelId === channelId) as { wanted: WantedFeed }).wanted
