// Reads the output of a mapping file for a newsroom's XML: a `stories` element with `story` elements, whose children are named as the
// fields of a story.
import { because, type Cause, reasonFields } from '@backhaul/contract/define/refusals'
import {
  type MappedStories,
  NEWSROOM_ID_MAX,
  NEWSROOM_STORIES_MAX,
  type NewsroomStory,
} from '@backhaul/contract/nouns/ingest'
import { STORY_TEXT_MAX, storyFields } from '@backhaul/contract/nouns/stories'
import { SaxesParser } from 'saxes'
import { NewsroomFailure } from './newsroom-failure.ts'

const fields = ['storyId', ...storyFields] as const

const depthAtMost = 100

/** @throws NewsroomFailure */
export function readStories(xml: string): MappedStories {
  const read: MappedStories = { stories: [], skipped: [] }
  const ids = new Set<string>()
  for (const [at, story] of storiesIn(xml).entries()) {
    const fault = faultOf(story, at + 1, ids)
    ids.add(story.storyId)
    if (fault) read.skipped.push({ position: at + 1, storyId: story.storyId, ...skippedFor(fault) })
    else read.stories.push(story)
  }
  return read
}

function skippedFor(fault: Cause): { reason: string; cause: Cause } {
  const { reason } = reasonFields(fault)
  return { reason: reason ?? '', cause: fault }
}

function faultOf(story: NewsroomStory, position: number, ids: ReadonlySet<string>): Cause | undefined {
  if (story.storyId === '') return because('newsroom.noId', { position })
  if (ids.has(story.storyId)) return because('newsroom.storyTwice', { position })
  if (story.slugline === '') return because('newsroom.noSlugline', { position })
  for (const field of fields) {
    const most = field === 'storyId' ? NEWSROOM_ID_MAX : STORY_TEXT_MAX
    if (story[field].length > most) return because('newsroom.fieldTooLong', { position, field, most })
  }
  return undefined
}

function storiesIn(xml: string): NewsroomStory[] {
  const found: Record<string, string>[] = []
  const open: string[] = []
  let root: string | undefined
  const parser = new SaxesParser()
  parser.on('error', () => {
    throw new NewsroomFailure('newsroom.noStories')
  })
  parser.on('opentag', ({ name }) => {
    root ??= name
    open.push(name)
    if (open.length > depthAtMost) throw new NewsroomFailure('newsroom.noStories')
    if (open.length === 2 && name === 'story') found.push({})
    if (found.length > NEWSROOM_STORIES_MAX)
      throw new NewsroomFailure(because('newsroom.tooMany', { most: NEWSROOM_STORIES_MAX }))
  })
  parser.on('closetag', () => void open.pop())
  const take = (text: string) => {
    const [, story, field] = open
    const last = found.at(-1)
    if (story === 'story' && field !== undefined && last) last[field] = (last[field] ?? '') + text
  }
  parser.on('text', take)
  parser.on('cdata', take)
  parser.write(xml).close()
  if (root !== 'stories') throw new NewsroomFailure('newsroom.noStories')
  return found.map(
    (texts) => Object.fromEntries(fields.map((field) => [field, clean(texts[field])])) as NewsroomStory,
  )
}

/** Line breaks of the layout of the XML are not part of a text. */
const clean = (text = ''): string => text.replace(/\s+/g, ' ').trim()
