/** AI sessions: the marks of a provider in a running transmission, and the settings of providers (GAP-AI-01, -02). */

import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import { ReasonCause, rule } from '../define/refusals.ts'
import { NAME_MAX } from './names.ts'

/**
 * 1. local: built in, for tests: it recognises neither words nor faces; it marks moments by the measurements of the server;
 * 2. http: an address that gets the same measurements and answers with its marks.
 */
export const AiProvider = z.enum(['local', 'http'])
export type AiProvider = z.infer<typeof AiProvider>

const shared = {
  name: z.string().trim().min(1).max(NAME_MAX),
  provider: AiProvider,
  model: z.string().trim().max(NAME_MAX),
}
const endpoint = z
  .string()
  .trim()
  .max(2048)
  .refine((text) => text === '' || /^https?:\/\/[^\s/]+/.test(text), rule('address.web'))

export const AiSettings = z.object({
  id: z.string(),
  ...shared,
  endpoint: z.string(),
  hasSecret: z.boolean().describe('The secret itself is never shown'),
})
export type AiSettings = z.infer<typeof AiSettings>

const secret = z.string().max(1024)

export const NewAiSettings = z
  .strictObject({
    name: shared.name,
    provider: shared.provider,
    endpoint: endpoint.default(''),
    model: shared.model.default(''),
    secret: secret.default('').describe('Sent to the endpoint as a bearer token'),
  })
  .refine(hasPlace, { path: ['endpoint'], message: rule('field.required') })
export type NewAiSettings = z.infer<typeof NewAiSettings>

/** Fields that are not given keep their value, the secret too; an empty one removes it. */
export const AiSettingsChange = z.strictObject({ ...shared, endpoint, secret }).partial()
export type AiSettingsChange = z.infer<typeof AiSettingsChange>

/** Whether a provider can be called: only the built-in one needs no address. */
export function hasPlace({ provider, endpoint }: Pick<AiSettings, 'provider' | 'endpoint'>): boolean {
  return provider === 'local' || endpoint !== ''
}

export const aiSettingsKeys = ['name', 'provider', 'model'] as const

/** The subject of a mark; an external provider uses `highlight` and `caption`. */
export const AiMarkKind = z.enum(['picture', 'sound', 'highlight', 'caption', 'fault'])
export type AiMarkKind = z.infer<typeof AiMarkKind>

export const AiMark = z.object({
  ts: IsoTime,
  kind: AiMarkKind,
  text: z.string().max(500),
  cause: ReasonCause.describe('The code of the text where it is one of core'),
})
export type AiMark = z.infer<typeof AiMark>

/** A session keeps this many of the newest marks. */
export const AI_MARKS_AT_MOST = 200

export const AiProfile = z.object({ id: z.string(), name: z.string(), provider: AiProvider })
export type AiProfile = z.infer<typeof AiProfile>

export const AiSession = z.object({
  id: z.string(),
  profileName: z.string(),
  provider: AiProvider,
  startedBy: z.string(),
  startedOn: IsoTime,
  endedOn: IsoTime.nullable(),
  endedBy: z.string().nullable().describe('null while it runs, and when the transmission ended'),
  marks: z.array(AiMark).describe('Newest first'),
})
export type AiSession = z.infer<typeof AiSession>

/** The newest session of a unit, what the next one may be started with, and why it cannot be. */
export const AiState = z.object({
  session: AiSession.nullable(),
  profiles: z.array(AiProfile),
  refusal: z.string().nullable(),
  refusalCause: ReasonCause,
})
export type AiState = z.infer<typeof AiState>

/** One second of a transmission as the server measures it. */
export const AiObservation = z.object({
  ts: IsoTime,
  kbps: z.number(),
  black: z.boolean(),
  frozen: z.boolean(),
  silent: z.boolean(),
  rmsDb: z.number().nullable().describe('The louder of all sound channels; null without sound'),
})
export type AiObservation = z.infer<typeof AiObservation>

/** Core's request to an http provider every ten seconds. */
export const AiQuestion = z.object({
  session: z.string(),
  model: z.string(),
  unit: z.string(),
  observations: z.array(AiObservation),
})

/** Its answer; malformed marks are left out. */
export const AiAnswer = z.object({ marks: z.array(z.unknown()).max(100) })
