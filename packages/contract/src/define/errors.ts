/** Refusals, typed by cause. Core throws them, one handler turns them into answers, the client raises them again. */
import { z } from 'zod'
import { fill, texts } from './texts.ts'

/** What a field broke: `field` is the dotted path in the request, `message` a text of the specification. */
export const FieldFault = z.object({ field: z.string(), message: z.string() })
export type FieldFault = z.infer<typeof FieldFault>

/** The body of every refusal (GAP-API-04). `code` is the HTTP status or a wire code of errors.tsv. */
export const RefusalBody = z.object({
  code: z.number().int(),
  message: z.string(),
  params: z.array(z.union([z.string(), z.number()])).optional(),
  fields: z.array(FieldFault).optional(),
})
export type RefusalBody = z.infer<typeof RefusalBody>

export type Params = readonly (string | number)[]

/** The base of all refusals: an HTTP status, a wire code, a text and what fills its {0}. */
export class Refusal extends Error {
  readonly status: number
  readonly code: number
  readonly params: Params
  readonly fields: readonly FieldFault[]

  constructor(
    status: number,
    message: string,
    more: { code?: number; params?: Params; fields?: readonly FieldFault[] } = {},
  ) {
    super(fill(message, more.params))
    this.name = new.target.name
    this.status = status
    this.code = more.code ?? status
    this.params = more.params ?? []
    this.fields = more.fields ?? []
  }

  body(): RefusalBody {
    return {
      code: this.code,
      message: this.message,
      ...(this.params.length > 0 && { params: [...this.params] }),
      ...(this.fields.length > 0 && { fields: [...this.fields] }),
    }
  }
}

/** 400: the caller's request breaks the contract; `fields` name each fault. */
export class InvalidRequest extends Refusal {
  constructor(fields: readonly FieldFault[], message: string = texts.invalid) {
    super(400, message, { fields })
  }
}

/** 401: nobody is signed in, or the device's token is unknown. */
export class NotSignedIn extends Refusal {
  constructor(message = 'Sign in first') {
    super(401, message)
  }
}

/** 403: signed in, but the role, group or customer does not allow it. */
export class NotAllowed extends Refusal {
  constructor(message: string = texts.notForUserType, fields: readonly FieldFault[] = []) {
    super(403, message, { fields })
  }
}

/** 404: no such thing, or none that the caller may know of. */
export class NotFound extends Refusal {
  constructor(what: string) {
    super(404, `${what} not found`)
  }
}

/** 409: a rule of the trade forbids it now (busy, taken, not unique). */
export class Conflict extends Refusal {
  constructor(
    message: string,
    more: { code?: number; params?: Params; fields?: readonly FieldFault[] } = {},
  ) {
    super(409, message, more)
  }

  /** For what one field asks. */
  static at(field: string, message: string): Conflict {
    return new Conflict(message, { fields: [{ field, message }] })
  }
}

/** 429: too many tries; `retryAfterS` seconds until the next is heard. */
export class TooMany extends Refusal {
  readonly retryAfterS: number
  constructor(retryAfterS: number) {
    super(429, 'Too many attempts, try again in {0} s', { params: [retryAfterS] })
    this.retryAfterS = retryAfterS
  }
}

/** 503: a part of the system that the request needs is not there now. */
export class Unavailable extends Refusal {
  readonly retryAfterS: number | undefined
  constructor(message: string, more: { code?: number; retryAfterS?: number } = {}) {
    super(503, message, more)
    this.retryAfterS = more.retryAfterS
  }
}

/** Wire codes of a 503 that is the installation's own trouble. */
export const STORAGE_FULL_CODE = 5031
export const DATABASE_AWAY_CODE = 5032

/** Turns zod's issues into field faults with the texts of the specification (VA-MSG rows). */
export function faultsOf(error: z.ZodError): FieldFault[] {
  return error.issues.map((issue) => ({
    field: issue.path.map(String).join('.') || '(body)',
    message: messageOf(issue),
  }))
}

type Issue = z.ZodError['issues'][number]

function messageOf(issue: Issue): string {
  if (issue.code === 'unrecognized_keys') return `Unknown field: ${issue.keys.join(', ')}`
  if (issue.code === 'invalid_type') {
    const isNumber = issue.expected === 'int' || issue.expected === 'number'
    if (issue.input === undefined && !/received (?!undefined)/.test(issue.message))
      return isNumber ? texts.numericRequired : texts.required
    if (isNumber) return issue.expected === 'int' ? texts.integer : texts.number
    return texts.invalid
  }
  // A schema's own text for its limit, such as that of names (VA-MSG-19), stands.
  const isLimit = issue.code === 'too_small' || issue.code === 'too_big'
  if (isLimit && !issue.message.startsWith('Too ')) return issue.message
  if (issue.code === 'too_small') {
    if (issue.origin === 'string')
      return issue.minimum === 1 ? texts.required : fill(texts.atLeast, [Number(issue.minimum)])
    return fill(texts.orMore, [Number(issue.minimum)])
  }
  if (issue.code === 'too_big') {
    if (issue.origin === 'array') return fill(texts.selectAtMost, [Number(issue.maximum)])
    if (issue.origin === 'string') return fill(texts.atMost, [Number(issue.maximum)])
    return fill(texts.orLess, [Number(issue.maximum)])
  }
  if (issue.code === 'invalid_format' && !issue.message.startsWith('Invalid ')) return issue.message
  if (issue.code === 'invalid_format') return issue.format === 'email' ? texts.email : texts.pattern
  if (issue.code === 'custom' && issue.message !== 'Invalid input') return issue.message
  return texts.invalid
}
