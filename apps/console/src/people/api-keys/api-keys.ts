// The API keys of the administrator's customers: read when the screen opens and after each change.
import { apiKeys as calls } from '@backhaul/contract/api/api-keys'
import { type Role, roleOfUserType, userTypes } from '@backhaul/contract/define/roles'
import type { ApiKey, MadeApiKey, NewApiKey } from '@backhaul/contract/nouns/api-keys'
import { call, type Fault } from '../../doors/api.ts'
import { createList, readAll } from '../../kit/lists.ts'
import { loadInventoryNames } from '../inventory-names/inventory-names.ts'

export const keys = createList(
  'apiKeys',
  async () => {
    const [all] = await Promise.all([readAll((query) => call(calls.list, { query })), loadInventoryNames()])
    return all
  },
  ({ id }) => id,
)

/** The user type that gives a role: users know by it what it allows. */
export const userTypeOf = (role: Role): string =>
  userTypes.find((type) => roleOfUserType[type] === role) ?? role

/** `take` gets the key, which core sends this once. */
export const makeKey = (wanted: NewApiKey, take: (made: MadeApiKey) => void): Promise<Fault | undefined> =>
  keys.change(async () => take(await call(calls.create, { body: wanted })))

export const revokeKey = (id: string): Promise<Fault | undefined> =>
  keys.change(() => call(calls.remove, { params: { id } }))

export const isOver = ({ expiresOn }: ApiKey, nowMs: number): boolean =>
  expiresOn !== null && Date.parse(expiresOn) <= nowMs
