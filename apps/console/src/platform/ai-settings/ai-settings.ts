// Settings for AI sessions, which vendor staff looks after.
import { aiSettings as calls } from '@backhaul/contract/api/ai-settings'
import type { AiSettings, NewAiSettings } from '@backhaul/contract/nouns/ai'
import { call, type Fault } from '../../doors/api.ts'
import { changedFields } from '../../kit/changed-fields.ts'
import { createList, readAll } from '../../kit/lists.ts'

export const allSettings = createList(
  'aiSettings',
  () => readAll((query) => call(calls.list, { query })),
  ({ id }) => id,
)

/** An empty secret of settings that are there keeps the one before: it cannot be shown, so it cannot be typed again. */
export function saveSettings(before: AiSettings | null, request: NewAiSettings): Promise<Fault | undefined> {
  if (!before) return allSettings.change(() => call(calls.create, { body: request }))
  const { secret, ...fields } = request
  const body = { ...changedFields(before, fields), ...(secret !== '' && { secret }) }
  return allSettings.change(() => call(calls.change, { params: { id: before.id }, body }))
}

export const removeSettings = (id: string): Promise<Fault | undefined> =>
  allSettings.change(() => call(calls.remove, { params: { id } }))
