// An administrator invites units; the link shows the code without a sign-in, and a unit joins with it.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api } from '@backhaul/contract/api/api'
import { english } from '@backhaul/contract/define/refusals'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

describe.runIf(hasChromium)('invitations', () => {
  let stage: Stage
  let chromium: Chromium
  let chief: Person
  const units: StageDevice[] = []
  const sms: { to: string; text: string }[] = []
  const gateway = createServer(async (request, response) => {
    let text = ''
    for await (const bytes of request) text += bytes
    sms.push(JSON.parse(text))
    response.end()
  })

  beforeAll(() => new Promise<void>((listening) => gateway.listen(0, '127.0.0.1', listening)))
  afterAll(() => void gateway.close())

  const open = async () => {
    const { port } = gateway.address() as AddressInfo
    stage = await openStage({ demo: 1, env: { BACKHAUL_SMS_URL: `http://127.0.0.1:${port}/` } })
    chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    await chief.call(api.client.savePreferences, { body: { groupId: 'london-news' } })
    chromium = await openChromium()
    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD)
  }
  const close = async () => {
    for (const unit of units.splice(0)) unit.close()
    await chromium?.close()
    await stage?.stop()
    sms.length = 0
  }
  beforeAll(open)
  afterAll(close)
  beforeEach(async () => {
    await page().goto(`${stage.url}/manage/groups?ignoreRouteDefault=1`)
  })

  const page = () => chromium.page
  const dialog = () => page().getByRole('dialog')
  const openDialog = async () => {
    await page().locator('[data-row-id]', { hasText: 'London-News' }).click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Invite a unit' }).click()
    await dialog().getByText('Invite a unit to London-News').waitFor()
  }
  const code = () => page().locator('[data-pairing-code]')
  const join = async (name: string, registrationKey: string) => {
    units.push(await joinDevice(stage, { name, groupId: 'london-news', registrationKey }))
    const listed = await chief.call(api.units.ofGroup, { query: { group: 'london-news' } })
    expect(listed.map((unit) => unit.name)).toContain(name)
  }

  test('the link leads to the code without a sign-in, and shows when it was used', async () => {
    await openDialog()
    await dialog().getByRole('button', { name: 'Make link' }).click()
    const link = await dialog().getByLabel('Link', { exact: true }).inputValue()
    const made = (await code().textContent()) ?? ''
    expect(link).toBe(`${stage.url}/join#${made}`)
    await dialog()
      .getByRole('img', { name: /QR code/ })
      .waitFor()
    expect(await violations(page())).toEqual([])
    await page().keyboard.press('Escape')

    const guest = await openChromium()
    try {
      await guest.page.goto(link)
      await guest.page.getByRole('heading', { name: 'Join London-News' }).waitFor()
      expect(await guest.page.locator('[data-pairing-code]').textContent()).toBe(made)
      await guest.page.getByRole('img', { name: /QR code/ }).waitFor()
      expect(await violations(guest.page)).toEqual([])
      await join('Invited-1', made)
      await guest.page.reload()
      await guest.page.getByRole('heading', { name: 'Already used' }).waitFor()
      await guest.page.goto(`${stage.url}/join#2222-2222`)
      await guest.page.getByRole('heading', { name: 'No such invitation' }).waitFor()
      expect(await violations(guest.page)).toEqual([])
    } finally {
      await guest.close()
    }
  })

  test('[GROUP-004] a group has a key that is renewed on a schedule or immediately, and can stop inviting', async () => {
    const openJoining = async () => {
      await page().locator('[data-row-id]', { hasText: 'London-News' }).click({ button: 'right' })
      await page().getByRole('menuitem', { name: 'How units join' }).click()
      await dialog().getByLabel('Registration key').waitFor()
    }
    const key = () => dialog().getByLabel('Registration key').inputValue()
    const choose = async (label: string, option: string) => {
      await dialog().getByLabel(label, { exact: true }).click()
      await page().getByRole('option', { name: option }).click()
    }
    await openJoining()
    const before = await key()
    await choose('New key on schedule', 'Every week')
    await choose('Invitations', 'Off')
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'Create a new key' }).click()
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'Create a new key now' }).click()
    await until('the new key', async () => (await key()) !== before)
    const after = await key()
    await dialog().getByRole('button', { name: 'OK' }).click()
    await until('the dialog to close', async () => (await dialog().count()) === 0)
    await join('Keyed-1', after)

    await openDialog()
    await dialog().getByText('Invitations are off in this group.').waitFor()
    await page().keyboard.press('Escape')
    await openJoining()
    await dialog().getByText('Next key:').waitFor()
    await choose('Invitations', 'E-mail')
    await dialog().getByRole('button', { name: 'OK' }).click()
    await until('the dialog to close', async () => (await dialog().count()) === 0)
    await openDialog()
    await dialog().getByRole('button', { name: 'Send e-mail' }).waitFor()
    await page().keyboard.press('Escape')
    const params = { currentGroup: 'london-news' }
    await chief.call(api.invitations.setAdhoc, { params, query: {}, body: { mode: 'link' } })
  })

  test('[SHELL-038] a number without a country is one of the country in the preferences', async () => {
    await chief.call(api.client.savePreferences, { body: { luSmartCountry: 'gbr' } })
    await page().reload()
    await openDialog()
    await dialog().getByText('SMS', { exact: true }).click()
    await dialog().getByText('A number without a country is one of +44').waitFor()
    await dialog().getByLabel('Phone number 1', { exact: true }).fill('07700 900003')
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'Send SMS' }).click()
    await until('the SMS to arrive', () => sms.length === 1)
    expect(sms.splice(0)[0]?.to).toBe('+447700900003')
    await chief.call(api.client.savePreferences, { body: { luSmartCountry: 'usa' } })
    await page().reload()
  })

  test('an invalid number of an SMS is refused, then the gateway gets a code', async () => {
    await openDialog()
    await dialog().getByText('SMS', { exact: true }).click()
    await dialog().getByLabel('Phone number 1', { exact: true }).fill('+44 7700 900001')
    await dialog().getByRole('button', { name: 'Another recipient' }).click()
    await dialog().getByLabel('Phone number 2', { exact: true }).fill('07700 900002')
    await dialog().getByRole('button', { name: 'Send SMS' }).click()
    await dialog().locator('[data-recipient]').nth(1).getByText(english('phone.invalid')).waitFor()
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'Remove Phone number 2' }).click()
    await dialog().getByRole('button', { name: 'Send SMS' }).click()
    await page().getByText('1 invitation sent').waitFor()
    await until('the SMS to arrive', () => sms.length === 1)
    expect(sms[0]?.to).toBe('+447700900001')
    await join('Invited-2', /code (\S+)/.exec(sms[0]?.text ?? '')?.[1] ?? '')
  })

  test('e-mail waits in the outbox while no mail server is configured, and the dialog shows it', async () => {
    await openDialog()
    await dialog().getByText('E-mail', { exact: true }).click()
    await dialog().getByRole('button', { name: 'Send e-mail' }).click()
    await dialog().getByText('This field is required').waitFor()
    await dialog().getByLabel('E-mail address 1').fill('crew@north.example')
    await dialog().getByLabel('Message').fill('See you at the gate.')
    await dialog().getByRole('button', { name: 'Send e-mail' }).click()
    await page().getByText('1 invitation waits in the outbox').waitFor()
    const { items } = await chief.call(api.outbox.list, { query: { search: 'crew@north' } })
    expect(items[0]?.text).toMatch(/^See you at the gate\.\n/)
    await page().getByRole('link', { name: 'Outbox' }).click()
    await page().getByText('No mail server is configured').waitFor()
    await page().locator('[data-row-id]', { hasText: 'crew@north.example' }).waitFor()
    expect(await violations(page())).toEqual([])
    await join('Invited-3', /Pairing code: (\S+)/.exec(items[0]?.text ?? '')?.[1] ?? '')
  })
})
