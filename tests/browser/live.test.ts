// The live connection of a page: batches, updates, loss and recovery, and disturbances from outside.
import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { api } from '@backhaul/contract/api/api'
import { PUSH_PATH, PushMessage } from '@backhaul/contract/define/topic'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { UserPreferences } from '@backhaul/contract/nouns/preferences'
import { signalProcess } from '@backhaul/runtime/testing/processes'
import type { Page, Request, Route, WebSocketRoute } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { pause, until } from '../stage/until.ts'

const restBase = '/luc/luc-core-web/rest'
const crew = 'paris-news'
/** With them the group has more units than one batch has topics. */
const crewSize = 56

type Frame = { action: string; topics: string[]; since?: Record<string, string> }
type Message = Record<string, unknown> & { kind: string; topic?: string }

describe.runIf(hasChromium)('the live connection', () => {
  let stage: Stage
  let chromium: Chromium
  let page: Page
  const devices: StageDevice[] = []
  let saved: () => Promise<UserPreferences>
  let rename: (id: string, name: string) => Promise<unknown>

  beforeAll(async () => {
    stage = await openStage({ demo: 40, hasOwnCore: true })
    await stage.start('simulator', { args: ['--no-desks'] })
    for (let at = 1; at <= crewSize; at += 8) {
      const names = Array.from({ length: 8 }, (_, more) => `Van-${at + more}`)
      devices.push(...(await Promise.all(names.map((name) => joinDevice(stage, { name, groupId: crew })))))
    }
    const person = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    await person.call(api.client.savePreferences, { body: { groupId: crew } })
    chromium = await openChromium()
    await signInOnPage(chromium.page, stage.url, 'operator', DEMO_PASSWORD)
    await chromium.page.goto('about:blank')
    rename = (id, name) => person.call(api.units.update, { params: { id }, body: { name } })
    saved = () => person.call(api.client.preferences, {})
  })

  afterEach(() => page.close())

  afterAll(async () => {
    for (const device of devices) device.close()
    await chromium?.close()
    await stage?.stop()
  })

  const rows = () => page.locator('[data-row-id]')
  const rowOf = (at: number) => page.locator(`[data-row-id="${devices[at]!.id}"]`)

  /** The list is longer than the screen, and only what is on the screen is drawn. */
  const search = (text: string) => page.getByRole('searchbox').fill(text)

  /** A page of its own that has not loaded anything yet. */
  async function newPage() {
    page = await chromium.context.newPage()
    return page
  }
  async function openList() {
    await page.goto(`${stage.url}/unit/list?ignoreRouteDefault=1`)
    await rows().first().waitFor()
    await page.getByText('Connected', { exact: true }).waitFor()
  }

  /** The messages on the page's sockets. */
  function listenIn() {
    const sent: Frame[] = []
    const got: Message[] = []
    const urls: string[] = []
    page.on('websocket', (socket) => {
      urls.push(socket.url())
      socket.on('framesent', ({ payload }) => sent.push(JSON.parse(String(payload)) as Frame))
      socket.on('framereceived', ({ payload }) => got.push(...(JSON.parse(String(payload)) as Message[])))
    })
    const topicsOf = (action: string) =>
      sent.filter((frame) => frame.action === action).map(({ topics }) => topics)
    return { sent, got, urls, topicsOf }
  }

  function countCalls(matches: (path: string, request: Request) => boolean) {
    const calls: string[] = []
    page.on('request', (request) => {
      const path = new URL(request.url()).pathname.replace(restBase, '')
      if (matches(path, request)) calls.push(path)
    })
    return calls
  }
  const listReads = () => countCalls((path) => path === '/devices/fetch')

  /** A relay between page and core that can keep back what core sends, as a slow network does. */
  async function standBetween(change: (message: Message) => Message = (message) => message) {
    let socket: WebSocketRoute | undefined
    let kept: Message[] | undefined
    await page.routeWebSocket(new RegExp(`${PUSH_PATH}$`), (route) => {
      socket = route
      const core = route.connectToServer()
      core.onMessage((bytes) => {
        const frame = (JSON.parse(String(bytes)) as Message[]).map(change)
        if (kept) kept.push(...frame)
        else route.send(JSON.stringify(frame))
      })
    })
    return {
      keepBack() {
        kept = []
      },
      kept: () => kept ?? [],
      letThrough() {
        socket?.send(JSON.stringify(kept))
        kept = undefined
      },
      close: () => socket?.close(),
    }
  }

  test('[LIVE-001] topics are subscribed and unsubscribed in batches of 50, and live data only come by push', async () => {
    await newPage()
    const { got, urls, topicsOf } = listenIn()
    await openList()
    expect(urls).toEqual([`${stage.url.replace('http', 'ws')}/luc-core-web/pubsub`])
    const wanted = new Set([`group.${crew}`, ...devices.map(({ id }) => `unit.${id}`)])
    await until(
      'all subscriptions',
      () => wanted.difference(new Set(topicsOf('subscribe').flat())).size === 0,
    )
    expect(topicsOf('subscribe').map(({ length }) => length)).toContain(50)
    expect(topicsOf('subscribe').every(({ length }) => length <= 50)).toBe(true)

    const calls = countCalls((path) => path.includes('devices') || path.includes('units'))
    await search('Van-17')
    await rename(devices[16]!.id, 'Van-17-B')
    await rowOf(16).getByText('Van-17-B').waitFor()
    for (const message of got.filter(({ topic }) => topic !== undefined)) PushMessage.parse(message)
    expect(got.some(({ topic }) => topic === `unit.${devices[16]!.id}`)).toBe(true)
    expect(calls).toEqual([])
    await search('')
    await until('the filter to be saved', async () => (await saved()).filters.device?.text === '')

    await page.locator('.group-switcher').click()
    await page.getByRole('menuitem', { name: 'London-News' }).click()
    await until('all given up', () => wanted.difference(new Set(topicsOf('unsubscribe').flat())).size === 0)
    expect(topicsOf('unsubscribe').map(({ length }) => length)).toContain(50)
    expect(topicsOf('unsubscribe').every(({ length }) => length <= 50)).toBe(true)
    await page.locator('.group-switcher').click()
    await page.getByRole('menuitem', { name: 'Paris-News' }).click()
    await until('the group to be saved', async () => (await saved()).groupId === crew)
    await rows().first().waitFor()
  })

  test('[LIVE-001] the size of a batch is the one that core sets', async () => {
    await newPage()
    const { topicsOf } = listenIn()
    await changeConfiguration({ subscribeBatchSize: 7 })
    await openList()
    await until('all subscriptions', () => topicsOf('subscribe').flat().length > crewSize)
    expect(Math.max(...topicsOf('subscribe').map(({ length }) => length))).toBe(7)
  })

  const changeConfiguration = (change: object | (() => object)) =>
    page.route('**/v2/client/configuration', async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as { data: object }
      const more = typeof change === 'function' ? change() : change
      await route.fulfill({ response, json: { ...answer, data: { ...answer.data, ...more } } })
    })

  test('[LIVE-004] a status of a unit that the page does not know any more is ignored', async () => {
    await newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    const between = await standBetween()
    await openList()
    const { id } = devices[1]!
    const showGroup = async (name: string) => {
      await page.locator('.group-switcher').click()
      await page.getByRole('menuitem', { name }).click()
    }
    await pause(500)
    between.keepBack()
    await rename(id, 'Ghost')
    devices[1]!.report({ applications: { video: { state: 'streaming' } } })
    const ofUnit = () => between.kept().filter(({ topic }) => topic === `unit.${id}`)
    await until('name and status', () =>
      ['unitConfig', 'unitStatus'].every((kind) => ofUnit().some((one) => one.kind === kind)),
    )
    await showGroup('London-News')
    await until('the units of London', async () => (await rows().count()) > 0 && !(await rowOf(1).count()))
    const before = await rows().count()
    between.letThrough()
    await pause(500)
    expect(await page.getByText('Ghost').count()).toBe(0)
    expect(await rows().count()).toBe(before)
    expect(faults).toEqual([])
    await showGroup('Paris-News')
    await search('Ghost')
    await rowOf(1).getByText('Ghost').waitFor()
    await rename(id, 'Van-2')
    devices[1]!.report({ applications: {} })
    await search('')
    await until('the group to be saved', async () => (await saved()).groupId === crew)
    await until('the filter to be saved', async () => (await saved()).filters.device?.text === '')
  })

  test('[LIVE-004] the end of a file whose start was not reported is ignored', async () => {
    await newPage()
    const { got } = listenIn()
    await openList()
    const { id, report } = devices[3]!
    const sends = async (state?: 'uploading' | 'completed') => {
      const since = Date.now()
      report({ applications: state === undefined ? {} : { forward: { state, since } } })
      await until(`${state} at the page`, () =>
        got.some(({ topic, kind, data }) => {
          if (topic !== `unit.${id}` || kind !== 'storage') return false
          const { fileTransfer } = data as { fileTransfer?: { state: string; since: number } | null }
          return state === undefined ? fileTransfer === null : fileTransfer?.since === since
        }),
      )
    }
    await pause(500)
    got.length = 0
    await sends('completed')
    await sends()
    await sends('uploading')
    await page.getByText('File upload started').waitFor()
    // Earlier messages have been handled by then.
    expect(await page.getByText('File upload complete').count()).toBe(0)
    await sends('completed')
    await page.getByText('File upload complete').waitFor()
    await sends()
    await page.getByText('File upload complete').waitFor({ state: 'hidden' })
  })

  test('[LIVE-005] a changed wsLibrary loads the page again, at most once for a value', async () => {
    await newPage()
    let configured = 'release-1'
    let welcomed = 'release-1'
    let loads = 0
    page.on('load', () => loads++)
    const between = await standBetween((message) =>
      message.kind === 'welcome' ? { ...message, wsLibrary: welcomed } : message,
    )
    await changeConfiguration(() => ({ wsLibrary: configured }))
    await openList()
    await pause(500)
    expect(loads).toBe(1)
    configured = welcomed = 'release-2'
    between.close()
    await until('the page to be loaded again', () => loads === 2)
    await page.getByText('Connected', { exact: true }).waitFor()
    // Two cores of different releases behind one address: one more load for the value seen last, then never again.
    welcomed = 'release-1'
    between.close()
    await until('the page to be loaded again', () => loads === 3)
    await page.getByText('Connected', { exact: true }).waitFor()
    await rows().first().waitFor()
    await pause(2500)
    expect(loads).toBe(3)
  })

  test('[SHELL-039] [LIVE-010] every other error is shown with its defined text, and no write is repeated', async () => {
    await newPage()
    await openList()
    const field = page.getByRole('dialog').getByLabel('Name')
    let writes = 0
    const refuse = (status: number, body: object) => (route: Route) => route.fulfill({ status, json: body })
    const taken = 'Name field has to be unique'
    const cases: [(route: Route) => Promise<void>, string][] = [
      [refuse(400, { code: 400, message: 'x', fields: [{ field: 'name', message: taken }] }), taken],
      [
        refuse(403, { code: 403, message: 'Not available for your user type' }),
        'Not available for your user type',
      ],
      [refuse(403, { code: 403, message: 'Feature disabled' }), 'Feature disabled'],
      [refuse(404, { code: 404, message: 'Unit not found.' }), 'Unit not found.'],
      [refuse(409, { code: 6808, message: 'Server is busy' }), 'Server is busy'],
      [refuse(500, { code: 500, message: 'stack trace' }), 'Generic Error. Please contact support'],
      [(route) => route.fulfill({ status: 502, body: '<html>' }), 'Generic Error. Please contact support'],
      [(route) => route.abort(), 'Generic Error. Please contact support'],
    ]
    await rows().first().click()
    for (const [answer, words] of cases) {
      writes = 0
      await page.route('**/v2/units/*', (route) => {
        if (route.request().method() !== 'PUT') return route.fallback()
        writes++
        return answer(route)
      })
      await page.locator('[data-row-id][aria-selected="true"]').first().focus()
      await page.keyboard.press('F2')
      await field.fill(`Other-${cases.findIndex(([, text]) => text === words)}`)
      await page.getByRole('button', { name: 'OK' }).click()
      await page.getByRole('dialog').getByText(words, { exact: true }).waitFor()
      await pause(300)
      expect(writes).toBe(1)
      await page.unroute('**/v2/units/*')
      if (words === taken) expect(await violations(page)).toEqual([])
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
  })

  test('[SHELL-029] [UNIT-026] [SHELL-023] [LIVE-010] a list that cannot be read shows it, and the user can read it again', async () => {
    await newPage()
    for (const [answer, words] of [
      [{ status: 200, json: { code: 500, message: 'x' } }, 'Internal Error'],
      [{ status: 503, body: 'down' }, 'Generic Error. Please contact support'],
    ] as const) {
      await page.route('**/devices/fetch**', (route) => route.fulfill(answer))
      const reads = listReads()
      await page.goto(`${stage.url}/unit/list?ignoreRouteDefault=1`)
      await page.getByRole('heading', { name: 'Items cannot be displayed' }).waitFor()
      await page.getByText(words, { exact: true }).waitFor()
      await pause(1000)
      expect(reads).toHaveLength(1)
      expect(await violations(page)).toEqual([])
      await page.unroute('**/devices/fetch**')
      await page.getByRole('button', { name: 'Try again' }).click()
      await rows().first().waitFor()
      page.removeAllListeners('request')
    }
  })

  test('[LIVE-001] [LIVE-003] when core is killed and comes back, subscriptions are renewed and data read again', async () => {
    await newPage()
    const { urls, sent } = listenIn()
    await openList()
    await until('all subscriptions', () => sent.flatMap(({ topics }) => topics).length > crewSize)
    const reads = listReads()
    const loads = countCalls((path) => path === '/unit/list')
    const before = new Set(sent.flatMap(({ topics }) => topics))
    sent.length = 0
    signalProcess(stage.pidOf('core'), 'SIGKILL')
    await page.locator('.link-word').getByText('Connection lost').waitFor()
    await page.getByText('Connected', { exact: true }).waitFor()
    expect(urls.length).toBeGreaterThan(1)
    await until(
      'the same topics',
      () => before.difference(new Set(sent.flatMap(({ topics }) => topics))).size === 0,
    )
    expect(sent.every(({ topics }) => topics.length <= 50)).toBe(true)
    await until('the list to be read again', () => reads.length > 0)
    expect(loads).toEqual([])
  })

  test('while core cannot keep up, the page shows by how much its data are late, until they are current', async () => {
    await newPage()
    await openList()
    const core = stage.pidOf('core')
    signalProcess(core, 'SIGSTOP')
    await pause(4000).finally(() => signalProcess(core, 'SIGCONT'))
    const banner = page.getByText(/Live data are \d+ s behind/)
    await banner.waitFor()
    await banner.waitFor({ state: 'detached' })
  })

  test('a unit that joined after the list was read, and before the subscription to its group, is shown', async () => {
    await newPage()
    const chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    const earlier = await chief.call(api.units.ofGroup, { query: { group: crew } })
    devices.push(await joinDevice(stage, { name: 'Between', groupId: crew }))
    await page.route('**/devices/fetch?*', (route) => route.fulfill({ json: { code: 200, data: earlier } }), {
      times: 1,
    })
    await openList()
    await search('Between')
    await page.getByText('Between').first().waitFor()
    await search('')
  })

  test('a list that holds the newest device is read once, also where the topic of its group began earlier', async () => {
    await newPage()
    const { got } = listenIn()
    const reads = listReads()
    devices.push(await joinDevice(stage, { name: 'Newest', groupId: crew }))
    await page.route(
      '**/devices/fetch?*',
      async (route) => {
        const response = await route.fetch()
        await until('the topic', () => got.some(({ topic, from }) => topic === `group.${crew}` && from === 0))
        await route.fulfill({ response })
      },
      { times: 1 },
    )
    await openList()
    await pause(3500)
    expect(reads).toHaveLength(1)
  })

  describe('under a clock of its own', () => {
    beforeAll(async () => {
      await chromium.context.clock.install()
    })

    // The clock is that of all pages: where a test ends early, the next one would find it held.
    afterEach(() => chromium.context.clock.resume())

    const reconnected = () => page.getByText('Connected', { exact: true }).waitFor()

    /**
     * From now on only the test moves the time. It moves a little ahead first, since the clock can be held in the future
     * alone, and on a busy machine the request takes a while.
     */
    const holdTime = async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 5000)

    test('[LIVE-006] [LIVE-007] a sync message is answered after a random wait of up to 1900 ms', async () => {
      await newPage()
      const { got } = listenIn()
      await openList()
      const chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
      const uid = devices[2]!.id
      const reads = countCalls((path) => path === `/v2/admin/units/${uid}/status` || path.endsWith(`/${uid}`))
      for (const [chance, waitMs] of [
        [0.5, 950],
        [0.9999, 1899],
      ] as const) {
        reads.length = 0
        await page.evaluate((value) => Object.assign(Math, { random: () => value }), chance)
        await holdTime()
        got.length = 0
        const sipAccount = { server: 'sip.example', account: String(chance) }
        await chief.call(api.intercom.setSipAccount, { params: { id: uid }, body: { sipAccount } })
        await until('the sync', () => got.some(({ kind }) => kind === 'sync'))
        await pause(300)
        await page.clock.runFor(waitMs - 1)
        await pause(200)
        expect(reads).toEqual([])
        await page.clock.runFor(2)
        await until('the unit to be read again', () => reads.length === 1)
        await page.clock.resume()
      }
    })

    test('[UNIT-027] [LIVE-007] devices that join or leave reload the list, 3000 ms after the last of them', async () => {
      await newPage()
      const { got } = listenIn()
      await openList()
      const reads = listReads()
      const chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
      await holdTime()
      /** The page has received that the device came or went. */
      const isReported = async (kind: 'deviceAdded' | 'deviceRemoved', id: string) => {
        await until(kind, () => got.some((one) => one.kind === kind && JSON.stringify(one.data).includes(id)))
        await pause(300)
      }
      const join = async (name: string) => {
        const device = await joinDevice(stage, { name, groupId: crew })
        devices.push(device)
        await isReported('deviceAdded', device.id)
        return device
      }
      await join('Late-1')
      await page.clock.runFor(2900)
      const late = await join('Late-2')
      await page.clock.runFor(2999)
      await pause(300)
      expect(reads).toEqual([])
      await page.clock.runFor(1)
      await until('one reload', () => reads.length === 1)
      await page.clock.resume()
      await search('Late-')
      await page.getByText('Late-2').first().waitFor()
      const shown = () => rows().filter({ hasText: 'Late-' }).count()
      expect(await shown()).toBe(2)
      await holdTime()
      await chief.call(api.groupAdministration.removeUnit, { params: { groupId: crew, id: late.id } })
      await isReported('deviceRemoved', late.id)
      await page.clock.runFor(2999)
      await pause(200)
      expect([reads.length, await shown()]).toEqual([1, 2])
      await page.clock.runFor(1)
      await until('one reload', () => reads.length === 2)
      await page.clock.resume()
      await until('the unit to be gone', async () => (await shown()) === 1)
      await search('')
      await until('the filter to be saved', async () => (await saved()).filters.device?.text === '')
    })

    test('[LIVE-008] services of a server are read again after 30 minutes, its SMPTE configuration after 60 s', async () => {
      await newPage()
      await page.goto(`${stage.url}/unit/multiview?ignoreRouteDefault=1`)
      const services = countCalls((path) => /^\/v2\/servers\/[^/]+\/services$/.test(path))
      const smpte = countCalls((path) => path.endsWith('/configuration/smpte'))
      const readCounts = async () => {
        await page.locator('[data-part="server-head"]').first().click()
        await page.locator('[data-server-card]').getByText('Services').waitFor()
        await pause(400)
        const seen = [services.length, smpte.length]
        await page.locator('[data-part="server-head"]').first().click()
        await page.locator('[data-server-card]').waitFor({ state: 'hidden' })
        return seen
      }
      expect(await readCounts()).toEqual([1, 1])
      expect(await readCounts()).toEqual([1, 1])
      await page.clock.fastForward(61_000)
      expect(await readCounts()).toEqual([1, 2])
      await page.clock.fastForward(28 * 60_000)
      expect(await readCounts()).toEqual([1, 3])
      await page.clock.fastForward(61_000)
      await page.clock.fastForward(61_000)
      expect(await readCounts()).toEqual([2, 4])
    })

    test('[SHELL-029] [LIVE-001] [LIVE-003] [LIVE-007] [UNIT-026] 30 attempts come every 10 s, then it gives up until the user retries', async () => {
      await newPage()
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(error.message))
      await openList()
      await holdTime()
      await stage.end('core')
      const refuser = await openRefuser(Number(new URL(stage.url).port))
      try {
        for (let passedMs = 0; refuser.attempts() < 3 && passedMs < 6000; passedMs += 500) {
          await page.clock.runFor(500)
          await pause(150)
        }
        expect(refuser.attempts()).toBe(3)
        for (let attempt = 4; attempt <= 33; attempt++) {
          await page.getByText(`Next attempt (${attempt})`).waitFor()
          await page.clock.fastForward(9999)
          if (attempt === 4 || attempt === 33) await pause(300)
          expect(refuser.attempts()).toBe(attempt - 1)
          await page.clock.fastForward(1)
          await until(`attempt ${attempt}`, () => refuser.attempts() === attempt)
        }
        await page.getByText('Websocket Error', { exact: true }).first().waitFor()
        await page.getByText(/^maxReconnectOnClose reached/).waitFor()
        expect(faults).toEqual(['Websocket Error'])
        await page.clock.fastForward(60_000)
        await pause(300)
        expect(refuser.attempts()).toBe(33)
        // The check of the page needs time to pass.
        await page.clock.resume()
        expect(await violations(page)).toEqual([])
      } finally {
        await refuser.close()
      }
      await stage.start('core', { env: { BACKHAUL_PORT: new URL(stage.url).port } })
      const reads = listReads()
      await page.getByRole('button', { name: 'Connect now' }).click()
      await reconnected()
      await until('the list to be read again', () => reads.length > 0)
      await page.getByText('Websocket Error').waitFor({ state: 'hidden' })
    })
  })
})

/** Another server at core's port: it accepts every push connection and drops it immediately. */
async function openRefuser(port: number) {
  let attempts = 0
  const http: Server = createServer((_, response) => response.writeHead(503).end())
  const sockets = new WebSocketServer({ noServer: true })
  const open = new Set<Socket>()
  http.on('connection', (socket) => open.add(socket))
  http.on('upgrade', (request, socket, head) => {
    if (!request.url?.endsWith(PUSH_PATH)) return socket.destroy()
    sockets.handleUpgrade(request, socket, head, (accepted) => {
      attempts++
      accepted.close()
    })
  })
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, '127.0.0.1', resolve)
  })
  return {
    attempts: () => attempts,
    async close() {
      // An upgraded socket is no longer the server's own, yet the server waits for it.
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
