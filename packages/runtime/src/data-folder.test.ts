import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'

let folder: string
const running: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backhaul-folder-'))
})
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const module = new URL('./data-folder.ts', import.meta.url).href
const data = () => join(folder, 'data')

/** A process that opens the folder as `program`, writes a file and keeps running. */
function open(program: string, env: NodeJS.ProcessEnv = {}) {
  const code = `
    import { writeFileSync, mkdirSync } from 'node:fs'
    import { openDataFolder } from ${JSON.stringify(module)}
    const folder = ${JSON.stringify(data())}
    openDataFolder(folder, '${program}').announce('http://127.0.0.1:1234')
    mkdirSync(folder + '/made')
    writeFileSync(folder + '/made/later', '')
    process.stdout.write('open')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  })
  running.push(child)
  const stderr = text(child.stderr)
  return {
    child,
    opened: once(child.stdout, 'data'),
    refused: once(child, 'exit').then(() => stderr),
  }
}

const openToOthers = (path: string): string[] =>
  [path, ...readdirSync(path, { recursive: true }).map((name) => join(path, String(name)))].filter(
    (one) => statSync(one).mode & 0o077,
  )

it('is open to its owner alone, with what was there before and what is written later', async () => {
  mkdirSync(join(data(), 'recordings'), { recursive: true })
  writeFileSync(join(data(), 'recordings', 'a.ts'), '')
  writeFileSync(join(data(), 'run.sh'), '')
  const foreign = join(folder, 'foreign')
  writeFileSync(foreign, '')
  symlinkSync(foreign, join(data(), 'link'))
  chmodSync(foreign, 0o644)
  chmodSync(join(data(), 'run.sh'), 0o755)
  chmodSync(data(), 0o755)
  await open('core').opened
  expect(openToOthers(data())).toEqual([join(data(), 'link')])
  expect(statSync(foreign).mode & 0o777).toBe(0o644)
  expect(statSync(join(data(), 'run.sh')).mode & 0o777).toBe(0o700)
  expect(readdirSync(data())).toContain('made')
})

it('is refused to a second process of a kind with the first one’s id and address, until that one is killed', async () => {
  const first = open('core')
  await first.opened
  const refused = await open('core').refused
  expect(refused).toContain(`in use by core (process ${first.child.pid}, http://127.0.0.1:1234)`)
  expect(refused).toContain('BACKHAUL_DATA')
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  rmSync(join(data(), 'made'), { recursive: true })
  await open('core').opened
  rmSync(join(data(), 'made'), { recursive: true })
  await open('hub').opened
})

it('is waited for by a supervised process, whose predecessor may be about to end', async () => {
  const first = open('core')
  await first.opened
  rmSync(join(data(), 'made'), { recursive: true })
  const second = open('core', { BACKHAUL_SUPERVISED: '1' })
  const early = await Promise.race([
    second.opened,
    second.refused,
    new Promise((resolve) => setTimeout(resolve, 700, 'waits')),
  ])
  expect(early).toBe('waits')
  first.child.kill('SIGKILL')
  await second.opened
})
