// A share link of video return: made by an administrator, watched without a sign-in, the picture of a real hub, ended at once.
import { api } from '@backhaul/contract/api/api'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { patientMs } from '@backhaul/runtime/testing/until'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const longMs = patientMs(120_000)

/** The number of colours of the picture that the page shows; the page has no types here. */
const coloursOfPicture = `(() => {
  const canvas = document.createElement('canvas')
  canvas.width = 32
  canvas.height = 18
  const context = canvas.getContext('2d')
  context.drawImage(document.querySelector('video'), 0, 0, 32, 18)
  const { data } = context.getImageData(0, 0, 32, 18)
  const coarse = (at) => [0, 1, 2].map((part) => data[4 * at + part] >> 5).join()
  return new Set(Array.from({ length: 32 * 18 }, (_, at) => coarse(at))).size
})()`

describe.runIf(hasChromium && findFfmpeg())('a share link of video return in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  let person: Person
  let guests: BrowserContext
  let guest: Page
  beforeAll(async () => {
    stage = await openStage({ demo: 0 })
    const env = {
      BACKHAUL_HUB_NAME: 'Hub-1',
      BACKHAUL_HUB_CHANNELS: '1',
      BACKHAUL_HUB_RETURN_CHANNELS: '1',
      BACKHAUL_HUB_RETURN_INPUTS: 'test',
    }
    await stage.start('hub', { env })
    person = await signIn(stage.url, 'admin', adminPassword)
    chromium = await openChromium()
    guests = (await chromium.context.browser()?.newContext()) as BrowserContext
    guest = await guests.newPage()
  })
  afterAll(async () => {
    await guests?.close()
    await chromium?.close()
    await stage?.stop()
  })
  const page = () => chromium.page
  const dialog = () => page().getByRole('dialog')

  test('[VR-005] an administrator shares a feed, a guest watches it, and sees at once that it is ended', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-40).join('\n')))
    const channel = await until('the return channel with a picture', async () => {
      const { items } = await person.call(api.videoReturnAdministration.list, { query: {} })
      return items.find(({ status }) => status === 'videoReturnInputConnected')
    })
    const params = { id: channel.uniqueId }
    await signInOnPage(page(), stage.url, 'admin', adminPassword, '/manage/video_return?ignoreRouteDefault=1')
    await page().locator('[data-row-id]', { hasText: channel.name }).dblclick()
    await dialog().getByRole('tab', { name: 'Share links' }).click()
    await dialog().getByText('No share links yet.').waitFor()
    await dialog().getByRole('button', { name: 'Make link' }).click()
    await dialog().getByText('This field is required').waitFor()
    await dialog().getByLabel('Description').fill('Press office')
    await dialog().getByRole('button', { name: 'Make link' }).click()
    await dialog().getByText('Not yet open').waitFor()
    expect(await violations(page())).toEqual([])

    const [made] = await person.call(api.videoReturnLinks.list, { params })
    const linkId = made?.id ?? ''
    await guest.goto(made?.url.replace(/^https?:\/\/[^/]+/, stage.url) ?? '')
    await guest.getByText('The picture is shown from').waitFor()
    expect(await violations(guest)).toEqual([])
    // It opens two seconds from now instead of in a minute or two.
    await person.call(api.videoReturnLinks.change, {
      params: { ...params, linkId },
      body: { startsAt: new Date(Date.now() + 2000).toISOString() },
    })
    await guest.locator('[data-part="picture"][data-state="stream"]').waitFor({ timeout: longMs })
    const colours = () => guest.evaluate<number>(coloursOfPicture)
    await expect.poll(colours, { timeout: longMs }).toBeGreaterThan(4)
    expect(await violations(guest)).toEqual([])
    await dialog().getByText('1 watching').waitFor()
    expect((await guests.cookies()).filter(({ name }) => name.includes('sign'))).toEqual([])

    await dialog().getByRole('button', { name: 'End: Press office' }).click()
    await guest.getByText('This link has been ended').waitFor()
    expect(await guest.locator('video').count()).toBe(0)
    expect(await violations(guest)).toEqual([])
    await dialog().getByRole('button', { name: 'Open again: Press office' }).click()
    await guest.locator('[data-part="picture"][data-state="stream"]').waitFor({ timeout: longMs })
    await dialog().getByRole('button', { name: 'Delete: Press office' }).click()
    await guest.getByText('This link has been ended').waitFor()
    await guest.reload()
    await guest.getByText('Link not found.').waitFor()
    const token = made?.url.split('#')[1] ?? ''
    expect(token).toMatch(/^[\w-]{32}$/)
    expect(stage.lines.filter((line) => line.includes(token))).toEqual([])
  })
})
