/** API keys: a program acts for the user who made the key, at most with that user's present rights. */
import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import { Role } from '../define/role-schemas.ts'
import { NAME_MAX } from './names.ts'

/** Identifies a key as such in logs and in searches for leaked secrets. */
export const API_KEY_MARK = 'bk_'

/** This many characters of a key are stored and shown: enough to recognise it, while 220 of its 256 bits remain secret. */
export const API_KEY_PREFIX_LENGTH = API_KEY_MARK.length + 6

/** Most keys of one inventory. */
export const API_KEYS_AT_MOST = 100

/** No key of vendor staff: no key may see every customer. */
export const ApiKeyRole = Role.exclude(['super_user'])
export type ApiKeyRole = z.infer<typeof ApiKeyRole>

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe('The first characters of the key'),
  inventoryId: z.string(),
  role: Role,
  username: z.string().describe('The user who made it, and for whom it acts'),
  createdOn: IsoTime,
  expiresOn: IsoTime.nullable().describe('Null: it is valid until it is revoked'),
  lastUsedOn: IsoTime.nullable().describe('To the hour; null while it is unused'),
})
export type ApiKey = z.infer<typeof ApiKey>

export const NewApiKey = z.strictObject({
  name: z.string().trim().min(1).max(NAME_MAX),
  inventory: z.string().min(1).max(64),
  role: ApiKeyRole,
  expiresOn: IsoTime.nullable().default(null),
})
export type NewApiKey = z.infer<typeof NewApiKey>

/** Shown once: core keeps a hash of it. */
export const MadeApiKey = ApiKey.extend({ key: z.string().describe('The key itself, only shown here') })
export type MadeApiKey = z.infer<typeof MadeApiKey>

export const apiKeyKeys = ['name', 'role'] as const
