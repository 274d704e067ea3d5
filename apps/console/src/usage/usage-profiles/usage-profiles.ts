// The usage profiles that an administrator looks after, with the names of their inventories.
import { usageProfiles as calls } from '@backhaul/contract/api/usage-profiles'
import type { NewUsageProfile, UsageProfile } from '@backhaul/contract/nouns/usage-profiles'
import { call, type Fault } from '../../doors/api.ts'
import { changedFields } from '../../kit/changed-fields.ts'
import { createList, readAll } from '../../kit/lists.ts'
import { loadInventoryNames } from '../../people/inventory-names/inventory-names.ts'
import { byLanguage } from '../../ui/locale.ts'

export const profiles = createList(
  'usageProfiles',
  async () => {
    const [all] = await Promise.all([readAll((query) => call(calls.list, { query })), loadInventoryNames()])
    return all
  },
  ({ id }) => id,
)

export function saveProfile(
  before: UsageProfile | null,
  request: NewUsageProfile,
): Promise<Fault | undefined> {
  const { inventory, ...fields } = request
  if (!before) return profiles.change(() => call(calls.create, { body: request }))
  const body = changedFields(before, fields)
  return profiles.change(() => call(calls.change, { params: { id: before.id }, body }))
}

export const removeProfile = (id: string): Promise<Fault | undefined> =>
  profiles.change(() => call(calls.remove, { params: { id } }))

const figure = byLanguage((locale) => new Intl.NumberFormat(locale))

/** `50,000 MB` or `40 h`. */
export const limitText = ({ type, monthlyLimit }: Pick<UsageProfile, 'type' | 'monthlyLimit'>): string =>
  `${figure().format(monthlyLimit)} ${type === 'data' ? 'MB' : 'h'}`
