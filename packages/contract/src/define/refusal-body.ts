/** Reads the body of a refusal without its schema, which the first page of the console would have to fetch for this alone. */
import type { RefusalBody } from './errors.ts'

type Read = { readonly [name: string]: unknown }

const isRecord = (value: unknown): value is Read =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isParam = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))
const isAbsentOr = (holds: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || holds(value)
const isListOf = (holds: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(holds)

const isCause = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value.code === 'string' &&
  value.code.length <= 64 &&
  isRecord(value.params) &&
  Object.values(value.params).every(isParam)

const isFault = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value.field === 'string' &&
  typeof value.message === 'string' &&
  isAbsentOr(isCause)(value.cause)

const isBody = (json: unknown): json is RefusalBody =>
  isRecord(json) &&
  Number.isSafeInteger(json.code) &&
  typeof json.message === 'string' &&
  isAbsentOr(isListOf(isParam))(json.params) &&
  isAbsentOr(isCause)(json.cause) &&
  isAbsentOr(isListOf(isFault))(json.fields)

/** Nothing where the answer is not a refusal of core. */
export const refusalBodyOf = (json: unknown): RefusalBody | undefined => (isBody(json) ? json : undefined)
