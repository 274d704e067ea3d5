// The shape of the tables of stories.

export interface StoryRow {
  id: string
  inventory_id: string
  slugline: string
  crew_name: string
  usage_terms: string
  provider: string
  reporter: string
  keywords: string
  comments: string
  modified_ms: number
  newsroom_id: string | null
}

/** A unit whose uploads require metadata from users. */
export interface MetadataPromptRow {
  unit_id: string
}

/** The story with the highest turn was assigned to the unit last. */
export interface StoryUnitRow {
  story_id: string
  unit_id: string
  turn: number
}
