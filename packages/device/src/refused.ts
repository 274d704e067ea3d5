/** Why a device does not do something: the English and the code that core passes on. */
import {
  type Cause,
  causeOf,
  english,
  type Reason,
  type WireCause,
  type Wording,
} from '@backhaul/contract/define/refusals'
import { withoutFolders } from '@backhaul/runtime/redact'

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

const cut = (text: string): string => withoutFolders(text).slice(0, LONGEST)

const cutCause = ({ code, params }: WireCause): WireCause => ({
  code,
  params: Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? cut(value) : value]),
  ),
})

/** A reason within the limits of the gateway, without the folders of this machine. */
export const cutReason = ({ message, cause }: Wording): { reason: string; cause?: WireCause } => ({
  reason: cut(message),
  ...(cause && { cause: cutCause(cause) }),
})
