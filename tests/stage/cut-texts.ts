/** Texts of a page that its user cannot read to the end. */
import type { Page } from 'playwright-core'

/** The little of a page's own types that is needed here. */
interface Shown {
  textContent: string | null
  parentElement: Shown | null
  childNodes: Iterable<{ nodeType: number; textContent: string | null }>
  clientWidth: number
  closest(selector: string): Shown | null
  matches(selector: string): boolean
  getBoundingClientRect(): { right: number; width: number; height: number }
  ownerDocument: {
    createRange(): { selectNodeContents(node: Shown): void; getBoundingClientRect(): { right: number } }
    defaultView: { getComputedStyle(of: Shown): { overflowX: string } }
  }
}

/** Texts that are cut off and have no tooltip with the whole text. */
export const cutForGood = (page: Page): Promise<string[]> =>
  page.locator('#root *').evaluateAll((all: Shown[]) =>
    all.flatMap((one) => {
      const hasText = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
      if (
        !hasText ||
        one.closest('.visually-hidden, .palette-word, select, [data-tip], .clip, .rail-heading')
      )
        return []
      const { ownerDocument: page } = one
      const range = page.createRange()
      range.selectNodeContents(one)
      const { right } = range.getBoundingClientRect()
      for (let box: Shown | null = one; box; box = box.parentElement) {
        const { overflowX } = page.defaultView.getComputedStyle(box)
        if (overflowX === 'visible') continue
        const edge = box.getBoundingClientRect()
        const isCut = overflowX !== 'auto' && overflowX !== 'scroll' && right > edge.right + 1
        return isCut ? [one.textContent ?? ''] : []
      }
      return []
    }),
  )
