// JSON from untrusted senders: parsed values may be walked by recursion afterwards.
import { because, english } from '@backhaul/contract/define/refusals'

/** Deeper than anything in the contract; a walk through this many levels needs little stack. */
const depthAtMost = 32

export const tooDeep = because('request.tooDeep', { most: depthAtMost })

export class TooDeep extends Error {
  constructor() {
    super(english(tooDeep))
    this.name = 'TooDeep'
  }
}

/** Throws TooDeep before anything is parsed, SyntaxError for what is not JSON. */
export function parseJson(text: string): unknown {
  rejectDeepNesting(text)
  return JSON.parse(text)
}

const [quote, backslash] = [0x22, 0x5c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Counts open brackets outside strings; for text that is not JSON the count does not matter. It reads codes one by one, since
 * nearly every message of every device passes here: a match for each token costs more than the parsing.
 */
export function rejectDeepNesting(text: string): void {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at + 1)
    else if (code === openBracket || code === openBrace) {
      depth += 1
      if (depth > depthAtMost) throw new TooDeep()
    } else if (code === closeBracket || code === closeBrace) depth -= 1
  }
}

/** The end of the string whose first character is at `from`. */
function endOfString(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    at += code === backslash ? 2 : 1
  }
  return at
}
