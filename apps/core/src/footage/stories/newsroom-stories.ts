// The stories that came from a newsroom, made equal to what it lists now.
import { NotFound } from '@backhaul/contract/define/errors'
import type { NewsroomResult, NewsroomStory } from '@backhaul/contract/nouns/ingest'
import { type NewStory, type StoryChange, storyFields } from '@backhaul/contract/nouns/stories'
import { isTaken } from '../../database/dialect.ts'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import * as table from './story-table.ts'

export type FollowedNewsroom = Pick<NewsroomResult, 'created' | 'changed' | 'removed' | 'kept'>

interface Needs {
  db: Database
  /** Writes a story of its own transaction. */
  insert(inventoryId: string, story: NewStory, newsroomId: string): Promise<unknown>
  update(inventoryId: string, storyId: string, change: StoryChange): Promise<unknown>
  withStory<T>(
    inventoryId: string,
    storyId: string,
    write: (transaction: DatabaseTransaction, story: table.StoredStory) => Promise<T>,
  ): Promise<T>
}

const textsOf = (story: NewStory): NewStory =>
  Object.fromEntries(storyFields.map((field) => [field, story[field]])) as NewStory

/**
 * One transaction for each story: a transaction over all of them would wait for users who assign stories, and they for
 * it. What a crash leaves undone is done by the next reading. A story that is no longer listed is kept while a unit is
 * assigned to it, so that a crew does not lose its labels on the way.
 */
export function createFollowNewsroom({ db, insert, update, withStory }: Needs) {
  async function remove(inventoryId: string, storyId: string): Promise<boolean> {
    return await withStory(inventoryId, storyId, async (transaction, { assignedUnits }) => {
      if (assignedUnits.length > 0) return false
      await table.deleteStory(transaction, storyId)
      return true
    })
  }

  return async (
    inventoryId: string,
    listed: readonly NewsroomStory[],
    skippedIds: ReadonlySet<string>,
  ): Promise<FollowedNewsroom> => {
    const counts = { created: 0, changed: 0, removed: 0, kept: 0 }
    const known = new Map(
      (await table.storiesOfNewsroom(db, inventoryId)).map((one) => [one.newsroomId, one]),
    )
    for (const story of listed) {
      const before = known.get(story.storyId)
      const texts = textsOf(story)
      if (!before) {
        if (await unlessMeanwhile(insert(inventoryId, texts, story.storyId))) counts.created++
      } else if (storyFields.some((field) => before[field] !== texts[field])) {
        if (await unlessMeanwhile(update(inventoryId, before.storyId, texts))) counts.changed++
      }
    }
    const isListed = new Set([...listed.map(({ storyId }) => storyId), ...skippedIds])
    for (const { newsroomId, storyId } of known.values()) {
      if (newsroomId === null || isListed.has(newsroomId)) continue
      const isRemoved = await remove(inventoryId, storyId).catch(whereGone)
      if (isRemoved === true) counts.removed++
      if (isRemoved === false) counts.kept++
    }
    return counts
  }
}

/** False where a user deleted the story, or another core stored it, in the same moment. */
async function unlessMeanwhile(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing
    return true
  } catch (error) {
    if (error instanceof NotFound || isTaken(error)) return false
    throw error
  }
}

function whereGone(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error
}
