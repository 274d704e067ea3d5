// `npm run pictures`: takes the pictures of docs/pictures from the running product, with a demo of its own.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { repository } from '../../scripts/places.ts'
import { type Chromium, openChromium, signInOnPage } from '../stage/browser.ts'
import { type Person, signIn } from '../stage/person.ts'
import { until } from '../stage/until.ts'

type Page = Chromium['page']

interface Scene {
  readonly file: string
  readonly user: string
  readonly path: string
  /** Opens what the picture shows; the first row of a list is there already where the screen has one. */
  readonly open?: (page: Page) => Promise<unknown>
  readonly hasRows?: false
  /** Changes that would show on all other pictures too. */
  readonly before?: (url: string) => Promise<unknown>
}

const adminPassword = 'Pictures-Desk-1'
/** Levels and graphs have some history by then. */
const settleMs = 5000
/** The hub makes the pictures of simulated channels one after another. */
const picturesWithinMs = 240_000

const rowOf = (page: Page, status: string) => page.locator('[data-row-id]', { hasText: status }).first()

const scenes: readonly Scene[] = [
  { file: 'unit-list', user: 'operator', path: '/unit/list', open: (page) => rowOf(page, 'Live').click() },
  {
    file: 'unit-page',
    user: 'operator',
    path: '/unit/list',
    open: (page) => rowOf(page, 'Live').dblclick(),
  },
  {
    file: 'wall',
    user: 'operator',
    path: '/unit/multiview',
    hasRows: false,
    open: (page) => page.getByRole('button', { name: 'Fill with live channels' }).click(),
  },
  {
    file: 'map',
    user: 'operator',
    path: '/unit/map',
    hasRows: false,
    open: (page) => page.getByRole('button', { name: 'Show all units' }).click(),
  },
  { file: 'stories', user: 'operator', path: '/unit/stories' },
  {
    file: 'channels',
    user: 'chief',
    path: '/manage/channels',
    async open(page) {
      await rowOf(page, 'London-1').dblclick()
      await page.getByRole('tab', { name: 'Streaming' }).click()
    },
  },
  {
    file: 'groups',
    user: 'chief',
    path: '/manage/groups',
    async open(page) {
      await page.locator('[data-row-id]', { hasText: 'London-News' }).dblclick()
      await page.getByRole('tab', { name: 'Units' }).click()
    },
  },
  { file: 'devices', user: 'chief', path: '/manage/devices' },
  { file: 'reports', user: 'chief', path: '/services/reports' },
  { file: 'system', user: 'admin', path: '/psg/system_settings/client_notification', before: writeMessage },
]

const dataFolder = mkdtempSync(join(tmpdir(), 'backhaul-pictures-'))
const launcher = spawn(process.execPath, [join(repository, 'scripts', 'launch.ts')], {
  cwd: repository,
  env: {
    ...process.env,
    BACKHAUL_DATA: dataFolder,
    BACKHAUL_LOG: 'json',
    BACKHAUL_DEMO: '1',
    BACKHAUL_HOST: '127.0.0.1',
    BACKHAUL_PORT: '0',
    BACKHAUL_METRICS_PORT: '0',
    BACKHAUL_HUB_MEDIA_PORT: '0',
    BACKHAUL_HUB_ADDRESS: '127.0.0.1',
    BACKHAUL_ADMIN_PASSWORD: adminPassword,
  },
  stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
})
try {
  await takePictures(await addressOf())
} finally {
  launcher.kill('SIGTERM')
  await new Promise((resolve) => launcher.once('exit', resolve))
  rmSync(dataFolder, { recursive: true, force: true })
}

async function addressOf(): Promise<string> {
  return await new Promise<string>((resolve, reject) => {
    createInterface({ input: launcher.stdout! }).on('line', (line) => {
      if (line.includes('"ready"')) resolve((JSON.parse(line) as { url: string }).url)
    })
    launcher.once('exit', (code) => reject(new Error(`The product did not start (code ${code})`)))
  })
}

async function takePictures(url: string): Promise<void> {
  const desk = await signIn(url, 'operator', DEMO_PASSWORD)
  await until('units on air', async () => (await liveUnits(desk)) >= 6, 300_000)
  await fill(url, desk)
  const folder = join(repository, 'docs', 'pictures')
  mkdirSync(folder, { recursive: true })
  for (const scene of scenes) await take(scene, url, join(folder, `${scene.file}.png`))
}

async function liveUnits(desk: Person): Promise<number> {
  const units = await desk.call(api.units.ofGroup, { query: { group: 'london-news' } })
  return units.filter(({ transmission }) => transmission !== null).length
}

/** Adds the objects that the demo has none of. */
async function fill(url: string, desk: Person): Promise<void> {
  const admin = await signIn(url, 'admin', adminPassword)
  const channels = await desk.call(api.channels.ofGroup, { query: { group: 'london-news' } })
  const first = channels.find(({ name }) => name === 'London-1')
  for (const [name, host] of [
    ['Archive', 'archive.example'],
    ['Partner network', 'partner.example'],
  ] as const)
    await admin.call(api.destinations.add, {
      body: {
        uid: first?.uniqueId ?? '',
        destination: { name, streamType: 'RTMP', urlPrimary: `rtmp://${host}/live/london-1` },
      },
    })
  for (const slugline of ['HARBOUR FIRE', 'BUDGET VOTE', 'CUP FINAL', 'STORM COAST'])
    await desk.call(api.stories.create, {
      params: { id: 'north-atlantic' },
      body: { slugline, crewName: 'Crew 2', reporter: 'Maya Lindqvist' },
    })
}

async function writeMessage(url: string): Promise<void> {
  const admin = await signIn(url, 'admin', adminPassword)
  const inWeek = new Date(Date.now() + 7 * 86_400_000).toISOString()
  await admin.call(api.notifications.create, {
    body: {
      body: 'Maintenance on Sunday from 02:00 to 04:00 UTC: receiving servers restart one after another.',
      expiration: inWeek,
      global: true,
      inventory: null,
      intervals: [24, 2],
    },
  })
}

async function take(
  { file, user, path, open, hasRows, before }: Scene,
  url: string,
  to: string,
): Promise<void> {
  await before?.(url)
  const { page, close } = await openChromium()
  try {
    await signInOnPage(page, url, user, user === 'admin' ? adminPassword : DEMO_PASSWORD)
    await page.goto(`${url}${path}`)
    if (hasRows !== false) await page.locator('[data-row-id]').first().waitFor()
    await open?.(page)
    const isWaiting = async () => (await page.getByText('Waiting for a picture').count()) > 0
    await until('all pictures', async () => !(await isWaiting()), picturesWithinMs)
    await wait(settleMs)
    const newOrder = page.getByRole('button', { name: 'Show new order' })
    if (await newOrder.isVisible()) await newOrder.click()
    await page.screenshot({ path: to })
    process.stdout.write(`${file}.png\n`)
  } finally {
    await close()
  }
}
