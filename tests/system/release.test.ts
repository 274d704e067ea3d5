// The archive that operators install: made as `npm run release` makes it, unpacked elsewhere, and started from there.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'

const repository = join(import.meta.dirname, '..', '..')
const place = mkdtempSync(join(tmpdir(), 'backhaul-release-'))
let started: ChildProcess | undefined
afterAll(() => {
  started?.kill('SIGKILL')
  rmSync(place, { recursive: true, force: true })
})

const noNetwork = /npm error .*(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED)/
const withinMs = 500_000

test(
  'the archive holds no tool that builds or tests, and core starts from it',
  async ({ skip }) => {
    const made = spawnSync(process.execPath, [join(repository, 'scripts', 'release.ts'), place], {
      encoding: 'utf8',
    })
    skip(noNetwork.test(made.stderr), 'npm cannot reach a registry, so no archive can be made')
    expect(made.stderr).toBe('')
    const [archive = ''] = readdirSync(place)
    expect(made.stdout).toMatch(new RegExp(`^[0-9a-f]{64}  ${join(place, archive)}\n$`))
    expect(spawnSync('tar', ['--extract', '--file', join(place, archive), '--directory', place]).status).toBe(
      0,
    )

    const folder = join(place, archive.replace(/\.tar\.gz$/, ''))
    const packages = readdirSync(join(folder, 'node_modules'))
    expect(packages).toEqual(expect.arrayContaining(['fastify', 'werift', 'ws']))
    for (const tool of ['vite', 'vitest', 'typescript', 'react', '@biomejs'])
      expect(packages).not.toContain(tool)

    const { NODE_ENV: _, ...env } = process.env
    const child = spawn(process.execPath, [join(folder, 'scripts', 'start.mjs')], {
      env: {
        ...env,
        BACKHAUL_DATA: join(place, 'data'),
        BACKHAUL_DEMO: '0',
        BACKHAUL_HOST: '127.0.0.1',
        BACKHAUL_HUB_MEDIA_PORT: '0',
        BACKHAUL_LOG: 'json',
        BACKHAUL_PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    started = child
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    const { ready, url } = JSON.parse(line) as { ready: boolean; url: string }
    expect(ready).toBe(true)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect(await (await fetch(url)).text()).toContain('<div id="root">')
    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0]).toBe(0)
    expect(existsSync(join(folder, '.tools'))).toBe(false)
  },
  withinMs,
)
