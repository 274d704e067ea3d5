/** A user at the console in real Chromium, with axe for accessibility checks. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { SIGN_IN_COOKIE } from '@backhaul/contract/define/endpoint'
import { patientMs } from '@backhaul/runtime/testing/until'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../scripts/setup.mjs'
import { pause } from './until.ts'

const require = createRequire(import.meta.url)
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

export type Chromium = { context: BrowserContext; page: Page; close(): Promise<void> }

export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
  // A microphone that beeps, without a permission dialog.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--disable-features=WebRtcHideLocalIpsWithMdns',
]

/**
 * Optimising the scripts of a page that lives for seconds takes more processor time than it saves. Benches, and tests in
 * real time, run with the compilers that users have.
 */
const flagsForShortPages = process.env.TEST_SHORT_PAGES ? ['--js-flags=--no-opt,--no-maglev'] : []

export const chromiumPath = findChromium() ?? ''
/** Without a browser the tests that need one are skipped, and the run reports it. */
export const hasChromium = existsSync(chromiumPath)

/** One for all test files of this process, which ends with it: a start takes more than a second of processor time. */
let running: Promise<Browser> | undefined

async function runningChromium(): Promise<Browser> {
  const last = await running?.catch(() => undefined)
  const args = [...chromiumFlags, ...flagsForShortPages]
  if (!last?.isConnected()) running = chromium.launch({ executablePath: chromiumPath, args })
  return await (running as Promise<Browser>)
}

/**
 * A new session of the browser: cookies, storage and cache are its own. Its user prefers reduced motion, since each frame
 * of a transition is painted by the processor here.
 */
export async function openChromium(
  size = { width: 1440, height: 900 },
  reducedMotion: 'reduce' | 'no-preference' = 'reduce',
): Promise<Chromium> {
  const browser = await runningChromium()
  const context = await browser.newContext({ viewport: size, colorScheme: 'dark', reducedMotion })
  // A busy machine is no fault.
  context.setDefaultTimeout(patientMs(60_000))
  return {
    context,
    page: await context.newPage(),
    async close() {
      await context.close()
      // A bench ends once nothing is open; the next test file of this process continues with the same Chromium.
      if (!process.env.VITEST && browser.contexts().length === 0) await browser.close()
    },
  }
}

/**
 * Opens the console at `path` for a user whose password core has accepted, in a browser without a sign-in before. What the
 * page does until then is tested where users sign in by hand.
 */
export async function signInOnPage(
  page: Page,
  url: string,
  username: string,
  password: string,
  path = '/',
): Promise<void> {
  await forgetPerson(page)
  const reply = await page.context().request.post(`${url}/login`, {
    headers: { accept: 'application/json', 'application-id': 'stage' },
    data: { username, password },
  })
  const cookies = await page.context().cookies(url)
  if (!cookies.some(({ name }) => name === SIGN_IN_COOKIE))
    throw new Error(`sign-in of ${username} was refused: ${reply.status()} ${await reply.text()}`)
  await page.goto(url + path)
}

/** Signs in on the page as a user does, in a browser without a sign-in. */
export async function signInByHand(
  page: Page,
  url: string,
  username: string,
  password: string,
): Promise<void> {
  await givePasswordOnPage(page, url, username, password)
  await page.waitForURL((address) => !address.pathname.startsWith('/login'))
}

/**
 * Removes the sign-in from the browser. The page is left first: an open console would go to the
 * login page by itself as soon as its cookies are gone, across any page that the test opens next. A page of the same site keeps
 * the process, with what it has compiled: the next load takes half the processor time.
 */
export async function forgetPerson(page: Page): Promise<void> {
  const { protocol, origin } = new URL(page.url())
  // Where core has ended since, the page of the browser about it is none of the console's either.
  if (protocol === 'http:')
    await page.goto(`${origin}/healthz`).catch(() => page.waitForURL(/^chrome-error:/))
  await page.context().clearCookies()
}

