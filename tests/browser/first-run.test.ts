// A new installation without users: the holder of the setup code becomes its first super user in the console.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Chromium,
  forgetPerson,
  hasChromium,
  openChromium,
  signInByHand,
  violations,
} from '../stage/browser.ts'
import { openStage, type Stage } from '../stage/stage.ts'

const setupCode = 'Open-sesame-12'

describe.runIf(hasChromium)('the first run', () => {
  let stage: Stage
  let chromium: Chromium

  const open = async () => {
    stage = await openStage({
      env: { BACKHAUL_ADMIN_PASSWORD: undefined, BACKHAUL_SETUP_CODE: setupCode },
    })
    chromium = await openChromium()
  }
  const close = async () => {
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  test('leads from any address to the page that makes the first super user, who is then signed in', async () => {
    const { page } = chromium
    const field = (name: string) => page.getByLabel(name, { exact: true })
    await page.goto(`${stage.url}/unit/list`)
    await page.waitForURL('**/first_run')
    // The page is open in this tab already and is not loaded again.
    await page.goto(`${stage.url}/first_run#${setupCode}`)
    await field('User name').fill('ada')
    await field('Last name').fill('First')
    await field('Password').fill('Correct-horse-7')
    await field('Password again').fill('Correct-horse-8')
    await expect.poll(() => field('Setup code').inputValue()).toBe(setupCode)
    await field('Setup code').fill('guess')
    const make = page.getByRole('button', { name: 'Make super user' })
    await make.click()
    await page.getByText('Password and confirmation must match.').waitFor()
    await field('Password again').fill('Correct-horse-7')
    await make.click()
    await page.getByText('This field is required').waitFor()
    expect(await page.getByText('First name must start uppercase.').count()).toBe(0)
    await field('First name').fill('ada')
    await make.click()
    await page.getByText('First name must start uppercase.').waitFor()
    await field('First name').fill('Ada')
    await make.click()
    await page.getByText('Wrong setup code.').waitFor()
    expect(await violations(page)).toEqual([])
    await field('Setup code').fill(setupCode)
    await make.click()
    await page.getByRole('button', { name: /menu of Ada First/ }).waitFor()

    await forgetPerson(page)
    await page.goto(`${stage.url}/first_run`)
    await page.waitForURL('**/login')
    await signInByHand(page, stage.url, 'ada', 'Correct-horse-7')
  })
})
