import type { Intake, Output, WantedCopy, WantedReturn } from '@backhaul/contract/gateway/servers'
import type { ChannelDetails, InputType } from '@backhaul/contract/nouns/channels'
import type { OverlayRef } from '@backhaul/contract/nouns/overlays'
import type { SmpteChannel } from '@backhaul/contract/nouns/smpte'
import type { SocialMediaStatus } from '@backhaul/contract/nouns/social-media'
import type { ChannelRow, Queries } from '../../database/schema.ts'

/** The settings of a channel; a missing switch is off. */
export interface ChannelSettings {
  slot: string
  /** A user added it: its server makes room for it instead of offering it. */
  made?: boolean
  recording: boolean
  outputs: Output[]
  /** Lets the allocated transmission in. Core sends the key in it only to the server and the unit. */
  intake: Intake | null
  /** The channels to which its server copies the allocated transmission. */
  copies?: WantedCopy[]
  /** The key that encoders send to be admitted to an input channel, sealed. */
  inputKey?: string
  /** The addresses from which the server of an input channel fetches its picture. */
  sources?: StoredSource[]
  /** The channel whose picture a feed takes. */
  feedFrom?: string | null
  /** Takes nothing, from that channel or from its sources. */
  feedStopped?: boolean
  sdi?: boolean
  sdiNo?: number
  output?: boolean
  forceOutput?: boolean
  /** Its SMPTE 2110 output. */
  smpte?: SmpteChannel | null
  studio?: boolean
  /** Comment of users; only on video return channels. */
  description?: string
  /** The settings of a video return channel, once any was set or a unit took it. */
  videoReturn?: WantedReturn
  /** The stream that is forwarded to a provider, as long as this transmission lasts. */
  social?: (SocialStream & { transmissionId: string }) | null
  /** Its streaming destinations, by name. */
  destinations?: NamedDestination[]
  /** Ids of destinations that are started and stopped as long as this transmission lasts. */
  cdn?: { transmissionId: string; started: string[]; stopped: string[] }
  /** The graphic over its outputs. */
  overlay?: ChannelOverlay | null
  /** Members of a multi-camera channel. */
  members?: string[]
  /** The settings beyond the features above. */
  details?: Partial<ChannelDetails>
}

/** One on demand is sent to only while it is started for a unit. */
export interface NamedDestination {
  id: string
  name: string
  onDemand: boolean
}

/** The address may hold a password. */
export interface StoredSource {
  id: string
  name: string
  url: string
}

/** Pixels of a programme that is 1920 wide. */
export interface ChannelOverlay extends OverlayRef {
  width: number
  height: number
}

/** A stream of Go Live; without an output while a preview is sent nowhere. */
export interface SocialStream extends Omit<SocialMediaStatus, 'delivery'> {
  output: Output | null
}

export interface ChannelFacts {
  id: string
  serverId: string
  inventoryId: string
  name: string
  inputType: InputType | null
  allocatedUnitId: string | null
  transmissionId: string | null
  allocatedMs: number | null
  settings: ChannelSettings
}

export async function allChannels(db: Queries): Promise<ChannelFacts[]> {
  return (await db.selectFrom('channels').selectAll().orderBy('created_ms').orderBy('id').execute()).map(
    factsOf,
  )
}

export async function channelsOfServer(db: Queries, serverId: string): Promise<ChannelFacts[]> {
  const rows = await db
    .selectFrom('channels')
    .selectAll()
    .where('server_id', '=', serverId)
    .orderBy('created_ms')
    .orderBy('id')
    .execute()
  return rows.map(factsOf)
}

/** Channels of the customer, by name. */
export async function channelsOfInventory(db: Queries, inventoryId: string): Promise<ChannelFacts[]> {
  const rows = await db
    .selectFrom('channels')
    .selectAll()
    .where('inventory_id', '=', inventoryId)
    .orderBy('name')
    .execute()
  return rows.map(factsOf)
}