/** The first step of a sign-in; for users with a second factor it is not the last. */
export async function givePasswordOnPage(
  page: Page,
  url: string,
  username: string,
  password: string,
): Promise<void> {
  await forgetPerson(page)
  await page.goto(`${url}/login`)
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** From 0, which no user can see, to 1. */
export async function opacityOf(target: ReturnType<Page['locator']>): Promise<number> {
  return await target.evaluate((element) => {
    const page = globalThis as unknown as { getComputedStyle(of: unknown): { opacity: string } }
    return Number(page.getComputedStyle(element).opacity)
  })
}

/** The tooltip under a resting pointer; undefined when none appears soon. */
export async function tipOf(target: ReturnType<Page['locator']>): Promise<string | undefined> {
  const page = target.page()
  // A pointer that is there already does not enter, and an element that is drawn again under it has no tooltip.
  await page.mouse.move(0, 0)
  await target.hover()
  const tip = page.getByRole('tooltip')
  return (await tip.textContent({ timeout: 3000 }).catch(() => null)) ?? undefined
}

interface Axe {
  run(
    context: unknown,
    options: {
      runOnly: readonly string[]
      rules?: { 'color-contrast': { enabled: false } }
      resultTypes: readonly ['violations']
      preload: false
      iframes: false
      selectors: false
    },
  ): Promise<{
    violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[]
  }>
}

/** The little of a page's own types that is needed here. */
interface Root {
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  ownerDocument: Scope & {
    getAnimations(): { finish(): void; constructor: { name: string } }[]
    defaultView: { getComputedStyle(of: Piece): Record<Look, string> }
  }
}
type Look = 'color' | 'fontSize' | 'fontWeight' | 'backgroundColor' | 'backgroundImage' | 'opacity'
interface Scope {
  querySelectorAll(selector: string): Iterable<Piece>
}
interface Piece extends Scope {
  parentElement: Piece | null
  childNodes: Iterable<{ nodeType: number; textContent: string | null }>
  matches(selector: string): boolean
}

/** Colours of texts and of what is behind them, in both themes, whose contrast this process has judged. */
const judged = new Set<string>()

/**
 * Violations of WCAG 2.2 A and AA, one line each, in the dialog that is open, or else on the page as it is now; the
 * contrast in both themes, once for each combination of colours. Findings are checked a second time: a dialog that was
 * opening is complete by then, and a real violation is still there.
 */
export async function violations(page: Page): Promise<string[]> {
  const found = await violationsOf(page)
  if (found.length === 0) return found
  await pause(500)
  return await violationsOf(page)
}

async function violationsOf(page: Page): Promise<string[]> {
  // The page's content security policy forbids inline scripts; the driver's evaluation is not bound by it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  const { found, seen } = await page.locator('html').evaluate(look, [...judged])
  if (found.length === 0) for (const colours of seen) judged.add(colours)
  return found
}

/** Runs in the page: what is wrong, and which colours were seen. */
async function look(html: unknown, judged: readonly string[]): Promise<{ found: string[]; seen: string[] }> {
  const { axe } = globalThis as unknown as { axe: Axe }
  const root = html as Root
  const document = root.ownerDocument
  const scheme = 'data-mantine-color-scheme'
  const shown = root.getAttribute(scheme) ?? ''
  // The page behind a dialog is judged without it.
  const context = [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document
  const linesOf = async (within: unknown, runOnly: readonly string[], more: object = {}) => {
    const quick = { resultTypes: ['violations'], preload: false, iframes: false, selectors: false } as const
    return (await axe.run(within, { ...quick, runOnly, ...more })).violations.map(
      ({ id, help, nodes }) =>
        `${root.getAttribute(scheme)}: ${id}: ${help}: ${nodes
          .map(({ html, failureSummary }) => `${html.slice(0, 300)} ${failureSummary}`)
          .join(' ')
          .slice(0, 900)}`,
    )
  }
  function show(theme: string): void {
    if (root.getAttribute(scheme) !== theme) root.setAttribute(scheme, theme)
    // Colours in transition would be judged at an intermediate value.
    for (const animation of document.getAnimations())
      if (animation.constructor.name === 'CSSTransition') animation.finish()
  }

  const hasText = ({ nodeType, textContent }: { nodeType: number; textContent: string | null }) =>
    nodeType === 3 && textContent?.trim()
  const texts = [...context.querySelectorAll('*')].filter(
    (piece) => piece.matches('input, select, textarea') || [...piece.childNodes].some(hasText),
  )
  function coloursNow(): string[] {
    const behind = new Map<Piece | null, string>([[null, '']])
    const groundOf = (piece: Piece | null): string => {
      const known = behind.get(piece)
      if (known !== undefined || piece === null) return known ?? ''
      const { backgroundColor, backgroundImage, opacity } = document.defaultView.getComputedStyle(piece)
      const own = `${backgroundColor} ${backgroundImage} ${opacity}`
      const isNothing = own === 'rgba(0, 0, 0, 0) none 1'
      const ground = `${isNothing ? '' : `${own} / `}${groundOf(piece.parentElement)}`
      behind.set(piece, ground)
      return ground
    }
    return texts.map((text) => {
      const { color, fontSize, fontWeight } = document.defaultView.getComputedStyle(text)
      return `${color} ${fontSize} ${fontWeight} on ${groundOf(text)}`
    })
  }

  const themes = [shown, shown === 'dark' ? 'light' : 'dark']
  const ofThemes = new Map<string, string[]>()
  for (const theme of themes) {
    show(theme)
    ofThemes.set(theme, coloursNow())
  }
  const known = new Set(judged)
  const fresh = new Map<string, Piece>()
  for (const [at, text] of texts.entries()) {
    const colours = `${ofThemes.get('dark')?.[at]}; ${ofThemes.get('light')?.[at]}`
    if (!known.has(colours) && !fresh.has(colours)) fresh.set(colours, text)
  }
  const found: string[] = []
  for (const theme of fresh.size > 0 ? themes.toReversed() : []) {
    show(theme)
    found.push(...(await linesOf({ include: [...fresh.values()] }, ['color-contrast'])))
  }
  show(shown)
  const all = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  found.push(...(await linesOf(context, all, { rules: { 'color-contrast': { enabled: false } } })))
  return { found, seen: [...fresh.keys()] }
}
