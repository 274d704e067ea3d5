// Why a source gives no picture, as an operator reads it, from the messages of ffmpeg.
import type { PlainCode } from '@backhaul/contract/define/refusals'

const known: readonly (readonly [RegExp, PlainCode])[] = [
  [/Connection refused/i, 'source.refused'],
  [/resolve hostname|Name or service not known|Temporary failure in name/i, 'source.unknownHost'],
  [/401|403|Unauthorized|Forbidden|authentication|access denied|BADSECRET|UNSECURE/i, 'source.denied'],
  [/No route to host|Network is unreachable|Host is down/i, 'source.unreachable'],
  [/timed out|Operation timeout/i, 'source.timedOut'],
  [/srt:\/\/\S* failed/i, 'source.unreachable'],
]

/** The oldest message that is understood names the reason: what follows from it comes later. */
export function sourceFailureOf(messages: readonly string[]): PlainCode {
  for (const message of messages) {
    const found = known.find(([sign]) => sign.test(message))
    if (found) return found[1]
  }
  return 'source.noStream'
}
