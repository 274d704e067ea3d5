import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { api as contract } from '@backhaul/contract/api/api'
import { CSRF_COOKIE, REST_BASE, SIGN_IN_COOKIE } from '@backhaul/contract/define/endpoint'
import { fault } from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestCore, type TestCore } from '../../testing.ts'

const application = { 'application-id': 'test' }

describe('the HTTP door', () => {
  let test: TestCore
  beforeAll(async () => {
    test = await createTestCore('sqlite')
  })
  afterAll(() => test.remove())

  it('refuses a call that does not name its application', async () => {
    for (const path of ['/groups/light_fetch', '/no/such/call']) {
      const response = await (await test.signedIn('olivia')).send({ url: REST_BASE + path })
      expect(response.statusCode).toBe(400)
      expect(response.json().fields).toEqual([fault('application-id', 'field.required')])
    }
  })

  it('refuses every call without a sign-in, before any other check', async () => {
    const browser = test.browser()
    for (const url of ['/groups/light_fetch', '/users/contact', '/groups/fetch_features']) {
      const response = await browser.send({ url: REST_BASE + url, headers: application })
      expect([response.statusCode, response.json()]).toMatchObject([
        401,
        { code: 401, cause: { code: 'signIn.required' } },
      ])
    }
    browser.cookies.set(SIGN_IN_COOKIE, 'guessed')
    const response = await browser.send({ url: `${REST_BASE}/groups/light_fetch`, headers: application })
    expect(response.statusCode).toBe(401)
  })

  it('answers an unknown call with 404 as JSON', async () => {
    const response = await test.browser().send({ url: `${REST_BASE}/no/such/call?x=1`, headers: application })
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ code: 404, message: 'GET /no/such/call not found.' })
  })

  it('answers a read by GET alone', async () => {
    const url = `${REST_BASE}/groups/light_fetch`
    const response = await (await test.signedIn('olivia')).send({ method: 'HEAD', url, headers: application })
    expect(response.statusCode).toBe(404)
  })

  it('refuses an address that is too long or malformed like any other wrong call', async () => {
    const long = { url: `${REST_BASE}/v2/units/${'x'.repeat(201)}`, headers: application }
    const refused = await test.browser().send(long)
    expect([refused.statusCode, refused.json()]).toMatchObject([
      414,
      { code: 414, message: 'The address is too long.' },
    ])
    const broken = await test.browser().send({ url: `${REST_BASE}/v2/units/%E0%A4%A`, headers: application })
    expect([broken.statusCode, broken.json().message]).toEqual([400, 'Invalid field'])
    for (const { headers } of [refused, broken])
      expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' })
  })

  it('refuses a character that no database stores, in every place', async () => {
    const olivia = await test.signedIn('olivia')
    const refused = (field: string) => ({ code: 400, fields: [fault(field, 'text.nul')] })
    const params = { id: 'u\0' }
    await expect(olivia.call(contract.units.one, { params })).rejects.toMatchObject(refused('id'))
    await expect(olivia.call(contract.outbox.retry, { params })).rejects.toMatchObject(refused('id'))
    const query = { group: 'london\0' }
    await expect(olivia.call(contract.units.ofGroup, { query })).rejects.toMatchObject(refused('group'))
    const body = { gridPrefs: { units: { 'a\0b': 1 } } } as object
    await expect(olivia.call(contract.client.savePreferences, { body })).rejects.toMatchObject(
      refused('gridPrefs.units.ab'),
    )
  })

  it('names every field of a request that breaks its rule', async () => {
    const olivia = await test.signedIn('olivia')
    const body = { email: 'nonsense', phone: '+44', firstName: 'olivia', lastName: 'H' }
    await expect(olivia.call(contract.client.saveContact, { body })).rejects.toMatchObject({
      code: 400,
      fields: [
        fault('email', 'address.email'),
        fault('phone', 'text.digits'),
        fault('firstName', 'user.firstNameUppercase'),
        { field: 'lastName', message: 'Must be between 2 and 255 characters' },
      ],
    })
    const missing = await olivia.send({ url: `${REST_BASE}/groups/fetch_features`, headers: application })
    expect(missing.json()).toMatchObject({
      code: 400,
      message: 'Invalid field',
      fields: [fault('uid', 'field.required')],
    })
  })

  it('refuses a body that is not JSON, is too large or has another content type', async () => {
    const olivia = await test.signedIn('olivia')
    const headers = { ...application, 'x-csrf-token': olivia.cookies.get(CSRF_COOKIE) ?? '' }
    const post = (payload: string, type: string) =>
      olivia.send({
        method: 'POST',
        url: `${REST_BASE}/users/contact`,
        headers: { ...headers, 'content-type': type },
        payload,
      })
    expect((await post('{"email":', 'application/json')).json()).toMatchObject({
      code: 400,
      message: 'Invalid field',
      fields: [fault('(body)', 'field.invalid')],
    })
    expect((await post('{"__proto__":{"x":1}}', 'application/json')).json().fields).toEqual([
      fault('(body)', 'field.invalid'),
    ])
    expect((await post(`"${'x'.repeat(300_000)}"`, 'application/json')).statusCode).toBe(413)
    expect((await post('email=x', 'application/x-www-form-urlencoded')).statusCode).toBe(415)
    expect((await post('', 'application/json')).statusCode).toBe(400)
  })

  it('refuses a body that is nested deeper than any call, also without a sign-in', async () => {
    const deep = [
      '['.repeat(100_000) + ']'.repeat(100_000),
      `{"username":"a","password":${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}}`,
      '['.repeat(200_000),
    ]
    for (const payload of deep) {
      const response = await test.browser().send({
        method: 'POST',
        url: '/login',
        headers: { 'content-type': 'application/json' },
        payload,
      })
      expect([response.statusCode, response.json().fields]).toEqual([
        400,
        [fault('(body)', because('request.tooDeep', { most: 32 }))],
      ])
    }
  })

  it('refuses a write without the CSRF token of this sign-in', async () => {
    const olivia = await test.signedIn('olivia')
    const sam = await test.signedIn('sam')
    const save = (token: string | undefined) =>
      olivia.send({
        method: 'PUT',
        url: `${REST_BASE}/userPreferences/vue`,
        headers: { ...application, ...(token !== undefined && { 'x-csrf-token': token }) },
        payload: { theme: 'light' },
      })
    for (const token of [undefined, '', 'guessed', sam.cookies.get(CSRF_COOKIE)]) {
      const response = await save(token)
      expect([response.statusCode, response.json().message]).toEqual([
        403,
        'The CSRF token is missing or wrong.',
      ])
    }
    expect((await save(olivia.cookies.get(CSRF_COOKIE))).statusCode).toBe(200)
  })

  it('refuses what the role does not allow, with the text of the specification', async () => {
    const vera = await test.signedIn('vera')
    await expect(vera.call(contract.groups.all, {})).rejects.toMatchObject({
      code: 403,
      message: 'Not available for your user type',
    })
  })

  it('reveals no internals when it fails', async () => {
    const olivia = await test.signedIn('olivia')
    const { list } = test.core.inventories
    test.core.inventories.list = () => Promise.reject(new Error('secret detail'))
    const response = await olivia.send({ url: `${REST_BASE}/inventories/`, headers: application })
    test.core.inventories.list = list
    expect([response.statusCode, response.json()]).toMatchObject([
      500,
      { code: 500, message: 'Generic Error' },
    ])
  })

  it('sends headers that limit pages, and require TLS where it is used', async () => {
    const send = (headers: Record<string, string>) =>
      test.core.api.app.inject({
        url: `${REST_BASE}/groups/light_fetch`,
        headers: { ...application, ...headers },
      })
    const plain = (await send({})).headers
    expect(plain['content-security-policy']).toContain("script-src 'self';")
    for (const rule of [
      "default-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ])
      expect(plain['content-security-policy']?.toString().split('; ')).toContain(rule)
    expect(plain).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    expect(plain['strict-transport-security']).toBeUndefined()
    const secure = (await send({ 'x-forwarded-proto': 'https' })).headers
    expect(secure['strict-transport-security']).toBe('max-age=31536000')
  })

  it('compresses a large answer to a read as the browser requests, and never one to a write', async () => {
    const olivia = await test.signedIn('olivia')
    const gridPrefs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `list-${at}`,
        { version: 1 as const, visibleColumns: [], sortState: null },
      ]),
    )
    const write = { method: 'PUT', url: `${REST_BASE}/userPreferences/vue` } as const
    const written = await olivia.send({
      ...write,
      headers: {
        ...application,
        'x-csrf-token': olivia.cookies.get(CSRF_COOKIE) ?? '',
        'accept-encoding': 'gzip',
      },
      payload: { gridPrefs },
    })
    expect([written.statusCode, written.headers['content-encoding']]).toEqual([200, undefined])
    const read = (url: string, encoding: string) =>
      olivia.send({ url: REST_BASE + url, headers: { ...application, 'accept-encoding': encoding } })
    const plain = await read('/userPreferences/vue', 'identity')
    expect(plain.headers['content-encoding']).toBeUndefined()
    const small = await read('/groups/light_fetch', 'gzip, br')
    expect(small.headers['content-encoding']).toBeUndefined()
    const large = await read('/userPreferences/vue', 'gzip, deflate, br, zstd')
    expect(large.headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': 'no-store' })
    expect(large.headers.vary).toMatch(/accept-encoding/i)
    expect(brotliDecompressSync(large.rawPayload).toString()).toBe(plain.body)
    expect(gunzipSync((await read('/userPreferences/vue', 'gzip')).rawPayload).toString()).toBe(plain.body)
  })

  it('reports its health and its figures', async () => {
    const health = await test.core.api.app.inject('/healthz')
    expect([health.statusCode, health.json()]).toEqual([200, { status: 'ok', database: 'ok', storage: 'ok' }])
    // Figures are not for all who can reach the console.
    expect((await test.core.api.app.inject('/metrics')).statusCode).toBe(404)
    expect(await test.core.metrics.metrics()).toContain(
      'backhaul_core_http_request_seconds_count{method="GET",route="/healthz",status="200"} 1',
    )
  })
})

describe('a failing core', () => {
  it('reports that its database does not answer', async () => {
    const test = await createTestCore('sqlite')
    await test.db.destroy()
    const health = await test.core.api.app.inject('/healthz')
    expect([health.statusCode, health.json()]).toEqual([
      503,
      { status: 'failing', database: 'unreachable', storage: 'unknown' },
    ])
    await test.remove()
  })
})
