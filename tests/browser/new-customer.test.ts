// From an empty installation to a working customer: which users make which others, and what each of them sees.
import { api } from '@backhaul/contract/api/api'
import { roleOfUserType, type UserType } from '@backhaul/contract/define/roles'
import { patientMs } from '@backhaul/runtime/testing/until'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'

const setupCode = 'Open-sesame-12'
const password = 'Correct-horse-7'

const watch = ['Units', 'Multiview', 'Map', 'Files', 'Story list']
/** For users who may send files of units. */
const watchAndSend = ['Units', 'Multiview', 'File upload', 'Map', 'Files', 'Story list']
const system = [
  'Client applications',
  'Modem vendors',
  'IFB servers',
  'System entities',
  'System settings',
  'Remote actions',
  'Access approvals',
  "What's new",
  'Batch upgrade',
  'System messages',
  'AI settings',
  'Customer services',
]
const people = ['Devices', 'Users', 'Groups']
const settings = [
  'Channels',
  'Video Return',
  'My Graphics',
  'File targets',
  'Usage profiles',
  'Software versions',
  'Audio Connect',
  'Outbox',
  'API keys',
  'Audit log',
]
const manage = [...people, ...settings]
/** For users who may share (RO-PERM-19, -20). */
const manageShares = [...people, 'Publishers', 'Subscribers', ...settings]

interface Console {
  /** The page of a first sign-in. */
  path: string
  /** The heading of a page without a menu. */
  heading?: string
  /** All items of the menu, from top to bottom. */
  menu: string[]
}

const forbidden: Console = {
  path: '/unauthorized_user',
  heading: 'You are not allowed to access this application',
  menu: [],
}
const operatorConsole: Console = { path: '/unit/list', menu: watch }
const remoteConsole: Console = { path: '/unit/list', menu: [...watchAndSend, ...manage, 'Remote actions'] }

/** The console of each user type, by appendix C of the decisions. */
const consoles: Readonly<Record<UserType, Console>> = {
  superuser: { path: '/unit/list', menu: [...watchAndSend, ...manageShares, ...system] },
  'media group admin': { path: '/unit/list', menu: [...watchAndSend, ...manageShares] },
  admin: {
    path: '/unit/list',
    menu: [...watchAndSend, ...manage, 'Inventory services', 'Licence activation', 'Usage reports'],
  },
  contractor: { ...remoteConsole, menu: [...remoteConsole.menu, 'Entities manager'] },
  partner: remoteConsole,
  regular: operatorConsole,
  'read only': operatorConsole,
  application: forbidden,
  curator: forbidden,
  multipoint: forbidden,
  'unit control': forbidden,
  freelancer: forbidden,
  ingest: forbidden,
  'video return viewer': { path: '/unauthorized_user', heading: 'Video return only', menu: [] },
  studio: { path: '/easy_live', menu: [] },
}

/** User types that an administrator of a customer may make; the others hold rights that the administrator does not have. */
const givenByAdmin: readonly UserType[] = [
  'admin',
  'regular',
  'read only',
  'application',
  'curator',
  'multipoint',
  'unit control',
  'video return viewer',
  'freelancer',
  'studio',
  'ingest',
]
const givenBySuperUser = Object.keys(consoles).filter(
  (type) => !givenByAdmin.includes(type as UserType),
) as UserType[]

const usernameOf = (type: UserType) => `a.${type.replaceAll(' ', '-')}`

