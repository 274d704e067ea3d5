// The restrictions of a page by the headers of core, in a real browser. That no screen violates them is tested with its address.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium } from '../stage/browser.ts'
import { violated, watchPolicy } from '../stage/policy.ts'
import { openStage, type Stage } from '../stage/stage.ts'

/** The little of a page's own types that is needed here. */
interface Scene {
  ran?: boolean
  document: {
    body: { append(node: unknown): void }
    createElement(name: string): Record<string, unknown>
  }
}

describe.runIf(hasChromium)('the headers of core in a browser', () => {
  let stage: Stage
  let chromium: Chromium
  let foreign: { url: string; requests: { path: string; headers: IncomingHttpHeaders }[]; close(): void }

  beforeAll(async () => {
    stage = await openStage({ demo: 1 })
    foreign = await openForeignSite()
    chromium = await openChromium()
    await watchPolicy(chromium.page)
  })
  afterAll(async () => {
    foreign?.close()
    await chromium?.close()
    await stage?.stop()
  })

  /** Another origin, which records its requests. */
  async function openForeignSite() {
    const requests: { path: string; headers: IncomingHttpHeaders }[] = []
    const server = createServer((request, response) => {
      requests.push({ path: request.url ?? '', headers: request.headers })
      response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' })
      response.end(`<!doctype html><title>foreign</title><iframe src="${stage.url}/login"></iframe>`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { url, requests, close: () => server.close() }
  }

  test('an inline script, a foreign script, frame, picture and call are blocked', async () => {
    const { page } = chromium
    await page.goto(`${stage.url}/login`)
    await page.getByLabel('User name').waitFor()
    expect(await violated(page)).toEqual([])
    const called = await page.evaluate(async (url) => {
      const { document } = globalThis as unknown as Scene
      const add = (name: string, fields: Record<string, string>) =>
        document.body.append(Object.assign(document.createElement(name), fields))
      add('script', { textContent: 'globalThis.ran = true' })
      add('script', { src: `${url}/script.js` })
      add('iframe', { src: `${url}/frame` })
      add('img', { src: `${url}/picture.png` })
      return await fetch(`${url}/call`).then(
        () => 'answered',
        () => 'blocked',
      )
    }, foreign.url)
    expect(called).toBe('blocked')
    await expect.poll(async () => (await violated(page)).length).toBe(5)
    expect((await violated(page)).toSorted()).toEqual([
      `connect-src ${foreign.url}/call`,
      `frame-src ${foreign.url}`,
      `img-src ${foreign.url}/picture.png`,
      `script-src-elem ${foreign.url}/script.js`,
      'script-src-elem inline',
    ])
    expect(await page.evaluate(() => (globalThis as unknown as Scene).ran)).toBeUndefined()
    expect(foreign.requests).toEqual([])
  })

  test('no other site shows the console in a frame', async () => {
    const { page } = chromium
    const refused: string[] = []
    page.on('console', (message) => refused.push(message.text()))
    await page.goto(`${foreign.url}/around`)
    await expect.poll(() => refused.some((text) => /frame-ancestors|X-Frame-Options/i.test(text))).toBe(true)
    expect(await page.frameLocator('iframe').getByLabel('User name').count()).toBe(0)
  })

  test('another site does not get a referrer', async () => {
    const { page } = chromium
    await page.goto(`${stage.url}/login?next=%2Funit%2Fsecret`)
    await page.evaluate((url) => {
      const { document } = globalThis as unknown as Scene
      const link = document.createElement('a') as { href?: string; click?: () => void }
      link.href = `${url}/linked`
      link.click?.()
    }, foreign.url)
    await page.waitForURL(`${foreign.url}/linked`)
    expect(foreign.requests.find(({ path }) => path === '/linked')?.headers.referer).toBeUndefined()
  })

  test('a browser is bound to TLS by an answer that came through TLS, and by no other', async () => {
    const securityOf = async (headers: Record<string, string>) =>
      (await fetch(`${stage.url}/login`, { headers })).headers.get('strict-transport-security')
    expect(await securityOf({})).toBeNull()
    expect(await securityOf({ 'x-forwarded-proto': 'https' })).toBe('max-age=31536000')
  })
})
