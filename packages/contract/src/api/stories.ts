/** Stories of a customer, and their assignment to units. */
import { z } from 'zod'
import { Done, PageQuery, page } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { NewStory, Story, StoryChange } from '../nouns/stories.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const ofStory = id.extend({ storyId: z.string().min(1).max(64) })
const ofUnit = id.extend({ unit: z.string().min(1).max(64) })
const ofBoth = ofUnit.extend({ storyId: z.string().min(1).max(64) })

const read = 'viewUnits' as const
const write = 'writeStories' as const

const example: z.input<typeof Story> = {
  storyId: 'st-1',
  inventoryId: 'inv-north',
  slugline: 'HARBOUR FIRE',
  crewName: 'Van 3',
  usageTerms: '',
  provider: 'North Broadcasting',
  reporter: 'Ana Ruiz',
  keywords: 'fire, harbour',
  comments: '',
  newsroomId: null,
  lastModified: '2026-11-21T10:00:00.000Z',
  assignedUnits: ['u-lon-03'],
  assignedUnitNames: ['LU600-LON_03'],
}

export const stories = {
  list: endpoint({
    method: 'GET',
    path: '/v2/inventories/{id}/stories',
    summary: 'Stories of an inventory',
    permission: read,
    params: id,
    query: PageQuery,
    response: page(Story),
    errors: [404],
    example: { items: [example], total: 1, offset: 0, limit: 50 },
    rows: ['EP-INV-25', 'EN-INV-19'],
  }),
  count: endpoint({
    method: 'GET',
    path: '/v2/inventories/{id}/stories/count',
    summary: 'Number of stories of an inventory',
    permission: read,
    params: id,
    response: z.object({ count: z.number().int() }),
    errors: [404],
    example: { count: 12 },
    rows: ['EP-INV-27'],
  }),
  ofUnit: endpoint({
    method: 'GET',
    path: '/v2/inventories/{id}/units/{unit}/stories',
    summary: 'Stories of a unit; the first, which was assigned last, gives the labels of its material',
    permission: read,
    params: ofUnit,
    response: z.array(Story),
    errors: [404],
    example: [example],
    rows: ['EP-INV-26', 'GAP-STORY-03'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v2/inventories/{id}/stories',
    summary: 'Writes a story',
    permission: write,
    params: id,
    body: NewStory,
    response: Story,
    errors: [404],
    example: { ...example, assignedUnits: [], assignedUnitNames: [] },
    rows: ['GAP-STORY-01', 'VA-UNIT-07', 'VA-UNIT-08'],
  }),
  change: endpoint({
    method: 'PUT',
    path: '/v2/inventories/{id}/stories/{storyId}',
    summary: 'Changes a story; the labels of its units follow',
    permission: write,
    params: ofStory,
    body: StoryChange,
    response: Story,
    errors: [404],
    example,
    rows: ['GAP-STORY-01', 'VA-UNIT-07', 'VA-UNIT-08'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/v2/inventories/{id}/stories/{storyId}',
    summary: 'Deletes a story; its units lose its labels',
    permission: write,
    params: ofStory,
    response: Done,
    errors: [404],
    example: { done: true },
    rows: ['GAP-STORY-01'],
  }),
  assign: endpoint({
    method: 'PUT',
    path: '/v2/inventories/{id}/units/{unit}/stories/{storyId}',
    summary: 'Assigns a story to a unit, or makes an assigned one the first; returns the stories of the unit',
    permission: write,
    params: ofBoth,
    response: z.array(Story),
    errors: [404],
    example: [example],
    rows: ['SC-STORY-03', 'GAP-STORY-01', 'GAP-STORY-03'],
  }),
  setPrompt: endpoint({
    method: 'PUT',
    path: '/v2/inventories/{id}/units/{unit}/promptMetadata',
    summary: 'Sets whether users enter the metadata of the files of a unit before an upload',
    permission: write,
    params: ofUnit,
    body: z.strictObject({ promptMetadata: z.boolean() }),
    response: Done,
    errors: [404],
    example: { done: true },
    rows: ['SC-MODAL-05', 'EN-FMETA-12', 'GAP-STORY-03'],
  }),
  unassign: endpoint({
    method: 'DELETE',
    path: '/v2/inventories/{id}/units/{unit}/stories/{storyId}',
    summary: 'Removes a story from a unit; returns the remaining stories',
    permission: write,
    params: ofBoth,
    response: z.array(Story),
    errors: [404],
    example: [],
    rows: ['SC-STORY-03', 'GAP-STORY-01', 'GAP-STORY-03'],
  }),
}
