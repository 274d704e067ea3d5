// The configuration of a unit in the browser: filled from the unit, changed in tabs, confirmed by the reports of the unit.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, signInOnPage, tipOf, violations } from '../stage/browser.ts'
import { openConsole } from '../stage/console.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { signIn } from '../stage/person.ts'

const uncapped = { option: 'disabled', customMbps: null } as const

describe.runIf(hasChromium)('the configuration of a unit', () => {
  const opened = openConsole()
  const page = () => opened.chromium.page
  const dialog = () => page().getByRole('dialog')
  const tab = (name: string) => dialog().getByRole('tab', { name, exact: true }).click()
  const button = (name: string) => dialog().getByRole('button', { name, exact: true })
  let unit: StageDevice
  let settings: UnitSettings
  const first: UnitSettings = {
    videoComplexity: 'standard',
    adaptiveResolution: true,
    audioChannels: 2,
    audioBitrate: 96,
    linkMode: 'cellularBonding',
    sendMode: 'live',
    storeAndForwardQuality: { 'H.264/AVC': 'standard', 'H.265/HEVC': 'standard' },
    storeAndForwardEncoder: 'H.265/HEVC',
    filenamePrefix: '',
    ntp: false,
    metadata: { title: 'Flood' },
    defaultMetadata: {},
    ipInput: { protocol: 'srt', url: '', port: 9000, enabled: false },
    totalLimitKbps: 0,
    cellularLimitKbps: 0,
    totalCapping: uncapped,
    cellularCapping: uncapped,
    ethernet: {
      0: {
        mac: '02:00:5e:00:53:00',
        dhcp: true,
        ip: '10.1.0.10',
        subnetMask: '255.255.255.0',
        defaultGateway: '10.1.0.1',
        dns1: '10.1.0.1',
        dns2: '',
        powerOverEthernet: false,
      },
    },
  }
  const open = async () => {
    settings = first
    unit = await joinDevice(opened.stage, { name: 'Set-Van', groupId: 'london-news', actual: { settings } })
  }
  beforeAll(open)
  afterAll(async () => unit?.close())

  /** The unit applies the next wanted state. */
  async function follow(expected: UnitSettings): Promise<void> {
    const names = Object.keys(expected) as (keyof UnitSettings)[]
    const wanted = await unit.received('wanted', ({ state }) =>
      names.every((name) => JSON.stringify(state.settings?.[name]) === JSON.stringify(expected[name])),
    )
    settings = { ...settings, ...wanted.state.settings }
    unit.report({ settings })
  }

  test('[SHELL-019] [CONF-003] [CONF-023] is filled from the unit or the group, and saved by Apply and OK', async () => {
    const chief = await signIn(opened.stage.url, 'chief', DEMO_PASSWORD)
    const defaults = { videoComplexity: 'medium', audioBitrate: 192, colorDepth: '10-bit/HDR' } as const
    const params = { id: 'london-news' }
    await signInOnPage(page(), opened.stage.url, 'operator', DEMO_PASSWORD)
    await page().locator('[data-row-id]', { hasText: 'Set-Van' }).click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Configuration' }).click()
    await dialog().getByLabel('Video complexity').waitFor()
    expect(await dialog().getByRole('tab').allTextContents()).toEqual([
      'Video/audio',
      'Connections',
      'Network',
      'Advanced',
      'IP pipe',
      'Alerts',
      'Metadata',
      'IP input',
    ])
    expect(await violations(page())).toEqual([])

    await button('Default configuration').click()
    await dialog().getByText('has no default configuration').waitFor()
    await chief.call(api.groupAdministration.makeDefaultConfiguration, { params, body: defaults })
    await button('Default configuration').click()
    await dialog().getByText('has no default configuration').waitFor({ state: 'detached' })
    await expect.poll(() => dialog().getByLabel('Video complexity').inputValue()).toBe('medium')
    await expect.poll(() => dialog().getByLabel('Audio bit rate').inputValue()).toBe('192')
    // Settings that the unit does not know are neither filled nor enabled.
    expect(await dialog().getByLabel('Colour depth').isDisabled()).toBe(true)
    expect(unit.messages.some((one) => one.type === 'wanted' && one.state.settings)).toBe(false)
    await button('Apply').click()
    await dialog().getByText('Waiting for the unit to confirm: Video complexity, Audio bit rate').waitFor()
    await follow({ videoComplexity: 'medium', audioBitrate: 192 })
    await dialog().locator('[data-unconfirmed="0"]').waitFor({ state: 'attached' })

    await dialog().getByLabel('Transmission', { exact: true }).selectOption('Store and forward')
    await tab('Network')
    await dialog().getByLabel('Links', { exact: true }).selectOption('Fixed internet')
    await dialog().getByLabel('Limit of all links').fill('8000')
    await dialog().getByLabel('Limit of all modems').fill('9000')
    await button('Apply').click()
    await dialog().getByText('The cellular limit must not exceed the total limit.').waitFor()
    await dialog().getByLabel('Limit of all modems').fill('6000')
    await dialog().getByLabel('Max Total Capping').selectOption('Custom')
    await dialog().getByLabel('Custom capping').fill('7.5')
    expect(await violations(page())).toEqual([])
    await tab('Advanced')
    await dialog().getByLabel('File name prefix').fill('no spaces')
    await button('Apply').click()
    await dialog().getByText('Must match the pattern').waitFor()
    await dialog().getByLabel('File name prefix').fill('VAN_')
    await tab('Metadata')
    await button('Add a field').first().click()
    await dialog().getByLabel('Name of field 2').fill('reporter')
    await dialog().getByLabel('Value of field 2').fill('Ada; Bob')
    await button('Apply').click()
    await dialog().getByText('Metadata fields must not contain a semicolon.').waitFor()
    await dialog().getByLabel('Value of field 2').fill('Ada')
    expect(await violations(page())).toEqual([])
    await tab('Connections')
    await dialog().getByText('02:00:5e:00:53:00').waitFor()
    await dialog().getByLabel('Addresses by DHCP').uncheck()
    await dialog().getByLabel('Power over Ethernet').check()
    await dialog().getByLabel('IP address').fill('300.1.1.1')
    await dialog().getByLabel('Subnet mask').fill('255.0.255.0')
    await button('OK').click()
    await dialog().getByText('Invalid IP field').waitFor()
    await dialog().getByText('Invalid Subnet Mask field').waitFor()
    for (const [label, text] of [
      ['IP address', '192.0.2.7'],
      ['Subnet mask', '255.255.255.0'],
      ['Default gateway', '192.0.2.1'],
      ['DNS 1', '192.0.2.2'],
      ['DNS 2', '192.0.2.3'],
    ] as const)
      await dialog().getByLabel(label).fill(text)
    expect(await violations(page())).toEqual([])
    await button('OK').click()
    await dialog().waitFor({ state: 'detached' })
    await follow({ totalLimitKbps: 8000, cellularLimitKbps: 6000, filenamePrefix: 'VAN_' })
    expect(settings).toMatchObject({
      linkMode: 'fixedInternet',
      sendMode: 'storeAndForward',
      totalCapping: { option: 'custom', customMbps: 7.5 },
      metadata: { title: 'Flood', reporter: 'Ada' },
      ethernet: { 0: { dhcp: false, ip: '192.0.2.7', dns2: '192.0.2.3', powerOverEthernet: true } },
    })
  })

  test('[CONF-016] offers as many channels of sound as the source has, and shows the number', async () => {
    const camera = { connected: true, kind: 'file', width: 1280, height: 720, fps: 25 } as const
    unit.report({ camera: { ...camera, codec: 'H.264/AVC', audioChannels: 8 } })
    await signInOnPage(page(), opened.stage.url, 'operator', DEMO_PASSWORD)
    await page().locator('[data-row-id]', { hasText: 'Set-Van' }).click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Configuration' }).click()
    await dialog().getByText('The source has at most 8').waitFor()
    const offered = dialog().getByLabel('Audio channels').locator('option:not([disabled])')
    expect(await offered.allTextContents()).toEqual(['2', '4', '8'])
    await page().keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })

  test('[GROUP-007] an administrator makes what a unit has the default of its group, without its networks', async () => {
    const openAs = async (username: string) => {
      await signInOnPage(page(), opened.stage.url, username, DEMO_PASSWORD)
      await page().locator('[data-row-id]', { hasText: 'Set-Van' }).click({ button: 'right' })
      await page().getByRole('menuitem', { name: 'Configuration' }).click()
      await button('Default configuration').waitFor()
    }
    await openAs('operator')
    expect(await button('Keep as the default of London-News').count()).toBe(0)
    await openAs('chief')
    // The default is what the unit has, not what the form shows before it is applied.
    const keep = button('Keep as the default of London-News')
    const complexity = dialog().getByLabel('Video complexity')
    const saved = await complexity.inputValue()
    await complexity.selectOption(saved === 'complex' ? 'standard' : 'complex')
    await expect.poll(() => keep.getAttribute('aria-disabled')).toBe('true')
    expect(await tipOf(keep)).toContain('Apply your changes first')
    await complexity.selectOption(saved)
    await expect.poll(() => keep.getAttribute('aria-disabled')).toBe('false')
    await keep.click()
    await page().getByText('Default configuration saved').waitFor()
    expect(await violations(page())).toEqual([])
    const { videoComplexity, adaptiveResolution, audioChannels, audioBitrate, filenamePrefix, ntp } = settings
    const { storeAndForwardQuality, storeAndForwardEncoder, defaultMetadata, sendMode } = settings
    const chief = await signIn(opened.stage.url, 'chief', DEMO_PASSWORD)
    const params = { id: 'london-news' }
    expect(await chief.call(api.groupAdministration.defaultConfiguration, { params })).toEqual({
      videoComplexity,
      adaptiveResolution,
      audioChannels,
      audioBitrate,
      filenamePrefix,
      ntp,
      storeAndForwardQuality,
      storeAndForwardEncoder,
      defaultMetadata,
      transmissionMode: sendMode,
    })
    await page().keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })

  test('[LOG-001] [SHELL-036] sends its logs with a description, stops on request, and an administrator saves them', async () => {
    const only = 'Send logs only when the unit is online and not transmitting.'
    const row = page().locator('[data-row-id]', { hasText: 'Set-Van' })
    const item = page().getByRole('menuitem', { name: 'Logs' })
    unit.report({ capabilities: { logs: true }, applications: { video: { state: 'streaming' } } })
    await signInOnPage(page(), opened.stage.url, 'chief', DEMO_PASSWORD)
    await row.getByText('Live').first().waitFor()
    await row.click({ button: 'right' })
    await page()
      .getByRole('menuitem', { name: only })
      .or(item.filter({ hasText: only }))
      .first()
      .waitFor()
    await page().keyboard.press('Escape')
    unit.report({ applications: {} })
    await row.getByText('Ready').first().waitFor()
    await row.click({ button: 'right' })
    await item.click()
    await button('Send').click()
    await dialog().getByText('This field is required').waitFor()
    await dialog().getByLabel('What happened').fill('Picture froze at the stadium')
    expect(await violations(page())).toEqual([])
    await button('Send').click()
    await dialog().waitFor({ state: 'detached' })
    const order = await unit.received('order', ({ name }) => name === 'send_logs')
    unit.outcome({ id: order.id, state: 'confirmed' })
    unit.report({ applications: { fetchlogs: { state: 'running' } } })
    await row.getByText('Fetching logs').first().waitFor()
    await row.click({ button: 'right' })
    await item.click()
    await button('Stop sending').waitFor()
    const text = '10:00:01 the encoder froze\n'
    unit.send({ type: 'logPart', logId: order.args.logId, at: 0, text, isLast: true })
    await dialog().getByText('complete').waitFor()
    expect(await violations(page())).toEqual([])
    const download = page().waitForEvent('download')
    await button('Save the log of Set-Van').click()
    const stream = await (await download).createReadStream()
    expect(Buffer.concat(await stream.toArray()).toString()).toBe(text)
    unit.report({ applications: {} })
    await button('Cancel').click()
    await dialog().waitFor({ state: 'detached' })
  })

  test('[LOG-003] opens a support case about an idle unit, and shows its number', async () => {
    const row = page().locator('[data-row-id]', { hasText: 'Set-Van' })
    const choose = (name: string) => dialog().getByText(name, { exact: true }).click()
    await signInOnPage(page(), opened.stage.url, 'operator', DEMO_PASSWORD)
    await row.getByText('Ready').first().waitFor()
    await row.click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Logs and support' }).click()
    await choose('Open a support case')
    await button('Open the case').click()
    await dialog().getByText('This field is required').waitFor()
    await dialog().getByLabel('What happened').fill('Picture froze at the stadium')
    await dialog()
      .getByText(/^The support answers to \S+@/)
      .waitFor()
    expect(await violations(page())).toEqual([])
    await button('Open the case').click()
    const number = await dialog()
      .getByText(/^case-\d{8}-/)
      .textContent()
    const order = await unit.received(
      'order',
      ({ name, args }) => name === 'send_logs' && args.logId !== undefined,
    )
    expect(order).toBeDefined()
    expect(await violations(page())).toEqual([])
    await button('Close').last().click()
    await dialog().waitFor({ state: 'detached' })
    await row.click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Logs and support' }).click()
    await choose('Open a support case')
    await dialog()
      .getByText(number ?? '')
      .waitFor()
    await button('Cancel').click()
    await dialog().waitFor({ state: 'detached' })
  })

  test('[CONF-001] has a tab for each part, and shows when the unit did not accept a setting', async () => {
    await signInOnPage(page(), opened.stage.url, 'operator', DEMO_PASSWORD)
    await page().locator('[data-row-id]', { hasText: 'Set-Van' }).click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Configuration' }).click()
    const shown = {
      'Video/audio': 'Video complexity',
      Connections: 'Addresses by DHCP',
      Network: 'Limit of all links',
      Advanced: 'File name prefix',
      'IP pipe': 'Server',
      Alerts: 'Which thresholds',
      Metadata: 'Name of field 1',
      'IP input': 'Protocol',
    }
    for (const [name, label] of Object.entries(shown)) {
      await tab(name)
      await dialog().getByLabel(label).first().waitFor()
    }
    await tab('Video/audio')
    await dialog().getByLabel('Video complexity').selectOption('complex')
    await button('Apply').click()
    const sentAfter = async (earlier: number) => {
      const { revision } = await unit.received(
        'wanted',
        ({ revision, state }) => revision > earlier && state.settings?.videoComplexity === 'complex',
      )
      return revision
    }
    const notSent = dialog().getByText('Configuration not sent, retry.')
    const first = await sentAfter(0)
    unit.outcome({ revision: first, state: 'refused' })
    await notSent.waitFor()
    // The typed text is kept, and is sent again unchanged.
    const { received } = unit
    await received('wanted', ({ revision, state }) => revision > first && !state.settings?.videoComplexity)
    await expect.poll(() => dialog().getByLabel('Video complexity').inputValue()).toBe('complex')
    await button('Apply').click()
    const second = await sentAfter(first)
    await notSent.waitFor({ state: 'detached' })
    unit.outcome({ revision: second, state: 'refused' })
    await notSent.waitFor()
    await dialog().getByLabel('Video complexity').selectOption('standard')
    await button('Apply').click()
    await notSent.waitFor({ state: 'detached' })
    await follow({ videoComplexity: 'standard' })
    await dialog().locator('[data-unconfirmed="0"]').waitFor({ state: 'attached' })
    await page().keyboard.press('Escape')
  })

  test('[SHELL-019] can be read but not changed without the regular role', async () => {
    await signInOnPage(page(), opened.stage.url, 'viewer', DEMO_PASSWORD)
    await page().locator('[data-row-id]', { hasText: 'Set-Van' }).click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Configuration' }).click()
    await dialog().getByLabel('Video complexity').waitFor()
    await expect.poll(() => dialog().getByLabel('Video complexity').isDisabled()).toBe(true)
    await expect.poll(() => dialog().getByRole('button').allTextContents()).toEqual(['', 'Cancel'])
    await button('Cancel').click()
    await dialog().waitFor({ state: 'detached' })
  })
})
