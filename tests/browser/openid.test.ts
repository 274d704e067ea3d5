// Signing in at a provider: the button on the login page, the provider's own page, the wanted page, and out again.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Program, startProgram } from '../../scripts/program.ts'
import {
  type Chromium,
  forgetPerson,
  hasChromium,
  openChromium,
  signInByHand,
  violations,
} from '../stage/browser.ts'
import { signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'

const ann = { preferred_username: 'ann', given_name: 'Ann', family_name: 'Editor', groups: ['editors'] }
const accounts = {
  'a-1': { ...ann, email: 'ann@home.example', email_verified: true },
  'b-1': { ...ann, preferred_username: 'bob', email: 'bob@home.example', email_verified: false },
  'c-1': { ...ann, preferred_username: 'cyd', email: 'cyd@home.example', email_verified: true, groups: [] },
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe.runIf(hasChromium)('signing in at a provider', () => {
  let provider: Program
  let stage: Stage
  let chromium: Chromium

  beforeAll(async () => {
    // The provider needs the address of core, and core that of the provider.
    const port = await freePort()
    provider = startProgram({
      name: 'provider',
      main: join(import.meta.dirname, '..', '..', 'apps', 'core', 'src', 'testing', 'openid-provider.ts'),
      args: [`http://127.0.0.1:${port}`, JSON.stringify(accounts)],
      env: process.env,
      onLine: () => {},
      onEnd: () => {},
    })
    const { url } = await provider.ready
    stage = await openStage({
      env: {
        BACKHAUL_PORT: String(port),
        BACKHAUL_OIDC_ISSUER: url,
        BACKHAUL_OIDC_CLIENT_ID: 'backhaul',
        BACKHAUL_OIDC_CLIENT_SECRET: 'a secret of the two alone',
        BACKHAUL_OIDC_NAME: 'the newsroom account',
        BACKHAUL_OIDC_CREATE: '1',
        BACKHAUL_OIDC_ROLE_CLAIM: 'groups',
        BACKHAUL_OIDC_ROLES: 'editors=admin',
        BACKHAUL_OIDC_CUSTOMERS: '*=home',
      },
    })
    chromium = await openChromium()
  })
  afterAll(async () => {
    await chromium?.close()
    await stage?.stop()
    await provider?.stop()
  })

  beforeEach(() => forgetPerson(chromium.page))

  const button = () => chromium.page.getByRole('link', { name: 'Sign in with the newsroom account' })
  async function signInAs(account: string) {
    const { page } = chromium
    await button().click()
    await page.getByLabel('Account').fill(account)
    await page.getByRole('button', { name: 'Continue' }).click()
  }

  test('[ACCESS-012] leads over the provider to the requested page as a user who changes only their consents here, and signs out of both', async () => {
    const { page } = chromium
    await page.goto(`${stage.url}/manage/groups`)
    await page.waitForURL('**/login?next=*')
    await button().waitFor()
    expect(await violations(page)).toEqual([])
    await signInAs('a-1')
    await page.waitForURL('**/manage/groups*')

    await page.getByRole('link', { name: 'Users' }).click()
    await page.locator('[data-row-id]', { hasText: 'ann@home.example' }).dblclick()
    const form = page.getByRole('dialog', { name: 'User ann' })
    await form.getByText('Managed by your IT administrator.').waitFor()
    await expect.poll(() => form.getByLabel('First name').isEditable()).toBe(false)
    expect(await form.getByRole('button', { name: 'OK' }).count()).toBe(0)
    await form.getByRole('button', { name: 'Cancel' }).click()
    const choose = async (name: string) => {
      await page.getByRole('button', { name: /menu of Ann Editor/ }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await choose('Account')
    const own = page.getByRole('dialog', { name: 'Account' })
    await own.getByText('What you agree to is your own decision.').waitFor()
    await own.getByLabel('Terms of use').check()
    expect(await own.getByLabel('First name').isEditable()).toBe(false)
    await own.getByRole('button', { name: 'OK', exact: true }).click()
    await page.getByText('Account saved').waitFor()
    await choose('Account')
    await own.getByText(/^Agreed on \d+ \w+ \d{4}$/).waitFor()
    expect(await violations(page)).toEqual([])
    await own.getByRole('button', { name: 'Cancel' }).click()
    await choose('Log out')
    await page.getByRole('button', { name: /sign me out/i }).click()
    await page.waitForURL('**/login')
    await button().click()
    await page.getByLabel('Account').waitFor()
  })

  test('refuses users whose account an administrator here has deactivated', async () => {
    const { page } = chromium
    const root = await signIn(stage.url, 'admin', adminPassword)
    const { items } = await root.call(api.users.list, { query: {} })
    const id = items.find(({ email }) => email === 'ann@home.example')?.id ?? ''
    await root.call(api.users.change, { params: { id }, body: { active: true } })
    await signInByHand(page, stage.url, 'admin', adminPassword)
    await page.getByRole('link', { name: 'Users' }).click()
    const row = page.locator('[data-row-id]', { hasText: 'ann@home.example' })
    const choose = async (name: string) => {
      await row.click({ button: 'right' })
      await page.getByRole('menuitem', { name }).click()
    }
    await choose('Close the account')
    expect(await violations(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click()
    await row.getByText('Closed').waitFor()
    await forgetPerson(page)
    await page.goto(`${stage.url}/login`)
    await signInAs('a-1')
    await page.getByText('Your account here is closed').waitFor()
    await signInByHand(page, stage.url, 'admin', adminPassword)
    await page.getByRole('link', { name: 'Users' }).click()
    await choose('Reopen the account')
    await page.getByRole('dialog').getByRole('button', { name: 'Reopen' }).click()
    await row.getByText('Active').waitFor()
  })

  test('shows the reason of a failure on the login page, and only limited access without a role', async () => {
    const { page } = chromium
    await page.goto(`${stage.url}/login`)
    await signInAs('b-1')
    await page.getByText('has not confirmed your e-mail address').waitFor()
    expect(await violations(page)).toEqual([])
    await forgetPerson(page)
    await page.goto(`${stage.url}/login`)
    await signInAs('c-1')
    await page.waitForURL('**/unauthorized_user')
  })
})
