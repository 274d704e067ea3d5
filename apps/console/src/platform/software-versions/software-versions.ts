// The software versions that customers of the administrator may have, with the names of those customers.
import { softwareVersions as calls } from '@backhaul/contract/api/software-versions'
import { SoftwareVersion } from '@backhaul/contract/nouns/software-versions'
import { call, type Fault } from '../../doors/api.ts'
import { createList, readAll } from '../../kit/lists.ts'
import { loadInventoryNames } from '../../people/inventory-names/inventory-names.ts'
import { type EditedSetting, softwareVersionFields } from '../system-settings/system-settings.ts'

export const versions = createList(
  'softwareVersions',
  async () => {
    const [all] = await Promise.all([readAll((query) => call(calls.list, { query })), loadInventoryNames()])
    return all
  },
  ({ id }) => id,
)

export const editedVersion: EditedSetting = {
  schema: SoftwareVersion,
  fields: softwareVersionFields,
  save: (id, value) =>
    versions.change(() => {
      const body = SoftwareVersion.parse(value)
      return id === null ? call(calls.create, { body }) : call(calls.change, { params: { id }, body })
    }),
}

export const removeVersion = (id: string): Promise<Fault | undefined> =>
  versions.change(() => call(calls.remove, { params: { id } }))