describe.runIf(hasChromium)('a new customer, from an empty installation', () => {
  let stage: Stage
  let chromium: Chromium
  let page: Page
  let unit: StageDevice | undefined
  let server: StageDevice | undefined

  const begin = async () => {
    stage = await openStage({
      env: { BACKHAUL_ADMIN_PASSWORD: undefined, BACKHAUL_SETUP_CODE: setupCode },
    })
    chromium = await openChromium()
    page = chromium.page
  }
  const end = async () => {
    unit?.close()
    server?.close()
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(begin)
  afterAll(end)

  const row = (text: string) => page.locator('[data-row-id]', { hasText: text })
  const dialog = () => page.getByRole('dialog')
  const ok = () => dialog().getByRole('button', { name: 'OK', exact: true }).click()
  const menu = () => page.getByRole('navigation', { name: 'Main menu' }).getByRole('link')
  const open = (item: string) =>
    menu()
      .and(page.getByRole('link', { name: item, exact: true }))
      .click()
  const enter = async (username: string) => {
    await signInOnPage(page, stage.url, username, password)
  }
  /** Fills the open form's choice of several with one of them. */
  const choose = async (label: string, option: string) => {
    await dialog().getByRole('combobox', { name: label }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
    await page.keyboard.press('Escape')
  }
  /** `moving`: from the first inventory, in which a super user works, to the new customer. */
  const make = async (type: UserType, { moving = false, group = '' }) => {
    await page.getByRole('button', { name: 'New user' }).click()
    // Required fields have an asterisk.
    const field = (name: string) => dialog().getByLabel(new RegExp(`^${name}( \\*)?$`))
    await field('User name').fill(usernameOf(type))
    await field('First name').fill('Alex')
    await field('Last name').fill(`${type[0]?.toUpperCase()}${type.slice(1)}`)
    await field('User type').selectOption(type)
    if (moving) for (const name of ['Home', 'Nordic News']) await choose('Inventories', name)
    if (group) await choose('Groups', group)
    await field('New password').fill(password)
    await field('New password again').fill(password)
    await ok()
    await dialog().waitFor({ state: 'detached' })
    await row(usernameOf(type)).waitFor()
  }

  const steps: { title: string }[] = []
  const done = new Set<string>()
  /** After a failed step, dependent ones fail immediately instead of waiting. */
  const demand = (before: readonly { title: string }[]) => {
    const missing = before.filter(({ title }) => !done.has(title))
    if (missing.length > 0) throw new Error(`failed before: ${missing.map(({ title }) => title).join(', ')}`)
  }
  const step = (title: string, take: () => Promise<void>) => {
    const before = [...steps]
    steps.push({ title })
    test(title, { timeout: patientMs(300_000) }, async () => {
      demand(before)
      await take()
      done.add(title)
    })
  }

  step('the first super user makes a customer and its administrator', async () => {
    await page.goto(`${stage.url}/first_run#${setupCode}`)
    const field = (name: string) => page.getByLabel(name, { exact: true })
    await field('User name').fill('ada')
    await field('First name').fill('Ada')
    await field('Last name').fill('First')
    await field('Password').fill(password)
    await field('Password again').fill(password)
    await page.getByRole('button', { name: 'Make super user' }).click()
    await open('System entities')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'New inventory' }).first().click()
    await dialog().getByLabel('Name').fill('Nordic News')
    await ok()
    await row('Nordic News').waitFor()
    await open('Users')
    await make('admin', { moving: true })
  })

  step('the administrator makes a group, and users of every type that they may give', async () => {
    await enter(usernameOf('admin'))
    await page.waitForURL('**/unit/list')
    expect(await violations(page)).toEqual([])
    await open('Groups')
    await page.getByRole('button', { name: 'New group' }).first().click()
    await dialog().getByLabel('Name').fill('Oslo-News')
    await ok()
    await row('Oslo-News').waitFor()
    await open('Users')
    await page.getByRole('button', { name: 'New user' }).click()
    const offered = dialog().getByLabel('User type').locator('option')
    await expect
      .poll(async () => (await offered.allTextContents()).toSorted())
      .toEqual(givenByAdmin.toSorted())
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    for (const type of givenByAdmin) if (type !== 'admin') await make(type, { group: 'Oslo-News' })
  })

  step('the administrator invites a unit by link, and it joins', async () => {
    await open('Groups')
    await row('Oslo-News').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Invite a unit' }).click()
    await dialog().getByRole('button', { name: 'Make link' }).click()
    const made = dialog().getByLabel('Link', { exact: true })
    await expect.poll(() => made.inputValue()).toContain('/join')
    const link = await made.inputValue()
    const guest = await openChromium()
    try {
      await guest.page.goto(link)
      await guest.page.getByRole('heading', { name: 'Join Oslo-News' }).waitFor()
      const shown = guest.page.locator('[data-pairing-code]')
      await expect.poll(() => shown.textContent()).toBeTruthy()
      const code = (await shown.textContent()) ?? ''
      unit = await joinDevice(stage, { name: 'Oslo-Van', groupId: '', registrationKey: code })
    } finally {
      await guest.close()
    }
    await page.keyboard.press('Escape')
    await open('Units')
    await row('Oslo-Van').waitFor()
  })

  step('the empty channel picker leads to channels lent by another customer', async () => {
    server = await joinDevice(stage, {
      kind: 'server',
      name: 'MCR-Home',
      groupId: 'newsroom',
      slots: [
        { slot: '1', name: 'Home-1', inputType: null, output: true },
        { slot: '2', name: 'Home-2', inputType: null, output: true },
      ],
    })
    // The administrator of the new customer has no other customer to lend from, and sees what to do.
    await open('Units')
    await row('Oslo-Van').click()
    const picker = page.getByLabel('Channel', { exact: true })
    await picker.click()
    await page.getByText('This group has no channels').waitFor()
    await page.getByRole('button', { name: 'Add channels to the group' }).click()
    await dialog().getByText('This customer has no channels yet').waitFor()
    expect(await dialog().getByRole('button', { name: /^Lend/ }).count()).toBe(0)
    expect(await violations(page)).toEqual([])
    await dialog().getByRole('button', { name: 'Cancel' }).click()

    await enter('ada')
    await open('Groups')
    await page.getByRole('button', { name: 'New group' }).first().waitFor()
    await row('Oslo-News').dblclick()
    await dialog()
      .getByRole('tab', { name: /^Channels/ })
      .click()
    await dialog().getByRole('button', { name: 'Lend channels to Nordic News' }).click()
    const lending = page.getByRole('dialog', { name: 'Lend channels to a customer' })
    await lending.getByRole('button', { name: 'Lend', exact: true }).click()
    await lending.getByText('Choose at least one channel').waitFor()
    await lending.getByRole('checkbox', { name: /^Home-1/ }).click()
    expect(await violations(page)).toEqual([])
    await lending.getByRole('button', { name: 'Lend', exact: true }).click()
    await lending.waitFor({ state: 'detached' })
    await dialog()
      .getByRole('checkbox', { name: /^Home-1/ })
      .click()
    await ok()
    await dialog().waitFor({ state: 'detached' })
    // A second one by the screen of channels, into the group at once.
    await open('Channels')
    await page.getByRole('button', { name: 'Lend channels', exact: true }).click()
    await lending.getByLabel('Customer', { exact: true }).click()
    await page.getByRole('option', { name: 'Nordic News', exact: true }).click()
    await lending.getByRole('checkbox', { name: /^Home-2/ }).click()
    await expect.poll(() => lending.getByLabel('Add to group').inputValue()).toBe('Oslo-News')
    await lending.getByRole('button', { name: 'Lend', exact: true }).click()
    await lending.waitFor({ state: 'detached' })

    await enter(usernameOf('admin'))
    await open('Units')
    await row('Oslo-Van').click()
    await picker.click()
    await page.getByRole('option', { name: /^Home-2/ }).waitFor()
    await page.getByRole('option', { name: /^Home-1/ }).click()
    const chosen = await unit?.received('wanted', ({ state }) => state.channelId !== null)
    unit?.report({ channelId: chosen?.state.channelId ?? null })
    await expect.poll(() => picker.inputValue()).toBe('Home-1')
  })

  step('the super user makes those who hold more than an administrator', async () => {
    await enter('ada')
    await open('Users')
    for (const type of givenBySuperUser) await make(type, { moving: true, group: 'Oslo-News' })
  })

  test.for(Object.entries(consoles) as [UserType, Console][])(
    '[SHELL-009] [SHELL-035] %s finds exactly their console',
    async ([type, { path, heading, menu: items }]) => {
      demand(steps)
      await enter(usernameOf(type))
      await page.waitForURL((url) => url.pathname === path)
      if (heading) await page.getByRole('heading', { name: heading, exact: true }).waitFor()
      else await page.getByText('Oslo-Van').first().waitFor()
      await expect.poll(() => menu().allTextContents()).toEqual(items)
      expect(await violations(page)).toEqual([])
      const person = await signIn(stage.url, usernameOf(type), password)
      const { loggedUserRoles } = await person.call(api.client.configuration, {})
      expect(loggedUserRoles).toEqual([roleOfUserType[type]])
    },
  )
})
