// Second factors of a sign-in in addition to the password: an authenticator app, a passkey, a recovery code.
import { createHmac } from 'node:crypto'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Chromium,
  givePasswordOnPage,
  hasChromium,
  openChromium,
  signInByHand,
  violations,
} from '../stage/browser.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { pause, until } from '../stage/until.ts'

const stepMs = 30_000

/** The user's app, written from RFC 6238 and RFC 4226 alone. */
function codeOfApp(secret: string, atMs: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(atMs / stepMs)))
  const hash = createHmac('sha1', key).update(step).digest()
  const number = hash.readUInt32BE((hash.at(-1) ?? 0) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

describe.runIf(hasChromium)('a second factor', () => {
  let stage: Stage
  let chromium: Chromium
  let page: Page
  let secret = ''
  /** The unused ones. */
  let recoveryCodes: string[] = []
  let usedStep = 0

  const open = async () => {
    secret = ''
    usedStep = 0
    stage = await openStage({ demo: 1 })
    chromium = await openChromium()
    page = chromium.page
    const devTools = await chromium.context.newCDPSession(page)
    await devTools.send('WebAuthn.enable')
    await devTools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        isUserVerified: true,
        hasUserVerification: true,
        hasResidentKey: true,
        automaticPresenceSimulation: true,
      },
    })
  }
  const close = async () => {
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  /** Passkeys belong to a name, never to an address of numbers. */
  const site = () => stage.url.replace('127.0.0.1', 'localhost')
  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
  const check = async () => {
    await pause(300)
    expect(await violations(page)).toEqual([])
  }
  const openOwn = async () => {
    await page.getByRole('button', { name: /menu of Olivia Hart/ }).click()
    await page.getByRole('menuitem', { name: 'Account' }).click()
    await page.getByRole('tab', { name: 'Two-step sign-in' }).click()
  }
  const givePassword = async () => {
    await page.getByLabel('Your password', { exact: true }).fill(DEMO_PASSWORD)
  }
  const givePasswordAtLogin = async () => {
    await givePasswordOnPage(page, site(), 'operator', DEMO_PASSWORD)
    await page.getByRole('heading', { name: 'One more step' }).waitFor()
  }
  /** The app's code of an unused half minute; it is accepted from the half minute before on. */
  const freshCode = async () => {
    const step = () => Math.floor(Date.now() / stepMs)
    usedStep = Math.max(usedStep + 1, step())
    await until('the time of the code', () => step() >= usedStep - 1, 2 * stepMs)
    return codeOfApp(secret, usedStep * stepMs)
  }
  const isIn = () => page.getByRole('button', { name: /menu of Olivia Hart/ }).waitFor()

  async function addApp(): Promise<void> {
    await signInByHand(page, site(), 'operator', DEMO_PASSWORD)
    await openOwn()
    await check()
    await press('Add authenticator app')
    await page.getByLabel('Your password', { exact: true }).fill('guess')
    await press('Continue')
    await page.getByText("Password doesn't match.").waitFor()
    await givePassword()
    await press('Continue')
    await page.getByRole('img', { name: 'QR code with the secret of the app' }).waitFor()
    secret = (await page.locator('code').textContent())?.replaceAll(' ', '') ?? ''
    await check()
    await page.getByLabel('Code of the app').fill('000000')
    await press('Confirm')
    await page.getByText('Wrong code.').waitFor()
    await page.getByLabel('Code of the app').fill(await freshCode())
    await press('Confirm')
    const codes = page.locator('[data-recovery-codes] li')
    await codes.nth(9).waitFor()
    recoveryCodes = await codes.allTextContents()
    await check()
    await press('I have saved them')
    await page.locator('[data-second-factor=totp]').waitFor()
    await page.getByText('10 left').waitFor()
    await check()
  }
  const appIsThere = async () => {
    if (secret === '') await addApp()
  }

  test('an authenticator app is added by the password and a first code, and brings recovery codes', addApp)

  test('the app’s code is required after the password, and completes the sign-in', async () => {
    await appIsThere()
    await givePasswordAtLogin()
    await check()
    await page.getByLabel('Code').fill('12345')
    await press('Sign in')
    await page.getByText('Enter the six digits that the app shows.').waitFor()
    await page.getByLabel('Code').fill('000000')
    await press('Sign in')
    await page.getByText('Wrong code.').waitFor()
    // The code that confirmed the app is not accepted again.
    await page.getByLabel('Code').fill(await freshCode())
    await press('Sign in')
    await isIn()
  })

  const giveRecoveryCode = async (code = '') => {
    await page.getByLabel('Recovery code').fill(code)
    await press('Sign in')
  }

  test('a recovery code is accepted once', async () => {
    await appIsThere()
    await givePasswordAtLogin()
    await press('Use a recovery code')
    await check()
    const code = recoveryCodes.shift()
    await giveRecoveryCode(code)
    await isIn()
    await givePasswordAtLogin()
    await press('Use a recovery code')
    await giveRecoveryCode(code)
    await page.getByText('Wrong code.').waitFor()
    await giveRecoveryCode(recoveryCodes.shift())
    await isIn()
  })

  test('a passkey is made in the browser and signs in by itself; without factors the password is enough', async () => {
    await appIsThere()
    await givePasswordAtLogin()
    await press('Use a recovery code')
    await giveRecoveryCode(recoveryCodes.shift())
    await isIn()
    await openOwn()
    await press('Add passkey')
    await page.getByLabel('Name', { exact: true }).fill('Laptop')
    await givePassword()
    await press('Continue')
    await page.locator('[data-second-factor=passkey]').waitFor()
    await press('Remove Authenticator app')
    await givePassword()
    await press('Remove')
    // The list is not shown while the password is entered.
    await page.locator('[data-second-factor=passkey]').waitFor()
    await page.locator('[data-second-factor=totp]').waitFor({ state: 'detached' })

    await givePasswordAtLogin()
    await check()
    await press('Use passkey')
    await isIn()
    await openOwn()
    await press('Remove Laptop')
    await givePassword()
    await press('Remove')
    await page.getByText('You sign in with your password alone.', { exact: false }).waitFor()
    await signInByHand(page, site(), 'operator', DEMO_PASSWORD)
    await isIn()
  })
})