export async function insertChannel(
  db: Queries,
  channel: ChannelFacts & { kind: string; createdMs: number },
): Promise<void> {
  await db
    .insertInto('channels')
    .values({
      id: channel.id,
      server_id: channel.serverId,
      inventory_id: channel.inventoryId,
      name: channel.name,
      kind: channel.kind,
      input_type: channel.inputType,
      allocated_unit_id: null,
      session_id: null,
      allocated_ms: null,
      settings: JSON.stringify(channel.settings),
      created_ms: channel.createdMs,
    })
    .execute()
}

export async function deleteChannel(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('channels').where('id', '=', id).execute()
}

export async function renameChannel(db: Queries, channel: ChannelFacts, name: string): Promise<ChannelFacts> {
  await db.updateTable('channels').set({ name }).where('id', '=', channel.id).execute()
  return { ...channel, name }
}

/** Inventories, apart from that of its server, whose groups may use the channel. */
export async function otherInventories(db: Queries, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('inventory_channels')
    .select('inventory_id as id')
    .where('channel_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

export async function addInventory(db: Queries, id: string, inventoryId: string): Promise<void> {
  await db
    .insertInto('inventory_channels')
    .values({ inventory_id: inventoryId, channel_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Answers whether the channel worked with the inventory. */
export async function removeInventory(db: Queries, id: string, inventoryId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('inventory_channels')
    .where('inventory_id', '=', inventoryId)
    .where('channel_id', '=', id)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows) > 0
}

/** Takes the channel for a unit unless it is held; the facts after it, or undefined when it was taken. */
export async function takeChannel(
  db: Queries,
  id: string,
  holder: { id: string; unitId: string; sinceMs: number },
  settingsOf: (now: ChannelSettings) => Partial<ChannelSettings>,
): Promise<ChannelFacts | undefined> {
  const row = await db
    .updateTable('channels')
    .set({ allocated_unit_id: holder.unitId, session_id: holder.id, allocated_ms: holder.sinceMs })
    .where('id', '=', id)
    .where('allocated_unit_id', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!row) return undefined
  const facts = factsOf(row)
  return await saveSettings(db, facts, settingsOf(facts.settings))
}

/** Frees the channel if this transmission, or this video return, holds it. */
export async function freeChannel(
  db: Queries,
  id: string,
  transmissionId: string,
): Promise<ChannelFacts | undefined> {
  const row = await db
    .updateTable('channels')
    .set({ allocated_unit_id: null, session_id: null, allocated_ms: null })
    .where('id', '=', id)
    .where('session_id', '=', transmissionId)
    .returningAll()
    .executeTakeFirst()
  if (!row) return undefined
  const facts = factsOf(row)
  const { videoReturn } = facts.settings
  return await saveSettings(db, facts, {
    intake: null,
    copies: [],
    ...(videoReturn && { videoReturn: { ...videoReturn, session: null } }),
  })
}

/** The row, locked against other writers until the transaction ends. */
export async function holdChannel(db: Queries, id: string): Promise<ChannelFacts | undefined> {
  const row = await db
    .updateTable('channels')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && factsOf(row)
}

export async function saveSettings(
  db: Queries,
  channel: ChannelFacts,
  changes: Partial<ChannelSettings>,
): Promise<ChannelFacts> {
  const settings = { ...channel.settings, ...changes }
  await db
    .updateTable('channels')
    .set({ settings: JSON.stringify(settings) })
    .where('id', '=', channel.id)
    .execute()
  return { ...channel, settings }
}

function factsOf(row: ChannelRow): ChannelFacts {
  return {
    id: row.id,
    serverId: row.server_id,
    inventoryId: row.inventory_id,
    name: row.name,
    inputType: row.input_type as InputType | null,
    allocatedUnitId: row.allocated_unit_id,
    transmissionId: row.session_id,
    allocatedMs: row.allocated_ms,
    settings: JSON.parse(row.settings) as ChannelSettings,
  }
}
