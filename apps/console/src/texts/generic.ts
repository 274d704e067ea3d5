// Reasons in the language of the user: by their code, and what has none as it came.
import {
  causeOf,
  english,
  isRefusalCode,
  type Reason,
  type ReasonFields,
  type WireCause,
  type Wording,
} from '@backhaul/contract/define/refusals'
import i18next from 'i18next'

const t = (code: string, params: WireCause['params']): string =>
  i18next.t(`refusals:${code}` as never, params)

/** English until the words of a language are there; a code that is newer than this page has its English alone. */
export function reasonText(why: Reason | Wording): string {
  if (typeof why === 'object' && 'message' in why) {
    const { message, cause } = why
    return cause && isRefusalCode(cause.code)
      ? reasonText({ code: cause.code, params: cause.params })
      : message
  }
  if (!i18next.isInitialized) return english(why)
  const { code, params } = causeOf(why)
  return t(code, params)
}

/** The reason that something of the wire gives; '' where it gives none. */
export const givenReason = ({ reason, cause }: ReasonFields): string =>
  reason === null ? '' : reasonText({ message: reason, cause })
