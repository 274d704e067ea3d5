// IP pipes in the console: a server is opened to them by an administrator, and an operator sets and connects that of a unit.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const groupId = 'london-news'
const pipePort = 21_950

describe.runIf(hasChromium)('IP pipes in the browser', () => {
  let stage: Stage
  let unit: StageDevice
  let server: StageDevice
  let chromium: Chromium
  let chief: Person
  const open = async () => {
    stage = await openStage({ demo: 1 })
    unit = await joinDevice(stage, { name: 'Pipe-Van', groupId })
    server = await joinDevice(stage, {
      kind: 'server',
      name: 'Piper',
      groupId,
      product: 'MMH Server',
      slots: [{ slot: 'bonded-1', name: 'Bonded-1', inputType: null }],
    })
    chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    const operator = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    await operator.call(api.client.savePreferences, { body: { groupId } })
    chromium = await openChromium()
  }
  const close = async () => {
    unit?.close()
    server?.close()
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const page = () => chromium.page
  const dialog = () => page().getByRole('dialog')
  const button = (name: string) => dialog().getByRole('button', { name, exact: true })
  const status = (text: string) => dialog().getByRole('status').getByText(text, { exact: true }).waitFor()
  const reportServer = (actual: object) => server.send({ type: 'serverReport', actual })

  test('[SRV-002] an administrator opens a network of a server to IP pipes, where the server can', async () => {
    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Devices' }).click()
    await page().getByText('All groups').click()
    const editor = async () => {
      await page().locator('[data-row-id]', { hasText: 'Piper' }).click({ button: 'right' })
      await page().getByRole('menuitem', { name: 'Edit' }).click()
      await dialog().getByRole('tab', { name: 'IP Pipe' }).click()
    }
    await editor()
    await dialog().getByText('The server cannot hold an IP pipe.').waitFor()
    expect(await dialog().getByLabel('Hold IP pipes of units').isDisabled()).toBe(true)
    expect(await violations(page())).toEqual([])
    await page().keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    reportServer({
      addresses: ['192.0.2.9'],
      capabilities: {
        protocolsIn: ['bonded'],
        protocolsOut: [],
        encoders: [],
        ffmpegVersion: null,
        ipPipe: true,
      },
      ethernets: [
        {
          name: 'br-control',
          mac: '02:00:5e:10:00:01',
          addresses: ['10.20.0.2'],
          sockets: ['eno2'],
          up: true,
        },
      ],
    })
    await until('the report', async () => {
      const [one] = await chief.call(api.ipPipe.ethernets, { params: { id: server.id } })
      return one
    })
    await page().reload()
    await page().getByText('All groups').click()
    await editor()
    await dialog().getByLabel('Hold IP pipes of units').check()
    await button('OK').click()
    await dialog().getByText('The server has no such Ethernet network.').waitFor()
    await dialog().getByLabel('Ethernet of the server').selectOption('br-control')
    await dialog().getByText('eno2').waitFor()
    await dialog().getByLabel('UDP port').fill('70000')
    await button('OK').click()
    await dialog().getByText('Must be 65535 or less').waitFor()
    await dialog().getByLabel('UDP port').fill(String(pipePort))
    expect(await violations(page())).toEqual([])
    await button('OK').click()
    await dialog().waitFor({ state: 'detached' })
    expect(await chief.call(api.ipPipe.configuration, { params: { id: server.id } })).toEqual({
      enabled: true,
      interface: 'br-control',
      port: pipePort,
    })
    reportServer({ ipPipePort: pipePort })
  })

  test('[DBIP-004] an operator sets the IP pipe of a unit, connects it, reads why it failed, and disconnects it', async () => {
    await signInOnPage(page(), stage.url, 'operator', DEMO_PASSWORD)
    await page().locator('[data-row-id]', { hasText: 'Pipe-Van' }).click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Configuration' }).click()
    await dialog().getByRole('tab', { name: 'IP pipe' }).click()
    await dialog().getByText('The unit has no IP pipe.').first().waitFor()
    expect(await dialog().getByLabel('UDP port').isDisabled()).toBe(true)
    unit.report({ capabilities: { ipPipe: true } })
    await dialog().getByText('No IP pipe server is selected.').waitFor()
    await dialog().getByLabel('Server', { exact: true }).selectOption('Piper')
    await expect.poll(() => dialog().getByLabel('UDP port').inputValue()).toBe(String(pipePort))
    await dialog().getByLabel('Description').fill('rack\\4')
    await button('Apply').click()
    await dialog().getByText('Backslashes are not allowed.').waitFor()
    await dialog().getByLabel('Description').fill('Camera control')
    expect(await violations(page())).toEqual([])
    await button('Apply').click()
    await expect.poll(() => button('Connect').getAttribute('aria-disabled')).toBe('false')
    const kept = await chief.call(api.units.configuration, { params: { id: unit.id } })
    expect(kept.ipPipe).toMatchObject({ serverId: server.id, port: pipePort, description: 'Camera control' })

    await button('Connect').click()
    const wanted = () => unit.messages.findLast((one) => one.type === 'wanted')?.state.ipPipe
    await until('the wanted pipe', () => wanted())
    await status('Connecting')
    const ipPipeId = wanted()?.id ?? null
    unit.report({ applications: { l2ControlPipe: { state: 'connected' } }, ipPipeId })
    await status('Connected')
    expect(await dialog().getByLabel('Description').isDisabled()).toBe(true)
    unit.report({
      applications: { l2ControlPipe: { state: 'failed' } },
      ipPipeFailure: 'The IP pipe server does not answer on any link.',
      ipPipeFailureCause: { code: 'ipPipe.serverSilent', params: {} },
    })
    await status('Failed')
    await dialog().getByText('The IP pipe server does not answer on any link.').waitFor()
    expect(await violations(page())).toEqual([])
    await page().setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => page().evaluate('document.documentElement.scrollWidth')).toBe(390)
    await page().setViewportSize({ width: 1440, height: 900 })
    await button('Disconnect').click()
    await until('the end', () => wanted() === null)
    await status('Disconnecting')
    unit.report({ applications: {}, ipPipeId: null, ipPipeFailure: null, ipPipeFailureCause: null })
    await status('Not connected')
  })
})
