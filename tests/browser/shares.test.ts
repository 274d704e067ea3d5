// A media group administrator shares channels under a key, and subscribes to those of others, in the browser.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

describe.runIf(hasChromium)('shares in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  let media: Person
  let server: StageDevice
  const open = async () => {
    stage = await openStage({ demo: 1 })
    const slots = [
      { slot: '1', name: 'Pool-1', inputType: null },
      { slot: '2', name: 'Pool-SRT', inputType: 'srt' as const },
    ]
    const groupId = 'london-news'
    server = await joinDevice(stage, { kind: 'server', name: 'MCR-Pool', groupId, slots })
    media = await signIn(stage.url, 'media', DEMO_PASSWORD)
    chromium = await openChromium()
  }
  const close = async () => {
    server?.close()
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  test('[USER-004] [USER-005] [ACCESS-006] a publisher shares a channel, and a subscriber has it in a folder', async () => {
    const page = chromium.page
    const dialog = page.getByRole('dialog')
    const ok = () => dialog.getByRole('button', { name: 'OK', exact: true }).click()
    const gone = () => dialog.waitFor({ state: 'detached' })
    await signInOnPage(page, stage.url, 'media', DEMO_PASSWORD)
    await page.getByRole('link', { name: 'Publishers' }).click()
    await page.getByText('No publishers yet').waitFor()
    await page.getByRole('button', { name: 'New publisher' }).first().click()
    await ok()
    await dialog.getByText('This field is required').waitFor()
    await dialog.getByLabel('Name').fill('x'.repeat(33))
    await ok()
    await dialog.getByText('Must have at most 32 characters').waitFor()
    await dialog.getByLabel('Name').fill('Election night')
    await dialog.getByLabel('Description').fill('Pool pictures')
    await dialog.getByRole('combobox', { name: 'Group' }).click()
    await page.getByRole('option', { name: 'London-News' }).click()
    await ok()
    await gone()
    const row = page.locator('[data-row-id]', { hasText: 'Election night' })
    await row.dblclick()
    const [publisher] = (await media.call(api.shares.publishers, { query: {} })).items
    await expect.poll(() => dialog.getByLabel('Share key').inputValue()).toBe(publisher?.shareKey)
    await dialog.getByRole('tab', { name: 'Shared channels' }).click()
    const channel = dialog.getByRole('switch', { name: 'Pool-1' })
    await channel.click({ force: true })
    await until('the channel is shared', () => channel.isChecked())
    expect(await violations(page)).toEqual([])
    await ok()
    await gone()
    expect((await media.call(api.shares.publishers, { query: {} })).items[0]?.channels).toHaveLength(1)

    await page.getByRole('button', { name: 'Folders' }).click()
    await dialog.getByText('Root folder').waitFor()
    const add = async (name: string) => {
      await dialog.getByLabel('Name of the new folder').fill(name)
      await dialog.getByRole('button', { name: 'Add' }).click()
    }
    await add('Pool')
    await dialog.getByRole('button', { name: 'Rename Pool' }).waitFor()
    // The root folder has neither button.
    expect(await dialog.getByRole('button', { name: /^(Rename|Delete) / }).count()).toBe(2)
    await add('Pool')
    await dialog.getByText('Folder name not unique.').first().waitFor()
    await dialog.getByRole('button', { name: 'Rename Pool' }).click()
    await dialog.getByLabel('New name of Pool').fill('Agencies')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Agencies').waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await gone()

    await page.getByRole('link', { name: 'Subscribers' }).click()
    await page.getByRole('button', { name: 'New subscriber' }).first().click()
    await dialog.getByLabel('Name').fill('Our pool')
    await dialog.getByLabel('Share key').fill('an-unknown-key')
    await dialog.getByRole('combobox', { name: 'Folder' }).click()
    await page.getByRole('option', { name: 'Agencies' }).click()
    await ok()
    await dialog.getByText('Share key invalid or not unique.').first().waitFor()
    await dialog.getByLabel('Share key').fill(publisher?.shareKey ?? '')
    expect(await violations(page)).toEqual([])
    await ok()
    await gone()
    const ours = page.locator('[data-row-id]', { hasText: 'Our pool' })
    await ours.getByText('Agencies').waitFor()
    await ours.getByText('Election night').waitFor()
    await ours.dblclick()
    await dialog.getByRole('tab', { name: 'Channels' }).click()
    await dialog.getByRole('listitem').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText('Delete subscriber Our pool?').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No subscribers yet').waitFor()
  })

  test('[STREAM-016] the sharing options of a unit show its channel, publishers and subscribers, and begin and end the share', async () => {
    const page = chromium.page
    const dialog = page.getByRole('dialog')
    const group = 'london-news'
    const all = await media.call(api.channels.ofGroup, { query: { group } })
    const channel = all.find(({ name }) => name === 'Pool-1')?.uniqueId ?? ''
    for (const { id, channels } of (await media.call(api.shares.publishers, { query: {} })).items)
      if (channels.includes(channel))
        await media.call(api.shares.endSession, { params: { id }, query: { channel } })
    const { id, shareKey } = await media.call(api.shares.createPublisher, {
      body: { name: 'Van pool', group },
    })
    const { items: folders } = await media.call(api.shares.folders, { query: {} })
    const folder = folders.find((one) => one.group === group && one.root)?.id ?? ''
    await media.call(api.shares.createSubscriber, { body: { name: 'Agency', shareKey, folder } })
    const unit = await joinDevice(stage, { name: 'Pool-Van', groupId: group, actual: { channelId: channel } })
    const isShared = async () => (await media.call(api.units.one, { params: { id: unit.id } })).sharing
    const sharedChannels = async () => (await media.call(api.shares.publisher, { params: { id } })).channels

    await signInOnPage(page, stage.url, 'media', DEMO_PASSWORD)
    await page.getByRole('link', { name: 'Units' }).click()
    await page.locator('[data-row-id]', { hasText: 'Pool-Van' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Sharing options' }).click()
    await dialog.getByText('Pool-1 is not shared.').waitFor()
    await dialog.getByText('Subscribers: Agency').waitFor()
    const share = dialog.getByRole('switch', { name: 'Van pool' })
    await share.click({ force: true })
    await dialog.getByText('Pool-1 is shared.').waitFor()
    expect(await violations(page)).toEqual([])
    expect(await sharedChannels()).toEqual([channel])
    await until('the unit shows that its channel is shared', isShared)
    await share.click({ force: true })
    await dialog.getByText('Pool-1 is not shared.').waitFor()
    expect(await sharedChannels()).toEqual([])
    await until('the unit shows that its channel is not shared', async () => !(await isShared()))
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    // In a long list the refusal is at the switch that was pressed.
    const input = all.find(({ name }) => name === 'Pool-SRT')?.uniqueId ?? ''
    server.channels([{ channelId: input, status: 'collecting', kbps: 4100 }])
    await until('the input receives', async () =>
      (await media.call(api.channels.ofGroup, { query: { group } })).some(
        ({ uniqueId, status }) => uniqueId === input && status === 'collecting',
      ),
    )
    await page.getByRole('link', { name: 'Publishers' }).click()
    await page.locator('[data-row-id]', { hasText: 'Van pool' }).dblclick()
    await dialog.getByRole('tab', { name: 'Shared channels' }).click()
    const busy = dialog.getByRole('switch', { name: 'Pool-SRT' })
    await busy.click({ force: true })
    await dialog
      .locator('.mantine-Switch-root', { hasText: 'Pool-SRT' })
      .getByText('Input IP streaming channel is busy.')
      .waitFor()
    expect(await busy.isChecked()).toBe(false)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    unit.close()
  })

  test('[ACCESS-006] an administrator of another kind has no menu item, and a typed address is forbidden', async () => {
    await signInOnPage(chromium.page, stage.url, 'chief', DEMO_PASSWORD)
    await chromium.page.getByRole('link', { name: 'Users' }).waitFor()
    for (const name of ['Publishers', 'Subscribers'])
      expect(await chromium.page.getByRole('link', { name }).count()).toBe(0)
    for (const list of ['publishers', 'subscribers']) {
      await chromium.page.goto(`${stage.url}/manage/shares/${list}?ignoreRouteDefault=1`)
      await chromium.page.getByText('You are not allowed to access this application').waitFor()
    }
  })
})
