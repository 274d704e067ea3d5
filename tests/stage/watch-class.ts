/** Follows an element's class name between two checks of the test, so that no short state is missed. */
import type { Locator } from 'playwright-core'

/** The little of a page's own types that is needed here. */
interface Watched {
  className: string
  ownerDocument: {
    defaultView: {
      MutationObserver: new (changed: () => void) => { observe(element: Watched, what: object): void }
    }
  }
}

/** Returns every state that the class name has shown so far, in order; `pattern` captures the state's name. */
export async function watchClass(element: Locator, pattern: RegExp): Promise<() => Promise<string[]>> {
  const states = await element.evaluateHandle((watched: Watched, source: string) => {
    const seen: string[] = []
    const note = () => {
      const state = new RegExp(source).exec(watched.className)?.[1]
      if (state !== undefined && seen.at(-1) !== state) seen.push(state)
    }
    note()
    const { MutationObserver } = watched.ownerDocument.defaultView
    new MutationObserver(note).observe(watched, { attributes: true, attributeFilter: ['class'] })
    return seen
  }, pattern.source)
  return () => states.jsonValue()
}
