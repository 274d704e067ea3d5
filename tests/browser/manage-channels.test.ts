// An administrator adds a channel to a server that runs, gives it to groups, and deletes it again.
import { execFileSync } from 'node:child_process'
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

describe.runIf(hasChromium)('channels in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  let operator: Person
  const open = async () => {
    stage = await openStage({ demo: 4 })
    await stage.start('simulator', { args: ['--no-desks'] })
    operator = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    await until('channels', async () => (await ofGroup()).some(({ status }) => status === 'idle'))
    chromium = await openChromium()
  }
  const close = async () => {
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const ofGroup = () => operator.call(api.channels.ofGroup, { query: { group: 'london-news' } })
  const page = () => chromium.page
  const dialog = () => page().getByRole('dialog')
  const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
  const row = (name: string) => page().locator('[data-row-id]', { hasText: name })

  test('a channel is added, given to groups, renamed and deleted', async () => {
    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Channels' }).click()
    await row('London-1').first().waitFor()
    expect(await violations(page())).toEqual([])

    await page().getByRole('button', { name: 'New channel' }).click()
    await dialog().getByLabel('Name').fill('two words')
    await press('Add')
    await dialog().getByText('Only letters, numbers, underscores and hyphens are allowed.').waitFor()
    await dialog().getByLabel('Name').fill('Gallery-7')
    expect(await violations(page())).toEqual([])
    await press('Add')

    // The new channel opens, so that groups can be chosen.
    await dialog().getByRole('tab', { name: 'Groups' }).click()
    await dialog().getByLabel('London-News').check()
    expect(await violations(page())).toEqual([])
    await press('Apply')
    await page().getByText('Channel saved').first().waitFor()
    await dialog().getByRole('tab', { name: 'General' }).click()
    await dialog().getByLabel('Name').fill('Gallery-8')
    expect(await violations(page())).toEqual([])
    await press('OK')
    await dialog().waitFor({ state: 'detached' })

    const inGroup = async () => (await ofGroup()).find(({ name }) => name === 'Gallery-8')
    // The server has a slot for it.
    await until('the channel is ready', async () => (await inGroup())?.status === 'idle')

    await row('Gallery-8').click()
    await page().keyboard.press('Enter')
    await dialog().getByRole('tab', { name: 'Streaming' }).click()
    await dialog().getByRole('button', { name: 'Add destination' }).click()
    await dialog().getByLabel(/^Name/).fill('Partner')
    await dialog().getByLabel('Type').selectOption('SRT')
    await dialog().getByLabel('SRT key').fill('short')
    await press('OK')
    await dialog().getByText('Must be between 10 and 64 characters').waitFor()
    await dialog().getByLabel('SRT key').fill('0123456789abc')
    await dialog().getByRole('textbox', { name: /^IP/ }).fill('192.0.2.7')
    await dialog().getByLabel(/^Port/).fill('9000')
    await dialog().getByLabel('Source port').fill('600')
    expect(await violations(page())).toEqual([])
    await press('OK')
    await dialog().getByText('srt://192.0.2.7:9000').waitFor()
    expect(await violations(page())).toEqual([])
    expect((await inGroup())?.streamingDestinations).toMatchObject([{ url: 'srt://192.0.2.7:9000' }])
    await dialog().getByRole('button', { name: 'Remove Partner' }).click()
    await dialog().getByText('This channel has no destinations yet.').waitFor()
    await press('Cancel')

    await row('Gallery-8').click()
    await page().keyboard.press('Enter')
    await press('Delete')
    await dialog().getByText('Delete Gallery-8?').waitFor()
    await press('Delete')
    await dialog().waitFor({ state: 'detached' })
    await row('Gallery-8').waitFor({ state: 'detached' })
    expect(await inGroup()).toBeUndefined()

    // Units send to a machine of multipoint only where the customer has the feature.
    const machine = (await ofGroup()).find(({ name }) => name === 'Boss150-London')?.uniqueId ?? ''
    await row('Boss150-London').click()
    await page().keyboard.press('Enter')
    await dialog().getByRole('tab', { name: 'Multipoint' }).click()
    const unit = dialog().getByRole('checkbox').first()
    await unit.click()
    await dialog().getByText('Feature disabled').waitFor()
    const root = await signIn(stage.url, 'admin', adminPassword)
    const params = { id: 'north-atlantic', name: 'ptmp' } as const
    await root.call(api.inventories.setProperty, { params, body: { value: true } })
    await unit.click()
    await until('the unit to be ticked', () => unit.isChecked())
    expect(await violations(page())).toEqual([])
    const senders = await root.call(api.channelAdministration.multipoint, { params: { id: machine } })
    expect(senders.filter(({ selected }) => selected)).toHaveLength(1)
  })

  test('[SHELL-030] [CHAN-017] a graphic is uploaded with a preview, is shown over a channel, and cannot be deleted meanwhile', async () => {
    const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer })
    const png = (width: number, height: number, ...more: string[]) => {
      const source = ['-f', 'lavfi', '-i', `color=red:s=${width}x${height}`, ...more]
      return execFileSync('ffmpeg', ['-v', 'error', ...source, '-frames:v', '1', ...toPng])
    }
    const toPng = ['-f', 'image2pipe', '-c', 'png', '-']
    const choose = (name: string, buffer: Buffer) =>
      dialog().locator('input[type=file]').setInputFiles(file(name, buffer))
    const picture = () => dialog().getByRole('figure').getByRole('img')
    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'My Graphics' }).click()
    await page().getByText('No graphics yet').waitFor()
    expect(await violations(page())).toEqual([])
    await page().getByRole('button', { name: 'New graphic' }).first().click()
    await press('Add')
    await dialog().getByText('This field is required').first().waitFor()
    await choose('Logo.png', Buffer.from('GIF89a'))
    await dialog().getByText('Only PNG pictures can be used.').waitFor()
    await choose('Logo.png', png(2002, 4))
    await dialog().getByText('The picture must be at most 2000x2000 pixels.').waitFor()
    await choose('Logo.png', png(640, 360, '-vf', 'noise=alls=100'))
    await dialog().getByText('The file must be at most 110 KB.').waitFor()
    expect(await picture().count()).toBe(0)
    await choose('Logo.png', png(480, 270))
    await picture().waitFor()
    await expect.poll(() => dialog().getByLabel('Name').inputValue()).toBe('Logo')
    expect(await violations(page())).toEqual([])
    await press('Add')
    await dialog().waitFor({ state: 'detached' })
    await row('Logo').getByText('480 × 270').waitFor()

    const toOverlay = async () => {
      await page().getByRole('link', { name: 'Channels' }).click()
      await row('London-1').first().click()
      await page().keyboard.press('Enter')
      await dialog().getByRole('tab', { name: 'Graphics overlay' }).click()
    }
    await toOverlay()
    await dialog().getByText('The graphics service is not active for this inventory.').waitFor()
    await expect.poll(() => dialog().getByLabel('Graphic', { exact: true }).isDisabled()).toBe(true)
    expect(await violations(page())).toEqual([])
    await press('Cancel')
    const root = await signIn(stage.url, 'admin', adminPassword)
    const params = { id: 'north-atlantic' }
    await root.call(api.services.add, { params, body: { name: 'graphics' } })
    await toOverlay()
    await dialog().getByLabel('Graphic', { exact: true }).selectOption('Logo')
    await dialog().getByLabel('Place').selectOption('Bottom right')
    await picture().waitFor()
    expect(await violations(page())).toEqual([])
    await press('OK')
    await dialog().waitFor({ state: 'detached' })
    const overlaid = async () => (await ofGroup()).find(({ overlay }) => overlay !== null)
    expect((await overlaid())?.overlay).toMatchObject({ name: 'Logo', place: 'bottomRight' })
    const name = (await overlaid())?.name ?? ''

    await page().getByRole('link', { name: 'My Graphics' }).click()
    await row('Logo').getByText(name).waitFor()
    await row('Logo').click()
    await page().keyboard.press('Enter')
    await picture().waitFor()
    await press('Delete')
    await dialog().getByText('Delete Logo?').waitFor()
    await press('Delete')
    await dialog().getByText(`The graphic is on channel ${name}.`).waitFor()
    expect(await violations(page())).toEqual([])
    await press('Cancel')
    await toOverlay()
    await dialog().getByLabel('Graphic', { exact: true }).selectOption('None')
    await press('Apply')
    await until('the graphic to be gone', async () => (await overlaid()) === undefined)
    await press('Cancel')
    await page().getByRole('link', { name: 'My Graphics' }).click()
    await row('Logo').click()
    await page().keyboard.press('Enter')
    await press('Delete')
    await dialog().getByText('Delete Logo?').waitFor()
    await press('Delete')
    await page().getByText('No graphics yet').waitFor()
    await root.call(api.services.remove, { params, query: { serviceName: 'graphics' } })
  })

  test('[CHAN-011] a server joins the networks of a studio, its channel gets an output, and a server without support shows it', async () => {
    const chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    const join = async (name: string, smpte2110: boolean) => {
      const slots = [{ slot: '1', name: `${name}-1`, inputType: null, sdiNo: 1 }]
      const server = await joinDevice(stage, { kind: 'server', name, groupId: 'london-news', slots })
      const facts = { protocolsIn: ['bonded'], protocolsOut: [], encoders: [], ffmpegVersion: null }
      const smpteOutputs = { flavors: ['ST 2110-20'], ancillary: false }
      server.send({ type: 'serverReport', actual: { capabilities: { ...facts, smpte2110, smpteOutputs } } })
      return server
    }
    const servers = [await join('MCR-Studio', true), await join('MCR-Van', false)]
    onTestFinished(() => {
      for (const server of servers) server.close()
    })
    const channelOf = async (name: string) => (await ofGroup()).find((one) => one.name === name)
    const joinStudio = (name: string, smpte2110: boolean) =>
      until(`the channel ${name}`, async () => {
        const channel = await channelOf(name)
        return channel?.capabilities.smpte2110 === smpte2110 ? channel : undefined
      })
    const [able, unable] = [await joinStudio('MCR-Studio-1', true), await joinStudio('MCR-Van-1', false)]
    const nothing = { body: { configuration: null } }
    await chief.call(api.smpte.setServer, { params: { id: able.serverId }, ...nothing })
    await chief.call(api.smpte.setChannel, { params: { id: able.uniqueId }, ...nothing })
    const group = (name: string) => dialog().getByRole('group', { name })
    const show = async (search: string, name: string, id: string, tab: string) => {
      await page().getByLabel(search).fill(name)
      await page().locator(`[data-row-id="${id}"]`).click()
      await page().keyboard.press('Enter')
      await dialog().getByRole('tab', { name: tab }).click()
    }
    const turnOn = () => dialog().getByLabel('SMPTE 2110 output').click()

    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Devices' }).click()
    await page().getByText('All groups').click()
    await show('Search servers', able.serverName, able.serverId, 'SMPTE 2110')
    await turnOn()
    await group('Primary network').getByLabel('IP address').fill('10.10.1.300')
    await group('Primary network').getByLabel('Subnet mask').fill('255.255.255.0')
    await press('OK')
    await group('Primary network').getByText('Invalid IP field').waitFor()
    await group('Primary network').getByLabel('IP address').fill('10.10.1.20')
    expect(await violations(page())).toEqual([])
    await press('OK')
    await dialog().waitFor({ state: 'detached' })
    expect(await chief.call(api.servers.smpte, { params: { id: able.serverId } })).toMatchObject({
      configuration: { ptpDomain: 127, primary: { address: '10.10.1.20' }, secondary: null },
    })

    await page().getByRole('link', { name: 'Channels' }).click()
    await show('Search channels', able.name, able.uniqueId, 'SMPTE')
    await turnOn()
    await group('Picture').getByLabel('Multicast address').fill('10.1.1.1')
    await group('Picture').getByLabel('Port').fill('5004')
    await group('Sound, channels 1 to 8').getByLabel('Multicast address').fill('239.10.1.2')
    await group('Sound, channels 1 to 8').getByLabel('Port').fill('5004')
    await press('Apply')
    await group('Picture').getByText('Must be a multicast address').waitFor()
    await group('Picture').getByLabel('Multicast address').fill('239.10.1.1')
    const ancillary = group('Ancillary data, optional')
    await ancillary.getByLabel('Multicast address').fill('239.10.1.4')
    await ancillary.getByLabel('Port').fill('5004')
    await press('Apply')
    await ancillary.getByText('The server cannot put out ancillary data.').waitFor()
    await ancillary.getByLabel('Multicast address').fill('')
    await ancillary.getByLabel('Port').fill('')
    await press('Apply')
    await dialog().getByText(/^Set /).waitFor()
    expect(await violations(page())).toEqual([])
    await expect
      .poll(() => chief.call(api.smpte.channel, { params: { id: able.uniqueId } }))
      .toMatchObject({
        configuration: { flavor: 'ST 2110-20', video: { address: '239.10.1.1' }, ancillary: null },
      })
    await turnOn()
    await press('OK')
    await dialog().waitFor({ state: 'detached' })
    expect(await chief.call(api.smpte.channel, { params: { id: able.uniqueId } })).toMatchObject({
      isConfigured: false,
    })
    await show('Search channels', unable.name, unable.uniqueId, 'SMPTE')
    await dialog().getByText('The server cannot put out SMPTE 2110.').waitFor()
    await expect.poll(() => dialog().getByLabel('SMPTE 2110 output').isDisabled()).toBe(true)
    expect(await violations(page())).toEqual([])
    await press('Cancel')
    await chief.call(api.smpte.setServer, { params: { id: able.serverId }, ...nothing })
  })
})
