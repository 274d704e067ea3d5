// The page over real HTTP: what is served, to which requests, with which headers.
import { request } from 'node:http'
import type { UnitActual } from '@backhaul/contract/gateway/units'
import { systemClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { afterEach, expect, test } from 'vitest'
import { createHeadset } from '../intercom/headset.ts'
import { createIntercom, firstJacks } from '../intercom/intercom.ts'
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

const common = { clock: systemClock, log }
const program = { command: 'cat', args: [] }

/** The lines of a unit with one headset that speaks, and one that only plays. */
function openIntercom() {
  const headsets = [
    createHeadset({ ...common, jack: 1, microphone: program, speaker: program, onChange: () => {} }),
    createHeadset({ ...common, jack: 2, microphone: undefined, speaker: program, onChange: () => {} }),
  ]
  const jacks = firstJacks(headsets)
  return createIntercom({ ...common, headsets, jacks: () => jacks, usable: () => [], onLost: () => {} })
}

async function open(more: { password?: string } = {}) {
  const noPicture = () => {
    throw new RangeError('There is no camera')
  }
  const intercom = openIntercom()
  const page = await openUnitPage({
    ...common,
    host: '127.0.0.1',
    port: 0,
    password: more.password,
    name: `Van <1> & "crew's"`,
    facts: () => ({ isConnected: true, actual, sample: undefined }),
    talk: () => intercom.talk,
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

/** Sends what a browser would on behalf of the page, unless other headers are given; the status and the body of the answer. */
async function post(
  address: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<[number, string]> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const { promise, resolve, reject } = Promise.withResolvers<[number, string]>()
  const sent = {
    origin: address,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  }
  request(`${address}${path}`, { method: 'POST', headers: sent }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => resolve([response.statusCode ?? 0, Buffer.concat(chunks).toString()]))
  })
    .on('error', reject)
    .end(text)
  return await promise
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

test('a microphone that one browser mutes is muted for all, and a line without one cannot be', async () => {
  const { page, get } = await open()
  const readers = [statesOf(await get('/events')), statesOf(await get('/events'))]
  /** The lines of every reader, when the first one of each is as wanted. */
  const whenMuted = (wanted: boolean) =>
    Promise.all(
      readers.map(async (states) => {
        for (;;) {
          const { lines } = (await states.next()).value as PageState
          if (lines[0]?.isMuted === wanted) return lines.map(({ isMuted }) => isMuted)
        }
      }),
    )
  expect(await whenMuted(false)).toEqual([
    [false, null],
    [false, null],
  ])
  expect(await post(page.address, '/microphone', { line: 1, muted: true })).toEqual([204, ''])
  expect(await whenMuted(true)).toEqual([
    [true, null],
    [true, null],
  ])
  expect(await post(page.address, '/talk', { line: 1, press: 'press-one', held: true })).toEqual([204, ''])
  expect(await post(page.address, '/talk', { line: 1, press: 'press-one', held: false })).toEqual([204, ''])
  expect(await post(page.address, '/microphone', { line: 1, muted: false })).toEqual([204, ''])
  expect(await whenMuted(false)).toEqual([
    [false, null],
    [false, null],
  ])
})

test('an order that the page does not send is refused with the part of it and the rule', async () => {
  const { page, get } = await open()
  const muted = { line: 1, muted: true }
  const talks = { line: 1, press: 'press-one', held: true }
  const rebound = { host: 'van.example', origin: 'http://van.example' }
  const origin = "origin: must be that of the unit's own page"
  const onlyMuted = 'body: must be an object of line and muted alone'
  const pressRule = 'press: must be 8 to 64 letters, digits, hyphens or underscores'
  for (const [path, body, headers, status, message] of [
    ['/microphone', muted, { origin: '' }, 403, origin],
    ['/microphone', muted, { origin: 'null' }, 403, origin],
    ['/microphone', muted, { origin: 'http://127.0.0.1:1' }, 403, origin],
    ['/talk', talks, { origin: 'https://van.example' }, 403, origin],
    ['/talk', talks, rebound, 403, 'host: must be a name of this machine'],
    ['/microphone', muted, { 'content-type': 'text/plain' }, 415, 'content-type: must be application/json'],
    [
      '/microphone',
      `{"line":1,"muted":true${' '.repeat(256)}}`,
      {},
      413,
      'content-length: must be 256 or less',
    ],
    ['/microphone', '{', {}, 400, onlyMuted],
    ['/microphone', '[]', {}, 400, onlyMuted],
    ['/microphone', { ...muted, held: true }, {}, 400, onlyMuted],
    ['/microphone', { line: 3, muted: true }, {}, 400, 'line: must be 1 or 2'],
    ['/microphone', { muted: true }, {}, 400, 'line: must be 1 or 2'],
    ['/microphone', { line: 1, muted: 'yes' }, {}, 400, 'muted: must be true or false'],
    ['/microphone', { line: 2, muted: true }, {}, 409, 'line: must have a headset with a microphone'],
    ['/talk', { ...talks, press: 'short' }, {}, 400, pressRule],
    ['/talk', { line: 1, held: true }, {}, 400, pressRule],
    ['/talk', { ...talks, held: 1 }, {}, 400, 'held: must be true or false'],
    ['/talk', { ...talks, muted: false }, {}, 400, 'body: must be an object of line, press and held alone'],
    ['/talk', { ...talks, line: 2 }, {}, 409, 'line: must have a headset with a microphone'],
  ] as const)
    expect(await post(page.address, path, body, headers), `${path} ${JSON.stringify(body)}`).toEqual([
      status,
      JSON.stringify({ message }),
    ])
  const presses = Array.from({ length: 17 }, (_, at) => ({ ...talks, press: `press-no-${at}` }))
  const answers = await Promise.all(presses.map((body) => post(page.address, '/talk', body)))
  expect(answers.filter(([status]) => status !== 204)).toEqual([
    [503, JSON.stringify({ message: 'press: too many buttons are held' })],
  ])
  expect((await get('/talk')).status).toBe(404)
  expect((await post(page.address, '/other', muted))[0]).toBe(405)
  const states = statesOf(await get('/events'))
  expect(((await states.next()).value as PageState).lines[0]?.isMuted).toBe(false)
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
  const order = { line: 1, muted: true }
  expect(await post(page.address, '/microphone', order)).toEqual([
    403,
    JSON.stringify({ message: 'password: must be entered on the page first' }),
  ])
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
  expect(
    (await post(page.address, '/microphone', order, { cookie, origin: 'http://other.example' }))[0],
  ).toBe(403)
  expect(await post(page.address, '/microphone', order, { cookie })).toEqual([204, ''])
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
