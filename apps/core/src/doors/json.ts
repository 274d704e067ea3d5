// JSON from untrusted senders: whatever is parsed here may be walked by recursion afterwards.
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

/** Counts open brackets outside strings; for other text the count does not matter. */
export function rejectDeepNesting(text: string): void {
  let depth = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === '[' || token === '{') {
      depth += 1
      if (depth > depthAtMost) throw new TooDeep()
    } else if (token === ']' || token === '}') depth -= 1
  }
}
