// Makes a channel of each slot that a server offers and that has none yet.
import { randomBytes } from 'node:crypto'
import type { ChannelSlot } from '@backhaul/contract/gateway/shared'
import { channelKind } from '@backhaul/contract/nouns/channels'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { isTaken } from '../../database/dialect.ts'
import type { Database } from '../../database/schema.ts'
import type { Sealing } from '../../database/sealing.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Device, Devices } from '../devices/devices.ts'
import type { ChannelChanges } from './channel-change.ts'
import { featuresOf } from './channel-fields.ts'
import {
  type ChannelFacts,
  type ChannelSettings,
  channelsOfServer,
  holdChannel,
  insertChannel,
  saveSettings,
} from './channel-table.ts'
import { wantChannels } from './channel-wanted.ts'
import { needsInputKey, sealedInputKey } from './input-keys.ts'

interface Needs extends Pick<ChannelChanges, 'changeOf' | 'adopt'> {
  db: Database
  clock: Clock
  log: Log
  groups: Groups
  devices: Devices
  sealing: Sealing
  add(facts: ChannelFacts): void
}

const triesForAName = 50

/** A new channel without settings. */
export const newChannel = (
  serverId: string,
  inventoryId: string,
  { name, inputType }: Pick<ChannelFacts, 'name' | 'inputType'>,
  settings: Pick<ChannelSettings, 'slot'> & Partial<ChannelSettings>,
): ChannelFacts => ({
  id: `ch-${randomBytes(9).toString('base64url').replaceAll('_', 'x')}`,
  serverId,
  inventoryId,
  name,
  inputType,
  allocatedUnitId: null,
  transmissionId: null,
  allocatedMs: null,
  settings: { recording: false, outputs: [], intake: null, ...settings },
})

/** The settings that a channel takes from its slot of the server. */
export const settingsOfSlot = ({ slot, sdiNo, output }: ChannelSlot) => ({
  slot,
  ...(output && { output }),
  ...(sdiNo && { sdi: true, output: true, sdiNo }),
})

export function createSlots({ db, clock, log, devices, groups, sealing, add, changeOf, adopt }: Needs) {
  /** One server's slots are processed one hello at a time. */
  const working = new Map<string, Promise<void>>()

  async function makeChannels(serverId: string, slots: readonly ChannelSlot[]): Promise<void> {
    const device = devices.get(serverId)
    if (!device) return
    const before = await channelsOfServer(db, serverId)
    await complete(before, slots)
    const known = new Set(before.map(({ settings }) => settings.slot))
    const made: ChannelFacts[] = []
    // A slot with members comes after them, since it names them by their channels.
    const removed = new Set(device.details.removedSlots)
    const missing = slots.filter(({ slot }) => !known.has(slot) && !removed.has(slot))
    for (const slot of missing.toSorted((a, b) => Number(!!a.members) - Number(!!b.members))) {
      made.push(await insertUnderFreeName(serverId, device.inventoryId, slot))
    }
    if (made.length === 0) return
    const change = await db
      .transaction()
      .execute((transaction) => wantChannels(devices, transaction, serverId))
    for (const facts of made) add(facts)
    // The server may report of them as soon as it hears of them: alerts are for the groups that they are in.
    await joinGroups(device, made).finally(() => devices.adopt([change]))
  }

  async function joinGroups({ inventoryId, details }: Device, made: readonly ChannelFacts[]): Promise<void> {
    for (const groupId of details.groups ?? []) {
      // The group may have been removed since the server registered with its key.
      if (!(await groups.find(groupId))) continue
      for (const { id } of made) await groups.addMember(groupId, 'channel', id)
    }
    for (const { id } of made) (await groups.joinByItself(db, inventoryId, 'channel', id))()
  }

  /**
   * Its server may have learned to send on what a channel receives since the channel was made; and inputs of earlier
   * versions had no key.
   */
  async function complete(channels: readonly ChannelFacts[], slots: readonly ChannelSlot[]): Promise<void> {
    const open = new Set(slots.filter(({ output }) => output).map(({ slot }) => slot))
    for (const { id, inputType, settings } of channels) {
      const opens = !settings.output && open.has(settings.slot)
      const locks = needsInputKey({ inputType }) && settings.inputKey === undefined
      if (!opens && !locks) continue
      const change = await db.transaction().execute(async (transaction) => {
        const facts = await holdChannel(transaction, id)
        if (!facts) return undefined
        const inputKey = facts.settings.inputKey ?? sealedInputKey(sealing, id)
        const changes = { ...(opens && { output: true }), ...(locks && { inputKey }) }
        return await changeOf(transaction, await saveSettings(transaction, facts, changes))
      })
      if (locks) log.warn({ channelId: id }, 'input channel: encoders must send the key from now on')
      adopt([change])
    }
  }

  /** A slot that the server does not have is ignored. */
  async function idsOf(serverId: string, slots: readonly string[]): Promise<string[]> {
    const ids = new Map((await channelsOfServer(db, serverId)).map(({ id, settings }) => [settings.slot, id]))
    return slots.flatMap((slot) => ids.get(slot) ?? [])
  }

  async function insertUnderFreeName(
    serverId: string,
    inventoryId: string,
    slot: ChannelSlot,
  ): Promise<ChannelFacts> {
    const members = slot.members && (await idsOf(serverId, slot.members))
    const facts = newChannel(serverId, inventoryId, slot, {
      ...settingsOfSlot(slot),
      ...(members && { members }),
    })
    if (needsInputKey(facts)) facts.settings.inputKey = sealedInputKey(sealing, facts.id)
    const kind = channelKind(featuresOf(facts))
    for (let number = 2; ; number++) {
      try {
        await insertChannel(db, { ...facts, kind, createdMs: clock.nowMs() })
        return facts
      } catch (error) {
        if (!isTaken(error) || number > triesForAName) throw error
        facts.name = `${slot.name}-${number}`
      }
    }
  }

  return {
    offered(serverId: string, slots: readonly ChannelSlot[]): void {
      const before = working.get(serverId) ?? Promise.resolve()
      const after = before
        .then(() => makeChannels(serverId, slots))
        .catch((error) => log.error({ err: error, serverId }, 'channels of the server not created'))
      working.set(serverId, after)
    },
  }
}
