// Stories of a customer, and those that a unit is sent out for.
import { inventories } from '@backhaul/contract/api/inventories'
import { stories as calls } from '@backhaul/contract/api/stories'
import type { NewStory, Story } from '@backhaul/contract/nouns/stories'
import { call, type Fault } from '../../doors/api.ts'
import { changedFields } from '../../kit/changed-fields.ts'
import { createList, readAll } from '../../kit/lists.ts'
import { createValue } from '../../ui/value.ts'

export const stories = createList(
  'stories',
  (id: string) => readAll((query) => call(calls.list, { params: { id }, query })),
  ({ storyId }) => storyId,
)

/** The story and its units as requested; only what differs is sent. Answers what went wrong. */
export function saveStory(
  id: string,
  before: Story | null,
  story: NewStory,
  units: readonly string[],
): Promise<Fault | undefined> {
  return stories.change(async () => {
    const { storyId } = before
      ? await changed(before, story)
      : await call(calls.create, { params: { id }, body: story })
    const had = before?.assignedUnits ?? []
    for (const unit of units)
      if (!had.includes(unit)) await call(calls.assign, { params: { id, unit, storyId } })
    for (const unit of had)
      if (!units.includes(unit)) await call(calls.unassign, { params: { id, unit, storyId } })
  })
}

async function changed(before: Story, story: NewStory): Promise<Story> {
  const body = changedFields(before, story)
  const { inventoryId: id, storyId } = before
  return Object.keys(body).length === 0 ? before : await call(calls.change, { params: { id, storyId }, body })
}

export const removeStory = ({ inventoryId: id, storyId }: Story): Promise<Fault | undefined> =>
  stories.change(() => call(calls.remove, { params: { id, storyId } }))

export const setPrompt = ({ inventoryId: id, uid: unit }: NamedUnit, promptMetadata: boolean) =>
  call(calls.setPrompt, { params: { id, unit }, body: { promptMetadata } })

interface NamedUnit {
  uid: string
  name: string
  inventoryId: string
}

/** Unit whose stories are shown. */
export const askedUnit = createValue<NamedUnit | null>(null)

export const askForStories = ({ uid, name, inventoryId }: NamedUnit): void =>
  askedUnit.set({ uid, name, inventoryId })

const ofUnit = ({ inventoryId: id, uid: unit }: NamedUnit) => ({ id, unit })

/** Answers all of the unit, the first of which labels what it sends; this and the next throw. */
export const assignStory = (unit: NamedUnit, storyId: string): Promise<Story[]> =>
  call(calls.assign, { params: { ...ofUnit(unit), storyId } })

export const unassignStory = (unit: NamedUnit, storyId: string): Promise<Story[]> =>
  call(calls.unassign, { params: { ...ofUnit(unit), storyId } })

/** As many as a choice offers at once; who wants another types more of its name. */
const offeredAtMost = 30

export interface Offer {
  value: string
  label: string
}

/** Stories of the customer whose slugline has the text; throws. */
export async function offerStories(id: string, search: string): Promise<Offer[]> {
  const { items } = await call(calls.list, { params: { id }, query: { search, limit: offeredAtMost } })
  return items.map(({ storyId, slugline }) => ({ value: storyId, label: slugline }))
}

/** Units of the customer whose name has the text; throws. */
export async function offerUnits(id: string, search: string): Promise<Offer[]> {
  const { items } = await call(inventories.units, { params: { id }, query: { search, limit: offeredAtMost } })
  return items.map(({ uid, name }) => ({ value: uid, label: name }))
}
