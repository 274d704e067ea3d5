// Makes a channel of each slot that a server offers and core does not know yet.
import { randomBytes } from 'node:crypto'
import type { ServerWanted } from '@backhaul/contract/gateway/servers'
import type { ChannelSlot } from '@backhaul/contract/gateway/shared'
import { channelKind } from '@backhaul/contract/nouns/channels'
import type { DatabaseTransaction } from '../../database/schema.ts'
import { isTaken } from '../../database/words.ts'
import { featuresOf } from './channel-fields.ts'
import { type ChannelFacts, channelsOfServer, insertChannel } from './channel-table.ts'
import type { ChannelNeeds } from './channels.ts'

interface Needs extends ChannelNeeds {
  wantedOf(transaction: DatabaseTransaction, serverId: string): Promise<ServerWanted>
  add(facts: ChannelFacts): void
}

const triesForAName = 50

export function createSlots({ db, clock, log, devices, groups, wantedOf, add }: Needs) {
  /** One server's slots are worked through one hello at a time. */
  const working = new Map<string, Promise<void>>()

  async function makeChannels(serverId: string, slots: readonly ChannelSlot[]): Promise<void> {
    const device = devices.get(serverId)
    if (!device) return
    const known = new Set((await channelsOfServer(db, serverId)).map(({ settings }) => settings.slot))
    const made: ChannelFacts[] = []
    // What has members comes after them, since it names them by their channels.
    const missing = slots.filter((one) => !known.has(one.slot))
    for (const slot of missing.toSorted((a, b) => Number(!!a.members) - Number(!!b.members))) {
      made.push(await insertUnderFreeName(serverId, device.inventoryId, slot))
    }
    if (made.length === 0) return
    const change = await db
      .transaction()
      .execute((transaction) =>
        devices.changeWanted(transaction, serverId, () => wantedOf(transaction, serverId)),
      )
    for (const facts of made) add(facts)
    devices.adopt([change])
    for (const groupId of device.details.groups ?? []) {
      // The group may have been removed since the server registered with its key.
      if (!(await groups.find(groupId))) continue
      for (const { id } of made) await groups.addMember(groupId, 'channel', id)
    }
    for (const { id } of made) (await groups.joinByItself(db, device.inventoryId, 'channel', id))()
  }

  /** A slot that the server does not have is left out. */
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
    const facts: ChannelFacts = {
      id: `ch-${randomBytes(9).toString('base64url').replaceAll('_', 'x')}`,
      serverId,
      inventoryId,
      name: slot.name,
      inputType: slot.inputType,
      allocatedUnitId: null,
      transmissionId: null,
      allocatedMs: null,
      settings: {
        slot: slot.slot,
        recording: false,
        outputs: [],
        intake: null,
        ...(slot.sdiNo && { sdi: true, output: true, sdiNo: slot.sdiNo }),
        ...(members && { members }),
      },
    }
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
        .catch((error) => log.error({ err: error, serverId }, 'channels of a server not made'))
      working.set(serverId, after)
    },
  }
}
