// The databridge on the page of a unit: its ports, its start and stop, and why it cannot run.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const groupId = 'london-news'

describe.runIf(hasChromium)('databridge in the browser', () => {
  let stage: Stage
  let unit: StageDevice
  let gateway: StageDevice
  let chromium: Chromium
  let operator: Person
  const open = async () => {
    stage = await openStage({ demo: 1 })
    unit = await joinDevice(stage, { name: 'Bridge-Van', groupId })
    gateway = await joinDevice(stage, {
      kind: 'server',
      name: 'Gateway-1',
      groupId,
      product: 'Databridge Gateway',
    })
    operator = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    await operator.call(api.client.savePreferences, { body: { groupId } })
    chromium = await openChromium()
  }
  const close = async () => {
    unit?.close()
    gateway?.close()
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const page = () => chromium.page
  const button = (name: string) => page().getByRole('button', { name, exact: true })
  const chosen = () => operator.call(api.databridge.selected, { params: { id: unit.id } })

  test('[DBIP-001] an operator sets its ports, starts it and stops it, and sees why it cannot start', async () => {
    await signInOnPage(page(), stage.url, 'operator', DEMO_PASSWORD, `/unit/${unit.id}?ignoreRouteDefault=1`)
    const tab = page().getByRole('tab', { name: 'Databridge' })
    await expect.poll(() => tab.getAttribute('aria-disabled')).toBe('true')
    unit.report({ capabilities: { databridge: true } })
    await expect.poll(() => tab.getAttribute('aria-disabled')).toBe(null)
    await tab.click()
    await page().getByText('No databridge gateway is selected.').waitFor()
    await expect.poll(() => button('Start databridge').getAttribute('aria-disabled')).toBe('true')
    await operator.call(api.databridge.set, { params: { id: unit.id }, body: { gateway: gateway.id } })
    await button('Add port').click()
    await page().getByLabel('Port at the unit').fill('8021')
    await page().getByLabel('Host behind the gateway').fill('not a host')
    await button('Save ports').click()
    await expect
      .poll(() => page().getByLabel('Host behind the gateway').getAttribute('aria-invalid'))
      .toBe('true')
    await page().getByLabel('Host behind the gateway').fill('192.0.2.10')
    await page().getByLabel('Port of the host').fill('21')
    await button('Save ports').click()
    await until('the port kept', async () => (await chosen()).ports.length === 1)
    expect((await chosen()).ports).toEqual([
      { protocol: 'tcp', port: 8021, host: '192.0.2.10', hostPort: 21 },
    ])
    expect(await violations(page())).toEqual([])
    await button('Start databridge').click()
    await page().getByText('The databridge gateway is offline.').waitFor()
    gateway.send({ type: 'serverReport', actual: { addresses: ['192.0.2.9'], databridgePort: 21_900 } })
    const wanted = () => unit.messages.findLast((one) => one.type === 'wanted')?.state.databridge
    await until('the start', async () => {
      if (!wanted()) await button('Start databridge').click()
      return wanted()
    })
    expect(wanted()?.ports).toEqual([{ protocol: 'tcp', port: 8021 }])
    const databridgeId = wanted()?.id ?? null
    unit.report({ applications: { databridge: { state: 'bridging' } }, databridgeId })
    await button('Stop databridge').waitFor()
    await expect.poll(() => button('Save ports').getAttribute('aria-disabled')).toBe('true')
    expect(await violations(page())).toEqual([])
    await button('Stop databridge').click()
    await until('the stop', () => wanted() === null)
    unit.report({ applications: {}, databridgeId: null })
    await button('Start databridge').waitFor()
  })

  test('[DBIP-001] [USER-006] it ends when the data of its usage profile are used up, and the operator sees why', async () => {
    const wanted = () => unit.messages.findLast((one) => one.type === 'wanted')?.state.databridge
    await until('the start', async () => {
      if (!wanted()) await button('Start databridge').click()
      return wanted()
    })
    unit.report({ applications: { databridge: { state: 'bridging' } }, databridgeId: wanted()?.id ?? null })
    await button('Stop databridge').waitFor()
    const chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    const { inventoryId: inventory } = await chief.call(api.units.one, { params: { id: unit.id } })
    await chief.call(api.usageProfiles.create, {
      body: { name: 'Small', inventory, type: 'data', monthlyLimit: 1, resetDay: 1, units: [unit.id] },
    })
    await until('the end', () => {
      unit.sample({ links: [{ port: 1, up: true, kbps: 100_000, rttMs: 40 }] } as never)
      return wanted() === null
    })
    unit.report({ applications: {}, databridgeId: null })
    await page().getByText('The data of the usage profile are used up until its reset day.').waitFor()
    await expect.poll(() => button('Start databridge').getAttribute('aria-disabled')).toBe('true')
  })
})
