// The unit list in real Chromium: a simulated fleet, and units at the gateway that are controlled by the test.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD, demoGroups } from '@backhaul/contract/examples/demo'
import { isUnitProduct, products, shortProductName } from '@backhaul/contract/nouns/products'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'
import { watchAttribute } from '../stage/watch-attribute.ts'

const fleet = 40
const group = 'london-news'
const stores = [{ path: '/media', totalBytes: 64e9, freeBytes: 32e9 }]

describe.runIf(hasChromium)('the unit list', () => {
  let stage: Stage
  let chromium: Chromium
  let person: Person
  let unit: StageDevice
  let server: StageDevice

  const open = async () => {
    stage = await openStage({ demo: fleet })
    await stage.start('simulator', { args: ['--no-desks', '--no-switching'] })
    server = await joinDevice(stage, {
      kind: 'server',
      name: 'MCR-Stage',
      groupId: group,
      slots: [{ slot: '1', name: 'Stage-1', inputType: null }],
    })
    unit = await joinDevice(stage, { name: 'Stage-Van', groupId: group, actual: { storages: stores } })
    person = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    await until('the fleet', async () => (await everyUnit()).length === fleet)
    await person.call(api.client.savePreferences, { body: { groupId: group } })
    chromium = await openChromium()
    await signInOnPage(page(), stage.url, 'operator', DEMO_PASSWORD, '/unit/list?ignoreRouteDefault=1')
    await row('Stage-Van').click()
    await inspector().getByRole('heading', { name: 'Stage-Van' }).waitFor()
  }
  const close = async () => {
    for (const device of [unit, server]) device?.close()
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const page = () => chromium.page
  const inspector = () => page().getByRole('complementary', { name: 'Selected unit' })
  const row = (name: string) => page().locator('[data-row-id]', { hasText: name })
  const rows = () => page().locator('[data-row-id]')
  const unitsOf = (groupId: string, by = person) => by.call(api.units.ofGroup, { query: { group: groupId } })

  const serversOf = (id: string) => person.call(api.servers.ofGroup, { params: { id } })

  /** The unit has the channel of this name. */
  async function select(name: string): Promise<void> {
    await person.call(api.unitCommands.command, {
      params: { id: unit.id, command: 'set_virtual_channel' },
      body: { virtualChannelName: name },
    })
    const { state } = await unit.received('wanted', ({ state }) => state.channelId !== null)
    unit.report({ channelId: state.channelId })
    await until('its channel', async () =>
      (await unitsOf(group)).some(({ uid, channelId }) => uid === unit.id && channelId !== null),
    )
  }

  async function everyUnit() {
    const media = await signIn(stage.url, 'media', DEMO_PASSWORD)
    const lists = await Promise.all(demoGroups.map(({ id }) => unitsOf(id, media)))
    return lists.flat().filter(({ name }) => name !== 'Stage-Van')
  }

  test('[UNIT-001] a fleet of forty has every product that is a unit, and the list shows all units and servers of the group', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-40).join('\n')))
    const all = await everyUnit()
    const wanted = products.filter(isUnitProduct).map(({ name }) => name)
    expect(new Set(all.map(({ type }) => type))).toEqual(new Set(wanted))
    const own = await unitsOf(group)
    const servers = await serversOf(group)
    expect(servers.map(({ name }) => name)).toContain('MCR-Stage')
    const listed = [
      ...own,
      ...servers.map(({ deviceId, name, productType }) => ({ uid: deviceId, name, type: productType })),
    ]
    await until('every row', async () => (await rows().count()) === listed.length)
    for (const { uid, name, type } of listed) {
      const text = await page().locator(`[data-row-id="${uid}"]`).textContent()
      expect(text).toContain(name)
      expect(text).toContain(shortProductName(type))
    }
    expect(await violations(page())).toEqual([])
  })

  test('[UNIT-011] the counters of the group show the present numbers', async () => {
    const counted = async () => {
      const entries = await page().getByLabel('Counters of the group').locator('div').allInnerTexts()
      return Object.fromEntries(entries.map((text) => text.split(/\n+/) as [string, string]))
    }
    const own = await unitsOf(group)
    await expect
      .poll(async () => Object.keys(await counted()))
      .toEqual([
        'Busy',
        'Idle',
        'Offline',
        'Field',
        'Camera',
        'Lite',
        'Smart',
        'PTMP',
        'PTP',
        'Active alerts',
      ])
    const together = async () => {
      const { Busy, Idle, Offline } = await counted()
      return Number(Busy) + Number(Idle) + Number(Offline)
    }
    await expect.poll(together).toBe(own.length)
    const cameras = async () => Number((await counted()).Camera)
    const before = await cameras()
    // Units of the fleet come to rest meanwhile.
    const isAsCoreSays = async () => {
      const busy = (await unitsOf(group)).filter((one) => one.busy && !one.offline).length
      return Number((await counted()).Busy) === busy
    }
    unit.report({ applications: { multiCamera: { state: 'streaming' } } })
    await until('one more camera', async () => (await cameras()) === before + 1)
    await until('every busy unit', isAsCoreSays)
    unit.report({ applications: {} })
    await until('the camera gone', async () => (await cameras()) === before)
    await until('every busy unit', isAsCoreSays)
  })

  test('[UNIT-015] the battery is shown in its levels and colours, in the list and in the panel', async () => {
    const cases: [number | null, boolean, string, string][] = [
      [100, false, '100', 'green'],
      [51, false, '100', 'green'],
      [50, false, '50', 'green'],
      [31, false, '50', 'yellow'],
      [30, false, '30', 'yellow'],
      [20, false, '30', 'yellow'],
      [19, false, '30', 'red'],
      [10, false, '10', 'red'],
      [1, false, '10', 'red'],
      [0, false, 'unknown', 'grey'],
      [null, false, 'unknown', 'grey'],
      [64, true, 'charging', 'green'],
    ]
    for (const [percentage, charging, level, colour] of cases) {
      unit.sample({ battery: { connected: true, charging, percentage } })
      const icon = `.battery-${colour}[data-level="${level}"]`
      await row('Stage-Van').locator(icon).waitFor()
      await inspector().locator(icon).waitFor()
      const text = percentage === null ? 'Battery not identified.' : `${percentage}%`
      await inspector().locator('dd').getByText(text).waitFor()
    }
    unit.sample({ battery: null })
    await inspector().getByText('Battery not identified.').waitFor()
    await until('no icon in the row', async () => (await row('Stage-Van').locator('.battery').count()) === 0)
    expect(await violations(page())).toEqual([])
  })

  test('[UNIT-017] every bit rate is in Mbps with two decimals', async () => {
    unit.report({ applications: { video: { state: 'streaming' } } })
    unit.sample()
    await row('Stage-Van').getByText('4.44 Mbps').waitFor()
    await inspector().getByText('3.21 Mbps').waitFor()
    await inspector().getByText('1.23 Mbps').waitFor()
    const texts = await page().getByText(/bps/).allInnerTexts()
    for (const text of texts) expect(text.replace(/\d+\.\d\d Mbps/g, '')).not.toMatch(/\d\s*[kMG]?bps/i)
    unit.report({ applications: {} })
  })

  test('[UNIT-010] transitions of the unit are shown next to its status', async () => {
    const shown = () => inspector().locator('[data-transient]')
    const states = async () =>
      await shown().evaluateAll((all: { dataset: { transient: string } }[]) =>
        all.map((one) => one.dataset.transient),
      )
    const cases: [object, string[]][] = [
      [
        { databridge: { state: 'connecting' }, audioRoom: { state: 'connecting' } },
        ['databridgeConnecting', 'intercomConnecting'],
      ],
      [
        { databridge: { state: 'stopping' }, audioRoom: { state: 'stopping' } },
        ['databridgeDisconnecting', 'intercomDisconnecting'],
      ],
      [
        { videoReturn: { state: 'connecting' }, l2ControlPipe: { state: 'connecting' } },
        ['videoReturnConnecting', 'ipPipeConnecting'],
      ],
      [
        { videoReturn: { state: 'stopping' }, l2ControlPipe: { state: 'stopping' } },
        ['videoReturnDisconnecting', 'ipPipeDisconnecting'],
      ],
      [
        {
          fetchlogs: { state: 'stopping' },
          changeAvicMode: { state: 'running' },
          upgrade: { state: 'running' },
        },
        ['stoppingFetchLogs', 'changingVideoMode', 'upgrading'],
      ],
    ]
    for (const [applications, wanted] of cases) {
      unit.report({ applications })
      await until(wanted.join(' '), async () => `${await states()}` === `${wanted}`)
    }
    expect(await violations(page())).toEqual([])
    unit.report({ applications: {} })
    await until('nothing on the way', async () => (await shown().count()) === 0)
  })

  test('[UNIT-014] a unit is renamed and commented on from its row, within the rules of names and comments', async () => {
    const dialog = () => page().getByRole('dialog')
    const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
    const choose = async (name: string, item: string) => {
      await row(name).click({ button: 'right' })
      await page().getByRole('menuitem', { name: item, exact: true }).click()
    }
    const taken = (await unitsOf(group)).find(({ name }) => name !== 'Stage-Van')?.name ?? ''
    await choose('Stage-Van', 'Rename')
    const name = dialog().getByLabel('Name')
    await name.and(page().locator(':focus')).waitFor()
    await name.fill('two words')
    await dialog().getByText('Only letters, numbers, underscores and hyphens are allowed.').first().waitFor()
    await name.fill(taken)
    await press('OK')
    await dialog().getByText('Name is already taken. Please select a different name.').waitFor()
    expect(await violations(page())).toEqual([])
    await name.fill('Stage_Truck-2')
    await press('OK')
    await row('Stage_Truck-2').waitFor()
    await choose('Stage_Truck-2', 'Edit comment')
    await dialog().getByLabel('Comment').fill('x'.repeat(101))
    await dialog().getByText('Must have at most 100 characters').waitFor()
    await dialog().getByLabel('Comment').fill('Spare key in the van')
    await press('Apply')
    await until('the comment is kept', async () =>
      (await unitsOf(group)).some(
        (one) => one.name === 'Stage_Truck-2' && one.comment === 'Spare key in the van',
      ),
    )
    await dialog().getByLabel('Name').fill('Stage-Van')
    await press('OK')
    await row('Stage-Van').waitFor()
    await dialog().waitFor({ state: 'detached' })
  })

  test('[UNIT-009] the start button goes through its five states, and offline it cannot be pressed', async () => {
    const button = row('Stage-Van').locator('[data-run]')
    const states = await watchAttribute(button, 'data-run')
    await inspector().getByLabel('Channel').click()
    await page()
      .getByRole('option', { name: /Stage-1/ })
      .click()
    const { state } = await unit.received('wanted', ({ state }) => state.channelId !== null)
    unit.report({ channelId: state.channelId })
    await page().getByText('Set channel: confirmed by the unit').waitFor()
    await button.click()
    const wanted = await unit.received('wanted', (message) => message.state.transmission !== null)
    const transmissionId = wanted.state.transmission?.id ?? ''
    await row('Stage-Van').locator('[data-run="connecting"]').waitFor()
    unit.report({ transmissionId, applications: { video: { state: 'streaming' } } })
    await row('Stage-Van').locator('[data-run="stop"]').waitFor()
    await button.click()
    await page().getByRole('button', { name: 'Stop transmission' }).click()
    await row('Stage-Van').locator('[data-run="disconnecting"]').waitFor()
    await unit.received('wanted', (message) => message.revision > wanted.revision)
    unit.report({ transmissionId: null, applications: {} })
    await row('Stage-Van').locator('[data-run="start"]').waitFor()
    unit.close()
    await row('Stage-Van').locator('[data-run="offline"]').waitFor()
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
    await expect.poll(states).toEqual(['start', 'connecting', 'stop', 'disconnecting', 'start', 'offline'])
  })

  test('[UNIT-002] filters by type, status, alert, channel and name, remembered with their panel', async () => {
    const own = await unitsOf(group)
    const channelId = own.find(({ name }) => name === 'Stage-Van')?.channelId ?? null
    if (channelId === null) await select('Stage-1')
    unit.close()
    await row('Stage-Van').locator('[data-run="offline"]').waitFor()
    const names = async () => await page().locator('[data-row-id] [data-column="name"]').allInnerTexts()
    const chip = (name: string) => page().getByRole('button', { name, exact: true })
    await page().getByRole('button', { name: 'Filters' }).click()
    await chip('Smart').click()
    const smart = own.filter(({ type }) => type === 'LU-Smart').map(({ name }) => name)
    await until('only smart units', async () => `${(await names()).sort()}` === `${smart.sort()}`)
    await chip('Smart').click()
    await chip('Assigned').click()
    await until('only those with a channel', async () => `${await names()}` === 'Stage-Van')
    await chip('Assigned').click()
    await chip('None').click()
    await chip('Critical').click()
    const quiet = async () =>
      (await unitsOf(group))
        .filter(({ alerts }) => alerts.length === 0 || alerts.some(({ severity }) => severity === 'critical'))
        .map(({ name }) => name)
    await until('no warnings alone', async () => `${(await names()).sort()}` === `${(await quiet()).sort()}`)
    await chip('None').click()
    await chip('Critical').click()
    await page()
      .locator('.toolbar-row')
      .getByRole('button', { name: /^Offline \d+$/ })
      .click()
    await until('only offline units', async () => {
      const shown = await page().locator('[data-row-id] [data-column="status"]').allInnerTexts()
      return shown.length > 0 && shown.every((words) => words.startsWith('Offline'))
    })
    await page().getByLabel('Search units').fill('stage-v')
    await until('only the one', async () => `${await names()}` === 'Stage-Van')
    const saved = await until('the filter to be kept', async () => {
      const { filters } = await person.call(api.client.preferences, {})
      return filters.device?.text === 'stage-v' ? filters.device : undefined
    })
    expect(saved).toMatchObject({ open: true, chosen: { status: ['offline'] } })
    await page().reload()
    await row('Stage-Van').waitFor()
    await expect.poll(names).toEqual(['Stage-Van'])
    await chip('Smart').waitFor()
    expect(await violations(page())).toEqual([])
    await page().getByRole('button', { name: 'Show all' }).click()
    const all = own.length + (await serversOf(group)).length
    await until('all again', async () => (await names()).length === all)
    await page().getByRole('button', { name: 'Filters' }).click()
    await chip('Smart').waitFor({ state: 'detached' })
  })

  test('[UNIT-003] the panel next to the list opens and closes, and keeps its state', async () => {
    await inspector().waitFor()
    await page().getByRole('button', { name: 'Close the inspector' }).click()
    await inspector().waitFor({ state: 'detached' })
    await until(
      'it to be kept',
      async () => !(await person.call(api.client.preferences, {})).unitListExpanded,
    )
    await page().reload()
    await row('Stage-Van').waitFor()
    expect(await inspector().count()).toBe(0)
    await page().getByRole('button', { name: 'Open the inspector' }).click()
    await inspector().waitFor()
  })

  test('the details of a row remain open when the window gets narrow, and wide again', async () => {
    const view = (place: string) => page().locator(`.split-view${place}`)
    const openRow = page().getByRole('row', { name: 'Stage-Van', expanded: true })
    await row('Stage-Van').getByRole('button', { name: 'Row details' }).click()
    await openRow.waitFor()
    const { width, height } = page().viewportSize() as { width: number; height: number }
    await page().setViewportSize({ width: 720, height })
    await view('[data-stacked]').waitFor()
    expect(await openRow.count()).toBe(1)
    const [list, side] = [await page().getByRole('treegrid').boundingBox(), await inspector().boundingBox()]
    expect(side?.y).toBeGreaterThanOrEqual((list?.y ?? 0) + (list?.height ?? 0))
    await page().setViewportSize({ width, height })
    await view(':not([data-stacked])').waitFor()
    expect(await openRow.count()).toBe(1)
    await openRow.getByRole('button', { name: 'Row details' }).click()
    await openRow.waitFor({ state: 'detached' })
  })

  test('[UNIT-004] the last selected unit is selected again', async () => {
    const chosen = (await unitsOf(group)).find(({ name }) => name !== 'Stage-Van')
    await page().locator(`[data-row-id="${chosen?.uid}"] [data-column="name"]`).click()
    const heading = inspector().getByRole('heading', { name: chosen?.name ?? '' })
    await heading.waitFor()
    await until(
      'it to be kept',
      async () => (await person.call(api.client.preferences, {})).lastSelectedUnit === chosen?.uid,
    )
    await page().reload()
    await heading.waitFor()
  })
})
