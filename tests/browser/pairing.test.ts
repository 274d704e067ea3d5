// A new machine joins a group by the code that an operator reads in the console.
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { FromCore } from '@backhaul/contract/gateway/gateway'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { type Demo, openDemo } from '../stage/demo.ts'
import { adminPassword, openStage } from '../stage/stage.ts'
import { pause, until } from '../stage/until.ts'

describe.runIf(hasChromium)('adding a unit', () => {
  let demo: Demo
  let chromium: Chromium
  let page: Page
  const sockets: WebSocket[] = []

  beforeAll(async () => {
    demo = await openDemo(40)
    chromium = await openChromium()
    page = chromium.page
  })
  afterAll(async () => {
    for (const socket of sockets) socket.terminate()
    await chromium?.close()
    await demo?.stop()
  })

  /** The answer of the gateway to a new machine with this key. */
  async function register(gateway: string, registrationKey: string, name: string): Promise<FromCore> {
    const socket = new WebSocket(gateway, { perMessageDeflate: false })
    sockets.push(socket)
    const identity = { product: 'LU-600', serialNumber: `PAIR-${name}`, name, swVersion: '7.3.0' }
    socket.on('open', () =>
      socket.send(
        JSON.stringify({ type: 'register', protocol: 1, kind: 'unit', ...identity, registrationKey }),
      ),
    )
    const text = await new Promise<string>((resolve, reject) =>
      socket.once('message', (bytes) => resolve(String(bytes))).once('error', reject),
    )
    return JSON.parse(text) as FromCore
  }

  const dialog = () => page.getByRole('dialog', { name: 'Add a unit to London-News' })
  const codeShown = async () => (await dialog().locator('[data-pairing-code]').textContent()) ?? ''

  test('the code of the dialog brings one machine into the list, and no second one', async () => {
    await signInOnPage(page, demo.url, 'operator', DEMO_PASSWORD)
    await page.locator('[data-row-id]').first().waitFor()
    await page.getByRole('button', { name: 'Add a unit' }).click()
    await dialog()
      .getByText(/^1[45]:\d\d left$/)
      .waitFor()
    await expect.poll(codeShown).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)
    const code = await codeShown()
    const gateway = `${demo.url.replace(/^http/, 'ws')}/gateway`
    const command = `BACKHAUL_CORE_URL=${gateway} BACKHAUL_REGISTRATION_KEY=${code} npm run agent`
    await dialog().getByText(command, { exact: true }).waitFor()
    await pause(300)
    expect(await violations(page)).toEqual([])

    expect(await register(gateway, code.toLowerCase(), 'NEW-HERE')).toMatchObject({ type: 'registered' })
    expect(await register(gateway, code, 'TOO-LATE')).toMatchObject({
      type: 'refused',
      message: 'registrationKey: This pairing code has already been used.',
    })
    await dialog().getByRole('button', { name: 'New code' }).click()
    await until('another code', async () => ![code, ''].includes(await codeShown()))
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })

    await page.getByRole('searchbox', { name: 'Search units' }).fill('NEW-HERE')
    await page.locator('[data-row-id]', { hasText: 'NEW-HERE' }).waitFor()
    expect((await demo.units()).map(({ name }) => name)).not.toContain('TOO-LATE')
  })

  test('a group without units offers it where the list would be', async () => {
    const empty = await openStage()
    try {
      await signInOnPage(page, empty.url, 'admin', adminPassword)
      const state = page.locator('[data-grid-state]', { hasText: 'No units in this group' })
      await state.getByRole('button', { name: 'Add a unit' }).click()
      await page
        .getByRole('dialog', { name: 'Add a unit to Newsroom' })
        .getByText(/ left$/)
        .waitFor()
      await page.keyboard.press('Escape')
      await pause(300)
      expect(await violations(page)).toEqual([])
    } finally {
      await empty.stop()
    }
  })

  test('it is not offered to read-only users', async () => {
    await signInOnPage(page, demo.url, 'viewer', DEMO_PASSWORD)
    await page.locator('[data-row-id]').first().waitFor()
    expect(await page.getByRole('button', { name: 'Add a unit' }).count()).toBe(0)
  })
})
