import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
    test = await createTestCore('sqlite', { consoleFolder: folder })
  })
  afterAll(async () => {
    await test.remove()
    rmSync(folder, { recursive: true })
  })

  const get = (url: string) => test.browser().send({ url })

  it('is the answer to every address that a person may type', async () => {
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

  it('lets browsers keep for ever what carries the hash of its content', async () => {
    const response = await get('/assets/index-AbC1.js')
    expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(response.headers['content-type']).toContain('javascript')
  })

  it('is not the answer to a missing file, a door or anything but reading', async () => {
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

  it('gives each build a name of its own, so that an old page loads itself again', async () => {
    const olivia = await test.signedIn('olivia')
    expect((await olivia.call(contract.client.configuration, {})).wsLibrary).toBe('index-AbC1.js')
  })
})
