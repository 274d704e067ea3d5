/** Refusals, typed by cause. Core throws them, one handler turns them into answers, the client raises them again. */
import { z } from 'zod'
import {
  because,
  type PlainCode,
  type Reason,
  type RefusalCode,
  reasonOfRule,
  WireCause,
  type Wording,
  wordingOf,
} from './refusals.ts'

/** The fault of a field: `field` is the dotted path in the request, `message` the English of `cause`. */
const WireFault = z.object({ field: z.string(), message: z.string(), cause: WireCause.optional() })
export interface FieldFault extends Wording {
  readonly field: string
  readonly cause: WireCause | undefined
}

export function fault(field: string, why: Reason | Wording): FieldFault {
  const { message, cause } = wordingOf(why)
  return { field, message, cause }
}

/** The body of every refusal (GAP-API-04). `code` is the HTTP status or a wire code of errors.tsv. */
export const RefusalBody = z.object({
  code: z.number().int(),
  message: z.string(),
  params: z.array(z.union([z.string(), z.number()])).optional(),
  cause: WireCause.optional(),
  fields: z.array(WireFault).optional(),
})
export type RefusalBody = z.infer<typeof RefusalBody>

/** The base of all refusals: an HTTP status, a wire code, a reason and the fields that it concerns. */
export class Refusal extends Error {
  override readonly cause: WireCause | undefined
  readonly status: number
  readonly code: number
  readonly fields: readonly FieldFault[]

  constructor(
    status: number,
    why: Reason | Wording,
    more: { code?: number; fields?: readonly FieldFault[] } = {},
  ) {
    const { message, cause } = wordingOf(why)
    super(message)
    this.name = new.target.name
    this.cause = cause
    this.status = status
    this.code = more.code ?? status
    this.fields = more.fields ?? []
  }

  body(): RefusalBody {
    const params = Object.values(this.cause?.params ?? {})
    return {
      code: this.code,
      message: this.message,
      ...(params.length > 0 && { params }),
      ...(this.cause && { cause: this.cause }),
      ...(this.fields.length > 0 && { fields: [...this.fields] }),
    }
  }
}

/** 400: the caller's request breaks the contract; `fields` name each fault. */
export class InvalidRequest extends Refusal {
  constructor(fields: readonly FieldFault[], why: Reason | Wording = 'field.invalid') {
    super(400, why, { fields })
  }

  /** Refuses one field alone. */
  static at(field: string, why: Reason | Wording): InvalidRequest {
    return new InvalidRequest([fault(field, why)])
  }
}

/** 401: the caller is not signed in, or the device's token is unknown. */
export class NotSignedIn extends Refusal {
  constructor(why: Reason | Wording = 'signIn.required') {
    super(401, why)
  }
}

/** 403: signed in, but the role, group or customer does not allow it. */
export class NotAllowed extends Refusal {
  constructor(why: Reason | Wording = 'role.notAllowed', fields: readonly FieldFault[] = []) {
    super(403, why, { fields })
  }
}

type NounOf<C extends string> = C extends `${infer Noun}.notFound` ? Noun : never
/** Nouns with a refusal `notFound`. */
export type MissingNoun = NounOf<RefusalCode>

/** 404: it does not exist, or is outside the caller's scope. */
export class NotFound extends Refusal {
  constructor(what: MissingNoun) {
    super(404, `${what}.notFound`)
  }
}

/** 409: a rule of the trade forbids it now (busy, taken, not unique). */
export class Conflict extends Refusal {
  constructor(why: Reason | Wording, more: { code?: number; fields?: readonly FieldFault[] } = {}) {
    super(409, why, more)
  }

  /** Refuses the value of one field. */
  static at(field: string, why: Reason | Wording): Conflict {
    return new Conflict(why, { fields: [fault(field, why)] })
  }
}

/** 429: too many attempts; `retryAfterS` seconds until the next one is accepted. */
export class TooMany extends Refusal {
  readonly retryAfterS: number
  constructor(retryAfterS: number) {
    super(429, because('request.tooMany', { seconds: retryAfterS }))
    this.retryAfterS = retryAfterS
  }
}

/** 503: a part of the system that the request needs is not available. */
export class Unavailable extends Refusal {
  readonly retryAfterS: number | undefined
  constructor(why: Reason | Wording, more: { code?: number; retryAfterS?: number } = {}) {
    super(503, why, more)
    this.retryAfterS = more.retryAfterS
  }
}

/** 0: core gave no answer in the time of the call. A change may have been made nevertheless. */
export class NoAnswer extends Refusal {
  constructor(isChange: boolean) {
    super(0, isChange ? 'system.noAnswerToChange' : 'system.noAnswer')
  }
}

/** Wire codes of a 503 that is the installation's own trouble. */
export const STORAGE_FULL_CODE = 5031
export const DATABASE_AWAY_CODE = 5032

/** Turns zod's issues into field faults with the texts of the specification (VA-MSG rows). */
export const faultsOf = (error: z.ZodError): FieldFault[] =>
  error.issues.map((issue) => fault(issue.path.map(String).join('.') || '(body)', reasonOf(issue)))

/** The value as the schema reads it. Throws InvalidRequest with every fault. */
export function requireValid<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const { data, error } = schema.safeParse(value)
  if (error) throw new InvalidRequest(faultsOf(error))
  return data as z.output<T>
}

type Issue = z.ZodError['issues'][number]

/** Refusals of a value of another type, by the type that the schema expects. */
const ofType: Partial<Record<string, PlainCode>> = {
  array: 'field.list',
  boolean: 'field.boolean',
  object: 'field.object',
  record: 'field.object',
  string: 'field.text',
}

/** A refusal does not list the values of a longer enumeration: its reader looks them up in the schema. */
const LISTED_VALUES_MAX = 20

function reasonOf(issue: Issue): Reason {
  // A schema's own reason, such as that of a name that is too long (VA-MSG-19), is kept.
  const own = reasonOfRule(issue.message)
  if (issue.code === 'unrecognized_keys')
    return because('request.unknownField', { fields: issue.keys.join(', ') })
  if (issue.code === 'invalid_type') {
    const isNumber = issue.expected === 'int' || issue.expected === 'number'
    const isMissing = issue.input === undefined && !/received (?!undefined)/.test(issue.message)
    if (isMissing) return isNumber ? 'number.required' : 'field.required'
    if (isNumber) return issue.expected === 'int' ? 'number.integer' : 'number.invalid'
    return ofType[issue.expected] ?? 'field.invalid'
  }
  if (own) return own
  if (issue.code === 'invalid_value' && issue.values.length <= LISTED_VALUES_MAX)
    return because('field.oneOf', { values: issue.values.join(', ') })
  if (issue.code === 'too_small') {
    const least = Number(issue.minimum)
    if (issue.origin !== 'string') return because('number.orMore', { least })
    return least === 1 ? 'field.required' : because('text.atLeast', { least })
  }
  if (issue.code === 'too_big') {
    const most = Number(issue.maximum)
    if (issue.origin === 'array') return because('list.atMost', { most })
    return issue.origin === 'string' ? because('text.atMost', { most }) : because('number.orLess', { most })
  }
  if (issue.code === 'invalid_format') return issue.format === 'email' ? 'address.email' : 'field.pattern'
  return 'field.invalid'
}
