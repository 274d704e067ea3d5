/** Each reason that core, a device or a schema gives, by its stable code; refusals/all.ts is the one table of the texts. */
import { z } from 'zod'
import type { refusals } from './refusals/all.ts'
import { atHand } from './refusals/at-hand.ts'

type Texts = typeof refusals
export type RefusalCode = keyof Texts

/** The names of what fills a text. */
export type Places<T extends string> = T extends `${string}{{${infer P}}}${infer Rest}`
  ? P | Places<Rest>
  : never
export type Param = string | number
/** The parameters of the text of a code. */
export type ParamsOf<C extends RefusalCode> = Readonly<Record<Places<Texts[C]>, Param>>
/** Codes whose text needs no parameters. */
export type PlainCode = { [C in RefusalCode]: [Places<Texts[C]>] extends [never] ? C : never }[RefusalCode]

export interface Cause {
  readonly code: RefusalCode
  readonly params: Readonly<Record<string, Param>>
}
/** Why something is refused: a code alone, or a code with the parameters of its text. */
export type Reason = PlainCode | Cause

/** The form on the wire: a newer core may know codes that its reader does not. */
export const WireCause = z.object({
  code: z.string().max(64).describe('Stable: see published/refusals.json'),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type WireCause = z.infer<typeof WireCause>

/** A cause that a device reports, with limits for the size of each part. */
export const DeviceCause = z.object({
  code: z.string().max(64).describe('Stable: see published/refusals.json'),
  params: z.record(z.string().max(32), z.union([z.string().max(255), z.number()])),
})

export const because = <C extends RefusalCode>(code: C, params: ParamsOf<C>): Cause => ({ code, params })

export const causeOf = (reason: Reason): Cause =>
  typeof reason === 'string' ? { code: reason, params: {} } : reason

export const isRefusalCode = (text: string): text is RefusalCode => Object.hasOwn(atHand, text)

/** The finished English of a reason; its code in a page that has not loaded the text. */
export function english(reason: Reason): string {
  const { code, params } = causeOf(reason)
  return (atHand[code] ?? code).replace(/\{\{(\w+)\}\}/g, (whole, name: string) =>
    String(params[name] ?? whole),
  )
}

/** A finished text, and its code where it has one: a text of a device or an older version may have none. */
export interface Wording {
  readonly message: string
  readonly cause?: WireCause | undefined
}

export const wordingOf = (why: Reason | Wording): Wording =>
  typeof why === 'object' && 'message' in why ? why : { message: english(why), cause: causeOf(why) }

/** A reason as fields of the wire: `reason` is its text. */
export interface ReasonFields {
  readonly reason: string | null
  readonly cause?: WireCause | undefined
}

/** The field of a wire object that may carry a reason. */
export const ReasonCause = WireCause.optional().describe(
  'The code of the reason; absent where a device or an earlier version gave its own words',
)

export function reasonFields(why: Reason | Wording | undefined): ReasonFields {
  if (why === undefined) return { reason: null, cause: undefined }
  const { message, cause } = wordingOf(why)
  return { reason: message, cause }
}

/** The reason of a device or a row: its text, or that of its code; undefined without a text and a known code. */
export function wordingIn({ reason, cause }: Partial<ReasonFields>): Wording | undefined {
  if (reason) return { message: reason, cause }
  return cause && isRefusalCode(cause.code)
    ? wordingOf({ code: cause.code, params: cause.params })
    : undefined
}

/** The same, or `otherwise` where there is none. */
export const wordingOfFields = (fields: Partial<ReasonFields>, otherwise: PlainCode): Wording =>
  wordingIn(fields) ?? wordingOf(otherwise)

/** A reason as the message of a schema's rule, which is a text: the code, and its parameters where it has some. */
export const rule = <C extends RefusalCode>(
  code: C,
  ...[params]: C extends PlainCode ? [] : [params: ParamsOf<C>]
): string => (params === undefined ? code : `${code} ${JSON.stringify(params)}`)

/** The reason in the message of a broken rule; none in a message of the schema library. */
export function reasonOfRule(message: string): Cause | undefined {
  const [, code = '', params] = /^(\w+\.\w+)(?: (\{.*\}))?$/s.exec(message) ?? []
  return isRefusalCode(code) ? { code, params: params === undefined ? {} : JSON.parse(params) } : undefined
}
