import type { Page } from '@backhaul/contract/define/answers'
import type { NewStory, Story, storyKeys, UnitStory } from '@backhaul/contract/nouns/stories'
import { byName } from '../../database/dialect.ts'
import { countOf, isFound, type Paging } from '../../database/paging.ts'
import type { Queries } from '../../database/schema.ts'
import type { StoryRow } from '../../database/story-schema.ts'

/** The stored story, without its units. */
export type StoredStory = Omit<Story, 'assignedUnitNames'>

/** The column of each field that a list is searched and sorted by. */
const columns = {
  slugline: 'slugline',
  name: 'slugline',
  crewName: 'crew_name',
  provider: 'provider',
  reporter: 'reporter',
  keywords: 'keywords',
} as const satisfies Record<(typeof storyKeys)[number], keyof StoryRow>

export async function storyPage(
  db: Queries,
  inventoryId: string,
  { limit, offset, search, sort }: Paging<keyof typeof columns>,
): Promise<Page<StoredStory>> {
  const matching = db
    .selectFrom('stories')
    .where('inventory_id', '=', inventoryId)
    .where((eb) => isFound(db, search, (key) => eb.ref(columns[key])))
  const total = await countOf(matching)
  const rows = await matching
    .selectAll()
    .orderBy((eb) => byName(db, eb.ref(columns[sort.key])), sort.direction)
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { items: await withUnits(db, rows), total, offset, limit }
}

export async function storyCount(db: Queries, inventoryId: string): Promise<number> {
  return await countOf(db.selectFrom('stories').where('inventory_id', '=', inventoryId))
}

/** The one that was assigned last comes first. */
export async function storiesOfUnit(db: Queries, unitId: string): Promise<StoredStory[]> {
  const rows = await db
    .selectFrom('stories')
    .innerJoin('story_units', 'story_units.story_id', 'stories.id')
    .where('unit_id', '=', unitId)
    .orderBy('turn', 'desc')
    .orderBy('stories.id')
    .selectAll('stories')
    .execute()
  return await withUnits(db, rows)
}

/** The story that each unit was assigned last, by unit. */
export async function currentStories(db: Queries): Promise<Map<string, UnitStory>> {
  const rows = await db
    .selectFrom('stories')
    .innerJoin('story_units', 'story_units.story_id', 'stories.id')
    .orderBy('turn')
    .orderBy('stories.id', 'desc')
    .select(['unit_id', 'stories.id', 'newsroom_id', 'slugline'])
    .execute()
  return new Map(
    rows.map(({ unit_id, id, newsroom_id, slugline }) => [
      unit_id,
      { storyId: id, newsroomId: newsroom_id, slugline },
    ]),
  )
}

/** The stories of the customer that came from its newsroom. */
export async function storiesOfNewsroom(db: Queries, inventoryId: string): Promise<StoredStory[]> {
  const rows = await db
    .selectFrom('stories')
    .selectAll()
    .where('inventory_id', '=', inventoryId)
    .where('newsroom_id', 'is not', null)
    .execute()
  return await withUnits(db, rows)
}

/** Locks the story until the transaction ends; undefined when the customer has no such story. */
export async function holdStory(
  db: Queries,
  inventoryId: string,
  storyId: string,
): Promise<StoredStory | undefined> {
  const row = await db
    .updateTable('stories')
    .set((eb) => ({ slugline: eb.ref('slugline') }))
    .where('id', '=', storyId)
    .where('inventory_id', '=', inventoryId)
    .returningAll()
    .executeTakeFirst()
  return row && (await withUnits(db, [row]))[0]
}

export async function insertStory(db: Queries, story: Omit<StoryRow, keyof TextColumns> & NewStory) {
  const { id, inventory_id, modified_ms, newsroom_id } = story
  await db
    .insertInto('stories')
    .values({ id, inventory_id, modified_ms, newsroom_id, ...textColumns(story) })
    .execute()
}

export async function updateStory(
  db: Queries,
  storyId: string,
  texts: NewStory,
  modifiedMs: number,
): Promise<void> {
  await db
    .updateTable('stories')
    .set({ modified_ms: modifiedMs, ...textColumns(texts) })
    .where('id', '=', storyId)
    .execute()
}

export async function deleteStory(db: Queries, storyId: string): Promise<void> {
  await db.deleteFrom('stories').where('id', '=', storyId).execute()
}

/** Assigned again, it is the one that was assigned last. */
export async function assign(db: Queries, storyId: string, unitId: string): Promise<void> {
  const newest = await db
    .selectFrom('story_units')
    .where('unit_id', '=', unitId)
    .select((eb) => eb.fn.max<number | null>('turn').as('turn'))
    .executeTakeFirstOrThrow()
  const turn = Number(newest.turn ?? 0) + 1
  await db
    .insertInto('story_units')
    .values({ story_id: storyId, unit_id: unitId, turn })
    .onConflict((conflict) => conflict.columns(['unit_id', 'story_id']).doUpdateSet({ turn }))
    .execute()
}

export async function unassign(db: Queries, storyId: string, unitId: string): Promise<void> {
  await db.deleteFrom('story_units').where('story_id', '=', storyId).where('unit_id', '=', unitId).execute()
}

export async function setPrompt(db: Queries, unitId: string, isOn: boolean): Promise<void> {
  await db.deleteFrom('metadata_prompts').where('unit_id', '=', unitId).execute()
  if (isOn) await db.insertInto('metadata_prompts').values({ unit_id: unitId }).execute()
}

export async function promptedUnits(db: Queries): Promise<string[]> {
  return (await db.selectFrom('metadata_prompts').select('unit_id').execute()).map(({ unit_id }) => unit_id)
}

type TextColumns = Omit<StoryRow, 'id' | 'inventory_id' | 'modified_ms' | 'newsroom_id'>

const textColumns = (story: NewStory): TextColumns => ({
  slugline: story.slugline,
  crew_name: story.crewName,
  usage_terms: story.usageTerms,
  provider: story.provider,
  reporter: story.reporter,
  keywords: story.keywords,
  comments: story.comments,
})

async function withUnits(db: Queries, rows: readonly StoryRow[]): Promise<StoredStory[]> {
  if (rows.length === 0) return []
  const pairs = await db
    .selectFrom('story_units')
    .select(['story_id', 'unit_id'])
    .where(
      'story_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('unit_id')
    .execute()
  const units = Map.groupBy(pairs, (pair) => pair.story_id)
  return rows.map((row) => ({
    storyId: row.id,
    inventoryId: row.inventory_id,
    slugline: row.slugline,
    crewName: row.crew_name,
    usageTerms: row.usage_terms,
    provider: row.provider,
    reporter: row.reporter,
    keywords: row.keywords,
    comments: row.comments,
    newsroomId: row.newsroom_id,
    lastModified: new Date(row.modified_ms).toISOString(),
    assignedUnits: (units.get(row.id) ?? []).map(({ unit_id }) => unit_id),
  }))
}
