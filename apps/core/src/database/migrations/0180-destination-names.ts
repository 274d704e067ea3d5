// The names of a channel's streaming destinations, with the channel.
import type { Queries } from '../schema.ts'

export const name = '0180-destination-names'

export async function up(db: Queries): Promise<void> {
  const destinations = await db
    .selectFrom('destinations')
    .select(['id', 'channel_id', 'settings'])
    .orderBy('name_key')
    .execute()
  for (const channelId of new Set(destinations.map((one) => one.channel_id))) {
    const named = destinations
      .filter((one) => one.channel_id === channelId)
      .map(({ id, settings }) => ({
        id,
        name: (JSON.parse(settings) as { name: string }).name,
        onDemand: false,
      }))
    const { settings } = await db
      .selectFrom('channels')
      .select('settings')
      .where('id', '=', channelId)
      .executeTakeFirstOrThrow()
    const next = JSON.stringify({ ...(JSON.parse(settings) as object), destinations: named })
    await db.updateTable('channels').set({ settings: next }).where('id', '=', channelId).execute()
  }
}
