// The start of the whole product on this machine, as `npm start` does it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'backhaul-start-'))
let started: ChildProcess | undefined
afterAll(() => {
  started?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

test('the demo starts with the inputs of the hub that the environment names', async () => {
  const launcher = join(import.meta.dirname, '..', '..', 'scripts', 'launch.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', launcher], {
    env: {
      ...process.env,
      BACKHAUL_DATA: folder,
      BACKHAUL_DEMO: '1',
      BACKHAUL_HOST: '127.0.0.1',
      BACKHAUL_HUB_INPUTS: 'rtmp',
      BACKHAUL_HUB_MEDIA_PORT: '0',
      BACKHAUL_LOG: 'json',
      BACKHAUL_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started = child
  const ended = once(child, 'exit')
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended,
  ])) as unknown[]
  expect(line).toContain('"ready":true')
  child.kill('SIGTERM')
  expect((await ended)[0]).toBe(0)
})
