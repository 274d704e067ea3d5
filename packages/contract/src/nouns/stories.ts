/** Stories: the assignments of crews, and their labels on the material of a unit (EN-STORY rows). */

import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import { rule } from '../define/refusals.ts'
import { METADATA_FIELDS_MAX } from './names.ts'

/** CO-UNIT-08. */
export const STORY_TEXT_MAX = 1024

const text = z.string().trim().max(STORY_TEXT_MAX)
const slugline = text.min(1, rule('story.sluglineMissing'))

const details = {
  crewName: text,
  usageTerms: text,
  provider: text,
  reporter: text,
  keywords: text,
  comments: text,
}

export const Story = z.object({
  storyId: z.string(),
  inventoryId: z.string(),
  slugline: z.string(),
  ...details,
  newsroomId: z.string().nullable().describe('Its id at the newsroom; null where a user wrote it'),
  lastModified: IsoTime,
  assignedUnits: z.array(z.string()).describe("Those in the caller's scope"),
  assignedUnitNames: z.array(z.string()).describe('Their names, in the same order'),
})
export type Story = z.infer<typeof Story>

/** Fields that are not given are empty; the slugline is required (VA-UNIT-08). */
export const NewStory = z.strictObject({
  slugline: slugline.prefault(''),
  crewName: details.crewName.default(''),
  usageTerms: details.usageTerms.default(''),
  provider: details.provider.default(''),
  reporter: details.reporter.default(''),
  keywords: details.keywords.default(''),
  comments: details.comments.default(''),
})
export type NewStory = z.infer<typeof NewStory>

/** Fields that are not given keep their value. */
export const StoryChange = z.strictObject({ slugline, ...details }).partial()
export type StoryChange = z.infer<typeof StoryChange>

export const storyFields = NewStory.keyof().options

/** Columns for sorting and searching the list of stories; `name` is the slugline too. */
export const storyKeys = ['slugline', 'name', 'crewName', 'provider', 'reporter', 'keywords'] as const

/** The story of a unit, as the unit shows it. */
export const UnitStory = Story.pick({ storyId: true, newsroomId: true, slugline: true })
export type UnitStory = z.infer<typeof UnitStory>

type StoryWords = Pick<Story, 'storyId' | 'newsroomId' | (typeof storyFields)[number]>

/** The id on material: the newsroom's own where the story came from there, so that the newsroom knows it again. */
export const labelledId = ({ newsroomId, storyId }: Pick<Story, 'storyId' | 'newsroomId'>): string =>
  newsroomId ?? storyId

const labels = ['storyId', ...storyFields] as const

/**
 * The labels of a story on the material of a unit: its fields that are not empty (EN-FMETA-10, -13). Labels of no story
 * are kept, as far as there is room for them; those of another story are removed.
 */
export function labelledBy(
  story: StoryWords | undefined,
  before: Readonly<Record<string, string>>,
): Record<string, string> {
  const others = Object.entries(before).filter(([name]) => !(labels as readonly string[]).includes(name))
  const words = story && { ...story, storyId: labelledId(story) }
  const own = labels.flatMap((label): [string, string][] =>
    // A semicolon would separate labels (VA-UNIT-10).
    words && words[label] !== '' ? [[label, words[label].replaceAll(';', ',')]] : [],
  )
  return Object.fromEntries([...others.slice(0, METADATA_FIELDS_MAX - own.length), ...own])
}
