/** API keys: with one, a program acts for the person who made it, at most as that person may act at that moment. */
import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import { NAME_MAX } from './names.ts'
import { Role } from './roles.ts'

/** By this a key is known wherever it turns up, in a log as in a search for leaked secrets. */
export const API_KEY_MARK = 'bk_'

/** So many characters of a key are kept and shown: enough to know it, and 220 of its 256 bits stay untold. */
export const API_KEY_PREFIX_LENGTH = API_KEY_MARK.length + 6

/** Of one inventory: more would be keys that nobody remembers. */
export const API_KEYS_AT_MOST = 100

/** Vendor staff act in person: no key sees every customer. */
export const ApiKeyRole = Role.exclude(['super_user'])
export type ApiKeyRole = z.infer<typeof ApiKeyRole>

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe('The first characters of the key'),
  inventoryId: z.string(),
  role: Role,
  username: z.string().describe('Who made it, and for whom it acts'),
  createdOn: IsoTime,
  expiresOn: IsoTime.nullable().describe('Null: it holds until it is revoked'),
  lastUsedOn: IsoTime.nullable().describe('To the hour; null while nobody used it'),
})
export type ApiKey = z.infer<typeof ApiKey>

export const NewApiKey = z.strictObject({
  name: z.string().trim().min(1).max(NAME_MAX),
  inventory: z.string().min(1).max(64),
  role: ApiKeyRole,
  expiresOn: IsoTime.nullable().default(null),
})
export type NewApiKey = z.infer<typeof NewApiKey>

/** Told once: core keeps a hash of it. */
export const MadeApiKey = ApiKey.extend({ key: z.string().describe('The key itself, told this once') })
export type MadeApiKey = z.infer<typeof MadeApiKey>

export const apiKeyKeys = ['name', 'role'] as const
