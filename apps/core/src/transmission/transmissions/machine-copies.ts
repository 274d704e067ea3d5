// The picture of a unit at further channels: the server that receives it sends it on to the unit's point-to-multipoint
// machines, and to the feeds of transceivers that take the picture of its channel.
import { randomBytes } from 'node:crypto'
import { Conflict } from '@backhaul/contract/define/errors'
import type { WantedCopy } from '@backhaul/contract/gateway/servers'
import { isMultipointName } from '@backhaul/contract/nouns/channels'
import type { Log } from '@backhaul/runtime/log'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import type { ChannelChange, Channels } from '../../fleet/channels/channels.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Events } from '../../world/events.ts'
import type { ActiveTransmissions, RunningTransmission } from './active-transmissions.ts'
import { labelsOf } from './recorded-labels.ts'
import { saveCopies } from './transmission-table.ts'

interface Needs {
  db: Database
  log: Log
  events: Events
  channels: Channels
  units: Units
}

export interface MachineCopies {
  /** The unit has other machines now. */
  follow(unitId: string): void
}

type Changes = (ChannelChange | undefined)[]

/**
 * While a unit sends one picture, each of its machines that is free gets that picture, under a key of its own: from the
 * start on, or from when the machine is selected, or free again. A machine that is no longer selected is freed, and all are
 * with the end of the transmission. The feeds that take the picture of the unit's channel are machines in this sense.
 */
export function followMachines(
  { db, log, events, channels, units }: Needs,
  active: ActiveTransmissions,
): MachineCopies {
  const { running, leaving } = active
  /** By unit: the machines that were taken last, and for which transmission. */
  const taken = new Map<string, { transmissionId: string; machines: readonly string[] }>()
  /** Units whose copies are being changed; true when they have to be compared again afterwards. */
  const changing = new Map<string, boolean>()

  /** The machines that are to have the picture: selected, and free or held by this transmission. */
  function machinesOf({ unitId, channelId, copies = [] }: RunningTransmission): string[] {
    const selected = (units.kept(unitId)?.selectedChannels ?? []).filter(isMachine)
    return [...new Set([...selected, ...channels.fedBy(channelId)])].filter((id) => {
      const machine = channels.known(id)
      if (!machine || id === channelId) return false
      return copies.includes(id) || (machine.status !== 'offline' && machine.allocatedToUnitUid === null)
    })
  }

  const isMachine = (id: string) => isMultipointName(channels.known(id)?.name ?? '')

  /** Each of them has the picture, at its present address. */
  function isFollowed({ copies = [], channelId }: RunningTransmission, machines: readonly string[]): boolean {
    if (machines.length !== copies.length || machines.some((id) => !copies.includes(id))) return false
    return channels
      .copies(channelId)
      .every((copy) => JSON.stringify(copy.targets) === JSON.stringify(targetsOf(copy)))
  }

  /** The last ones while a server is away. */
  function targetsOf({
    channelId,
    targets,
  }: Pick<WantedCopy, 'channelId' | 'targets'>): WantedCopy['targets'] {
    const now = channels.targets(channelId)
    return now.length > 0 ? now : targets
  }

  async function copy(
    transaction: DatabaseTransaction,
    transmission: RunningTransmission,
    machine: string,
  ): Promise<{ wanted: WantedCopy; change: ChannelChange | undefined }> {
    const { id: transmissionId, unitId, channelId } = transmission
    const present = channels.copies(channelId).find((one) => one.channelId === machine)
    if (present) return { wanted: { ...present, targets: targetsOf(present) }, change: undefined }
    const key = randomBytes(32).toString('base64')
    const { delayMs: bufferMs } = active.wantedOf(unitId)
    const labels = labelsOf(units, unitId)
    const intake = { transmissionId, unitId, key, bufferMs, ...(labels && { labels }) }
    const change = await channels.take(transaction, machine, intake)
    const targets = channels.targets(machine)
    return { wanted: { channelId: machine, transmissionId, key, targets, bufferMs }, change }
  }

  /** Throws Conflict, and changes nothing, when the transmission has ended or a machine was taken meanwhile. */
  async function change(transmission: RunningTransmission, machines: readonly string[]): Promise<void> {
    const { id, unitId, channelId, copies: before = [] } = transmission
    const changes = await db.transaction().execute(async (transaction) => {
      const done: Changes = []
      const wanted: WantedCopy[] = []
      const touched = [...new Set([channelId, ...before, ...machines])]
      for (const machine of await channels.hold(transaction, touched)) {
        if (machine === channelId) continue
        if (!machines.includes(machine)) {
          done.push(await channels.free(transaction, machine, id))
          continue
        }
        const one = await copy(transaction, transmission, machine)
        wanted.push(one.wanted)
        done.push(one.change)
      }
      const main = await channels.setCopies(transaction, channelId, id, wanted)
      if (!main) throw new Conflict('transmission.notRunning')
      await saveCopies(transaction, { ...transmission, copies: [...machines] })
      return [...done, main]
    })
    transmission.copies = [...machines]
    taken.set(unitId, { transmissionId: id, machines })
    channels.adopt(changes)
  }

  /** Also when the transmission ended while they were being taken. */
  async function freeAll(unitId: string): Promise<void> {
    const { transmissionId, machines } = taken.get(unitId) ?? { transmissionId: '', machines: [] }
    const changes = await db.transaction().execute(async (transaction) => {
      const done: Changes = []
      for (const machine of await channels.hold(transaction, machines))
        done.push(await channels.free(transaction, machine, transmissionId))
      return done
    })
    taken.delete(unitId)
    channels.adopt(changes)
  }

  /** Undefined when everything is as it has to be. */
  function due(unitId: string): (() => Promise<void>) | undefined {
    if (leaving.has(unitId)) return undefined
    const transmission = running.get(unitId)
    const last = taken.get(unitId)
    if (last && last.transmissionId !== transmission?.id) return () => freeAll(unitId)
    if (!transmission || transmission.feeds || transmission.speedTestMs !== undefined) return undefined
    const machines = machinesOf(transmission)
    return isFollowed(transmission, machines) ? undefined : () => change(transmission, machines)
  }

  function follow(unitId: string): void {
    if (changing.has(unitId)) return void changing.set(unitId, true)
    const act = due(unitId)
    if (!act) return
    changing.set(unitId, false)
    act()
      .catch((error) =>
        log.warn({ err: error, unitId }, 'copies for point-to-multipoint machines not changed'),
      )
      .finally(() => {
        const isOutdated = changing.get(unitId)
        changing.delete(unitId)
        if (isOutdated) follow(unitId)
      })
  }

  events.on('transmissionChanged', ({ unitId }) => follow(unitId))
  events.on('unitChanged', ({ unitId }) => follow(unitId))
  events.on('channelChanged', ({ channelId }) => {
    const machine = channels.known(channelId)
    if (!machine) return
    const holder = machine.allocatedToUnitUid
    if (holder !== null && running.get(holder)?.copies?.includes(channelId)) follow(holder)
    const isSelectable = isMultipointName(machine.name)
    if (!isSelectable && machine.feedFrom === null) return
    for (const { unitId, channelId: main } of running.values()) {
      const isSelected = isSelectable && units.values(unitId)?.selectedChannels.includes(channelId)
      if (isSelected || machine.feedFrom?.channelId === main) follow(unitId)
    }
  })

  return { follow }
}
