import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { api as contract } from '@backhaul/contract/api/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestCore, type TestCore } from '../../testing.ts'

describe('the built console', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-console-'))
  let test: TestCore
  beforeAll(async () => {
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), '<script src="/assets/index-AbC1.js"></script><p>console')
    writeFileSync(join(folder, 'assets/index-AbC1.js'), 'start()')
    const shell = `show('${'unit '.repeat(500)}')`
    writeFileSync(join(folder, 'assets/shell-dEf2.js'), shell)
    writeFileSync(join(folder, 'assets/shell-dEf2.js.br'), brotliCompressSync(shell))
    writeFileSync(join(folder, 'assets/shell-dEf2.js.gz'), gzipSync(shell))
    test = await createTestCore('sqlite', { consoleFolder: folder })
  })
  afterAll(async () => {
    await test.remove()
    rmSync(folder, { recursive: true })
  })

  const get = (url: string) => test.browser().send({ url })

  it('is served at every address that a user may enter', async () => {
    for (const url of [
      '/',
      '/unit/list',
      '/manage/audio_rooms?ignoreRouteDefault=1',
      '/login',
      '/index.html',
    ]) {
      const response = await get(url)
      expect([url, response.statusCode, response.body]).toEqual([
        url,
        200,
        expect.stringContaining('<p>console'),
      ])
      expect(response.headers['content-type']).toContain('text/html')
      expect(response.headers['cache-control']).toBe('no-cache')
    }
  })

  it('lets browsers cache files with a hash in their name permanently', async () => {
    const response = await get('/assets/index-AbC1.js')
    expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(response.headers['content-type']).toContain('javascript')
  })

  it('is sent compressed as the browser requests, with its own type and name', async () => {
    const url = '/assets/shell-dEf2.js'
    const fetchWith = (encoding: string) =>
      test.browser().send({ url, headers: { 'accept-encoding': encoding } })
    const plain = await fetchWith('identity')
    expect(plain.headers['content-encoding']).toBeUndefined()
    for (const [accepted, sent] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
    ] as const) {
      const { headers, rawPayload } = await fetchWith(accepted)
      expect(headers).toMatchObject({
        'content-encoding': sent,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: expect.stringMatching(/accept-encoding/i),
      })
      expect(headers['content-type']).toBe(plain.headers['content-type'])
      expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 4)
    }
    expect(gunzipSync((await fetchWith('gzip')).rawPayload).toString()).toBe(plain.body)
  })

  it('is not served for a missing file, a door or a write', async () => {
    for (const url of [
      '/assets/old-1.js',
      '/favicon.ico',
      '/preview/x',
      '/gateway',
      '/luc/x',
      '/../settings.ts',
    ]) {
      expect([url, (await get(url)).statusCode]).toEqual([url, 404])
    }
    expect((await test.browser().send({ method: 'POST', url: '/unit/list' })).statusCode).toBe(404)
  })

  it('refuses an address that no file and no call can have', async () => {
    const long = 'x'.repeat(5000)
    for (const url of [`/${long}`, `/luc/luc-core-web/rest/admin/groups/${long}`, `/assets/${long}.js`]) {
      const response = await get(url)
      expect([response.statusCode, response.json().message]).toEqual([414, 'The address is too long.'])
    }
  })

  it('gives each build its own name, so that an old page reloads itself', async () => {
    const olivia = await test.signedIn('olivia')
    expect((await olivia.call(contract.client.configuration, {})).wsLibrary).toBe('index-AbC1.js')
  })
})
