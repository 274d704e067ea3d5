// Unit and licence activation in the browser: permitted users, the message to others, and the licences of the unit afterwards.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'

const inventory = { id: 'north-atlantic' }

describe.runIf(hasChromium)('licence activation in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  let root: Person
  let unit: StageDevice
  const open = async () => {
    stage = await openStage({ demo: 1 })
    root = await signIn(stage.url, 'admin', adminPassword)
    unit = await joinDevice(stage, { name: 'Activation-Van', groupId: 'london-news' })
    chromium = await openChromium()
  }
  const close = async () => {
    unit?.close()
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const page = () => chromium.page
  const row = (words: string) => page().locator('[data-row-id]', { hasText: words })
  const held = (licence: string) => page().locator(`[data-licence="${licence}"]`)

  async function allow(ODA: boolean): Promise<void> {
    const query = { searchValue: 'chief' }
    const { items } = await root.call(api.users.list, { query })
    const chief = items.find(({ username }) => username === 'chief')
    await root.call(api.users.change, { params: { id: chief?.id ?? '' }, body: { ODA } })
  }

  const toActivation = async () => {
    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Licence activation' }).click()
  }

  test('[ACCESS-007] an administrator without the permission sees what is missing, and no request is sent to core', async () => {
    const requests: string[] = []
    page().on('request', (request) => {
      if (request.url().includes('/licenses')) requests.push(request.url())
    })
    await allow(false)
    await toActivation()
    await page().getByText('Activation needs a permission of its own').waitFor()
    expect(await violations(page())).toEqual([])
    expect(requests).toEqual([])
    const chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    const refusal = { status: 403, message: 'Not available for your user type' }
    await expect(chief.call(api.licences.ofInventory, { params: inventory })).rejects.toMatchObject(refusal)
  })

  test('[INV-008] with it they assign and release licences within what the inventory holds, and each leaves a line', async () => {
    await allow(true)
    for (const [licence, total] of [
      ['video', 1],
      ['pro4k', 2],
      ['raHours', 40],
    ] as const)
      await root.call(api.licences.setStock, { params: inventory, body: { licence, total } })
    await toActivation()
    await row('Activation-Van').getByText('Not limited').waitFor()
    await held('pro4k').getByText('0 of 2 assigned').waitFor()
    expect(await violations(page())).toEqual([])

    await row('Activation-Van').dblclick()
    const dialog = page().getByRole('dialog')
    await dialog.getByText('No licence has been assigned to this unit yet').waitFor()
    await expect.poll(() => dialog.getByLabel('Databridge').isDisabled()).toBe(true)
    await dialog.locator('[data-tip="No license available."]').first().waitFor()
    expect(await violations(page())).toEqual([])
    await dialog.getByLabel('Video', { exact: true }).check()
    await dialog.getByLabel('PRO-4K').check()
    await dialog.getByLabel('RA hours').fill('15')
    await dialog.getByRole('button', { name: 'OK' }).click()
    await row('Activation-Van').getByText('Licensed').waitFor()
    await held('raHours').getByText('15 of 40 assigned').waitFor()
    await held('video').getByText('1 of 1 assigned').waitFor()

    await row('Activation-Van').dblclick()
    await dialog.getByLabel('PRO-4K').uncheck()
    await dialog.getByRole('button', { name: 'OK' }).click()
    await held('pro4k').getByText('0 of 2 assigned').waitFor()

    await row('Activation-Van').dblclick()
    await dialog.getByText('This unit has only what is assigned to it.').waitFor()
    expect(await violations(page())).toEqual([])
    await dialog.getByRole('button', { name: 'Remove the limit' }).click()
    await row('Activation-Van').getByText('Not limited').waitFor()
    await held('video').getByText('0 of 1 assigned').waitFor()

    const lines = await root.call(api.audit.list, { query: { action: 'licences.assign', limit: 10 } })
    const done = lines.items.filter(({ result }) => result === 'done')
    expect(done.map(({ objectId, details }) => [objectId, details])).toEqual([
      [unit.id, { pro4k: false }],
      [unit.id, { video: true, pro4k: true, raHours: 15 }],
    ])
  })

  test('a refusal of core is shown where the request was made', async () => {
    await allow(true)
    await root.call(api.licences.setStock, { params: inventory, body: { licence: 'pro4k', total: 2 } })
    await toActivation()
    await row('Activation-Van').dblclick()
    const dialog = page().getByRole('dialog')
    await dialog.getByLabel('PRO-4K').check()
    await root.call(api.licences.setStock, { params: inventory, body: { licence: 'pro4k', total: 0 } })
    await dialog.getByRole('button', { name: 'OK' }).click()
    await dialog.getByText('No license available.').first().waitFor()
    expect(await violations(page())).toEqual([])
  })
})
