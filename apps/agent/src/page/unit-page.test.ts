// The page over real HTTP: what is served, to which requests, with which headers.
import { request } from 'node:http'
import type { UnitActual } from '@backhaul/contract/gateway/units'
import { systemClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { afterEach, expect, test } from 'vitest'
import type { PageState } from './page-state.ts'
import { createStills } from './stills.ts'
import { openUnitPage } from './unit-page.ts'

const password = 'crew-of-van-1'
const log = createLog({ name: 'test', format: 'json', level: 'silent' })
const actual = { state: 'idle', applications: {}, links: [] } as unknown as UnitActual
const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

async function open(more: { password?: string } = {}) {
  const common = { clock: systemClock, log }
  const noPicture = () => {
    throw new RangeError('There is no camera')
  }
  const page = await openUnitPage({
    ...common,
    host: '127.0.0.1',
    port: 0,
    password: more.password,
    name: `Van <1> & "crew's"`,
    facts: () => ({ isConnected: true, actual, sample: undefined }),
    cameras: 0,
    stills: createStills({ ...common, ffmpegPath: '', cameras: 0, pictureOf: noPicture }),
  })
  cleanUps.push(() => page.close())
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${page.address}${path}`, { headers })
  const enter = (given: string) =>
    fetch(`${page.address}/password`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ password: given }),
    })
  return { page, get, enter }
}

/** The states that a reader gets. */
async function* statesOf(response: Response): AsyncGenerator<PageState> {
  let rest = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const parts = `${rest}${chunk}`.split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) yield JSON.parse(part.replace(/^data: /, '')) as PageState
  }
}

test('everything comes from the unit itself, is kept nowhere, and runs no script of others', async () => {
  const { get } = await open()
  const html = await (await get('/')).text()
  expect(html).toContain('<title>Van &lt;1&gt; &amp; &quot;crew&#39;s&quot;</title>')
  expect(html).not.toMatch(/https?:|<script>|style=/)
  for (const [path, type] of [
    ['/', 'text/html; charset=utf-8'],
    ['/page.css', 'text/css; charset=utf-8'],
    ['/page.js', 'text/javascript; charset=utf-8'],
    ['/events', 'text/event-stream'],
  ] as const) {
    const response = await get(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    await response.body?.cancel()
  }
  expect((await get('/cameras/1.jpg')).status).toBe(404)
  expect((await get('/../etc/passwd')).status).toBe(404)
  expect(await (await get('/', { 'accept-language': 'es-ES' })).text()).toContain('<h2>Enlaces</h2>')
})

test('a reader gets the state, each second and immediately with the tally', async () => {
  const { page, get } = await open()
  const states = statesOf(await get('/events'))
  const next = async () => (await states.next()).value as PageState
  expect(await next()).toMatchObject({ onAir: false, live: { text: 'Not live' } })
  page.showTally(true)
  expect((await next()).onAir).toBe(true)
  expect((await next()).onAir).toBe(true)
  const late = statesOf(await get('/events', { 'accept-language': 'es' }))
  expect((await late.next()).value).toMatchObject({ onAir: true, live: { text: 'Sin transmitir' } })
})

test('at most sixteen readers are served, and one that leaves makes room', async () => {
  const { get } = await open()
  const readers = await Promise.all(Array.from({ length: 16 }, () => get('/events')))
  expect(readers.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200))
  expect((await get('/events')).status).toBe(503)
  await readers[0]?.body?.cancel()
  await expect.poll(async () => (await get('/events')).status).toBe(200)
})

test('without the password nothing of the unit is shown but its name', async () => {
  const { page, get, enter } = await open({ password })
  const form = await get('/')
  expect(form.status).toBe(403)
  const html = await form.text()
  expect(html).toContain('type="password"')
  expect(html).not.toContain('/page.js')
  for (const path of ['/events', '/page.js', '/cameras/1.jpg', '/other']) {
    const response = await get(path)
    expect([response.status, await response.text()]).toEqual([403, ''])
  }
  const wrong = await enter('crew-of-van-2')
  expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([403, null])
  expect(await wrong.text()).toContain('Wrong password')
  const right = await enter(password)
  expect([right.status, right.headers.get('location')]).toEqual([303, '/'])
  const cookie = right.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(await (await get('/', { cookie })).text()).toContain('/page.js')
  const events = await get('/events', { cookie })
  expect(events.status).toBe(200)
  await events.body?.cancel()
  for (let at = 0; at < 5; at++) await enter('guess')
  const later = await enter(password)
  expect([later.status, (await later.text()).includes('Too many wrong passwords')]).toEqual([429, true])
  const long = await fetch(`${page.address}/password`, { method: 'POST', body: 'x'.repeat(2000) })
  expect(long.status).toBe(413)
})

test('a page of another host does not read it by a name that leads here, and nothing is changed by it', async () => {
  const { page, get, enter } = await open()
  const { port } = new URL(page.address)
  const status = await new Promise((resolve, reject) => {
    const headers = { host: `van.example:${port}` }
    request({ host: '127.0.0.1', port, path: '/', headers }, (response) =>
      resolve(response.resume().statusCode),
    )
      .on('error', reject)
      .end()
  })
  expect(status).toBe(403)
  expect((await get('/')).status).toBe(200)
  expect((await enter(password)).status).toBe(405)
})
