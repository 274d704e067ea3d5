/** The requests that the content security policy of core has blocked on a page. */
import type { Page } from 'playwright-core'

/** The little of a page's own types that is needed here. */
interface Scene {
  violated?: string[]
  addEventListener(name: 'securitypolicyviolation', run: (event: Violation) => void): void
}
interface Violation {
  effectiveDirective: string
  blockedURI: string
}

/** Records what is blocked on every document that the page opens from now on. */
export const watchPolicy = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const scene = globalThis as unknown as Scene
    scene.violated = []
    scene.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      scene.violated?.push(`${effectiveDirective} ${blockedURI}`),
    )
  })

/** Directive and address of everything that was blocked on the document that the page shows now. */
export const violated = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as unknown as Scene).violated ?? [])
