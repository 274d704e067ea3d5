/** Why a device does not do something: the English and the code that core passes on. */
import {
  type Cause,
  causeOf,
  english,
  type Reason,
  type WireCause,
  type Wording,
} from '@backhaul/contract/define/refusals'

export class Refused extends Error {
  override readonly cause: Cause
  constructor(why: Reason) {
    super(english(why))
    this.name = 'Refused'
    this.cause = causeOf(why)
  }
}

/** An error of anything else has its own text and no code. */
export function wordingOfError(error: unknown): Wording {
  const message = error instanceof Error ? error.message : String(error)
  return error instanceof Refused ? { message, cause: error.cause } : { message }
}

/** The longest text that the gateway accepts. */
const LONGEST = 255

const cut = (value: string | number) => (typeof value === 'string' ? value.slice(0, LONGEST) : value)

const cutCause = ({ code, params }: WireCause): WireCause => ({
  code,
  params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, cut(value)])),
})

/** A reason within the limits of the gateway. */
export const cutReason = ({ message, cause }: Wording): { reason: string; cause?: WireCause } => ({
  reason: message.slice(0, LONGEST),
  ...(cause && { cause: cutCause(cause) }),
})
