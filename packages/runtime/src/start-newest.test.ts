// Programs of a few lines that start as agent and hub do: which version runs, and what follows one that fails.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openInstalledVersions, RUNNING_VERSION } from './installed-versions.ts'
import { RESTART_CODE } from './stop.ts'

const urlOf = (name: string) => new URL(`./${name}.ts`, import.meta.url).href

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backhaul-versions-'))
  writeSetUp('first')
})
afterEach(() => rmSync(folder, { recursive: true }))

function writeSetUp(name: string): void {
  const program = `import { startNewest } from '${urlOf('start-newest')}'
    await startNewest(${JSON.stringify(folder)}, async () => console.log('${name} set up'))`
  writeFileSync(join(folder, 'main.mjs'), program)
}

const isConfirmed = `import { openInstalledVersions } from '${urlOf('installed-versions')}'
  openInstalledVersions(process.env.FOLDER).confirm()`

/** As the program of `running` does on order. */
function install(version: string, program: string, { withinMs = 60_000, running = '' } = {}): void {
  const files = join(folder, 'unpacked')
  mkdirSync(files)
  writeFileSync(join(files, 'main.js'), `${program}\nconsole.log('${version}')`)
  writeFileSync(join(files, 'package.json'), '{ "type": "module" }')
  mkdirSync(join(folder, 'versions'), { recursive: true })
  process.env[RUNNING_VERSION] = running
  openInstalledVersions(folder).install(files, { upgradeId: `to-${version}`, version, withinMs })
  delete process.env[RUNNING_VERSION]
}

/** The output of the program and its end. */
async function start(): Promise<[printed: string, end: number | string | null]> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(folder, 'main.mjs')], {
    env: { ...process.env, FOLDER: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk
  })
  const [code, signal] = await once(child, 'close')
  return [printed.trim(), signal ?? code]
}

const failed = () => openInstalledVersions(folder).failed()
const versions = () => readdirSync(join(folder, 'versions')).toSorted()

test('without another version the program runs that was set up', async () => {
  expect(await start()).toEqual(['first set up', 0])
  expect(existsSync(join(folder, 'versions'))).toBe(false)
})

test('an installed version that reaches core runs from then on, until another is set up on the machine', async () => {
  install('8.1.0', isConfirmed)
  expect(await start()).toEqual(['8.1.0', 0])
  expect(versions()).toEqual(['8.1.0', 'current', 'set-up'])
  expect(await start()).toEqual(['8.1.0', 0])
  install('8.2.0', isConfirmed, { running: '8.1.0' })
  install('8.3.0', isConfirmed, { running: '8.2.0' })
  expect(await start()).toEqual(['8.3.0', 0])
  // The newest of the previous versions is kept.
  expect(versions()).toEqual(['8.2.0', '8.3.0', 'current', 'set-up'])
  expect(failed()).toBeUndefined()
  writeSetUp('second')
  expect(await start()).toEqual(['second set up', 0])
})

test.each([
  ['ends with an error', 'process.exit(1)'],
  ['finds its settings wrong', 'process.exit(78)'],
  ['throws', "throw new Error('broken')"],
  ['is no program', 'import {'],
])(
  'a version that %s is followed by the one before, which its supervisor starts at once',
  async (_, program) => {
    install('8.1.0', isConfirmed)
    await start()
    install('8.2.0', program, { running: '8.1.0' })
    expect(await start()).toEqual(['', RESTART_CODE])
    expect(failed()).toEqual({ upgradeId: 'to-8.2.0', why: 'ended', withinMs: 60_000 })
    expect(await start()).toEqual(['8.1.0', 0])
    expect(await start()).toEqual(['8.1.0', 0])
  },
)

test.each([
  ['does nothing', ''],
  ['hangs', 'for (;;) {}'],
])('a version that %s, and does not reach core in time, is ended', async (_, program) => {
  install('8.1.0', program, { withinMs: 500 })
  const [, end] = await start()
  expect([RESTART_CODE, 'SIGTERM']).toContain(end)
  expect(failed()).toMatchObject({ upgradeId: 'to-8.1.0', why: 'notConnected' })
  expect(await start()).toEqual(['first set up', 0])
})

test('a version that is too late and then stops in order ends with the code of a restart', async () => {
  install('8.1.0', "process.on('SIGTERM', () => process.exit(0))", { withinMs: 500 })
  expect(await start()).toEqual(['8.1.0', RESTART_CODE])
  expect(await start()).toEqual(['first set up', 0])
})

test('a version that is killed is tried again', async () => {
  install('8.1.0', "process.kill(process.pid, 'SIGKILL')")
  expect(await start()).toEqual(['', 'SIGKILL'])
  expect(await start()).toEqual(['', 'SIGKILL'])
  expect(await start()).toEqual(['first set up', 0])
  expect(failed()).toMatchObject({ why: 'ended' })
})

test('an installation that was interrupted before the switch leaves the version as it was', async () => {
  install('8.1.0', isConfirmed)
  await start()
  install('8.2.0', isConfirmed, { running: '8.1.0' })
  const { fallBack, trial } = openInstalledVersions(folder)
  const begun = readFileSync(join(folder, 'versions', 'trial.json'))
  fallBack(trial()!, 'ended')
  rmSync(join(folder, 'versions', 'failed.json'))
  writeFileSync(join(folder, 'versions', 'trial.json'), begun)
  expect(await start()).toEqual(['8.1.0', 0])
  expect(failed()).toMatchObject({ upgradeId: 'to-8.2.0' })
})
