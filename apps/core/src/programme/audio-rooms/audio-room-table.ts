import type { Page } from '@backhaul/contract/define/answers'
import type { AudioRoom } from '@backhaul/contract/nouns/audio-rooms'
import type { AudioRoomRow } from '../../database/communication-schema.ts'
import { byName } from '../../database/dialect.ts'
import { countOf, isFound, type Paging } from '../../database/paging.ts'
import type { Queries } from '../../database/schema.ts'

export type RoomFacts = Omit<AudioRoom, 'participants'>

const ofInventory = (db: Queries, inventoryId: string) =>
  db.selectFrom('audio_rooms').where('inventory_id', '=', inventoryId)

export async function roomPage(
  db: Queries,
  inventoryId: string,
  { limit, offset, search, sort }: Paging<'name' | 'description'>,
): Promise<Page<RoomFacts>> {
  const matching = ofInventory(db, inventoryId).where((eb) => isFound(db, search, (key) => eb.ref(key)))
  const total = await countOf(matching)
  const rows = await matching
    .selectAll()
    .orderBy((eb) => byName(db, eb.ref(sort.key)), sort.direction)
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { items: rows.map(factsOf), total, offset, limit }
}

export async function countRooms(db: Queries, inventoryId: string): Promise<number> {
  return await countOf(ofInventory(db, inventoryId))
}

export async function findRoom(db: Queries, inventoryId: string, id: string): Promise<RoomFacts | undefined> {
  const row = await ofInventory(db, inventoryId).selectAll().where('id', '=', id).executeTakeFirst()
  return row && factsOf(row)
}

/** The rooms by name. */
export async function roomsOf(db: Queries, inventoryId: string): Promise<RoomFacts[]> {
  const rows = await ofInventory(db, inventoryId)
    .selectAll()
    .orderBy((eb) => byName(db, eb.ref('name')))
    .orderBy('id')
    .execute()
  return rows.map(factsOf)
}

export async function insertRoom(db: Queries, room: RoomFacts, nowMs: number): Promise<void> {
  const { id, inventory } = room
  await db
    .insertInto('audio_rooms')
    .values({ id, inventory_id: inventory, created_ms: nowMs, ...columnsOf(room) })
    .execute()
}

export async function updateRoom(db: Queries, room: RoomFacts): Promise<void> {
  await db.updateTable('audio_rooms').set(columnsOf(room)).where('id', '=', room.id).execute()
}

export async function deleteRoom(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('audio_rooms').where('id', '=', id).execute()
}

const columnsOf = ({ name, description, interfaces, units, channels }: RoomFacts) => ({
  name,
  description,
  interfaces: JSON.stringify(interfaces),
  units: JSON.stringify(units),
  channels: JSON.stringify(channels),
})

const factsOf = (row: AudioRoomRow): RoomFacts => ({
  id: row.id,
  inventory: row.inventory_id,
  name: row.name,
  description: row.description,
  interfaces: JSON.parse(row.interfaces) as string[],
  units: JSON.parse(row.units) as string[],
  channels: JSON.parse(row.channels) as string[],
})
