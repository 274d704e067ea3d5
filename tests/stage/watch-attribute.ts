/** Follows an attribute of an element between two checks of the test, so that no short state is missed. */
import type { Locator } from 'playwright-core'

/** The little of a page's own types that is needed here. */
interface Watched {
  getAttribute: (name: string) => string | null
  ownerDocument: {
    defaultView: {
      MutationObserver: new (changed: () => void) => { observe(element: Watched, what: object): void }
    }
  }
}

/** Returns every value that the attribute has had so far, in order. */
export async function watchAttribute(element: Locator, attribute: string): Promise<() => Promise<string[]>> {
  const values = await element.evaluateHandle((watched: Watched, name: string) => {
    const seen: string[] = []
    const note = () => {
      const value = watched.getAttribute(name)
      if (value !== null && seen.at(-1) !== value) seen.push(value)
    }
    note()
    const { MutationObserver } = watched.ownerDocument.defaultView
    new MutationObserver(note).observe(watched, { attributes: true, attributeFilter: [name] })
    return seen
  }, attribute)
  return () => values.jsonValue()
}
