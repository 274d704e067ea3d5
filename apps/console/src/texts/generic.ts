// Reasons in the language of the user: by their code, and what has none as it came.
import {
  causeOf,
  english,
  type Reason,
  type ReasonFields,
  type WireCause,
  type Wording,
} from '@backhaul/contract/define/refusals'
import i18next from 'i18next'

const t = ({ code, params }: WireCause): string | undefined =>
  i18next.isInitialized && i18next.exists(`refusals:${code}`)
    ? i18next.t(`refusals:${code}` as never, params)
    : undefined

/**
 * A code that has no text here, because it is newer than this page or the texts are not loaded yet, has the English that
 * came with it.
 */
export function reasonText(why: Reason | Wording): string {
  if (typeof why === 'object' && 'message' in why) return (why.cause && t(why.cause)) ?? why.message
  return t(causeOf(why)) ?? english(why)
}

/** The reason that something of the wire gives; '' where it gives none. */
export const givenReason = ({ reason, cause }: ReasonFields): string =>
  reason === null ? '' : reasonText({ message: reason, cause })
