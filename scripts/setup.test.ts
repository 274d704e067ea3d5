import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { areDependenciesCurrent, findPostgresql } from './setup.mjs'

const folder = mkdtempSync(join(tmpdir(), 'backhaul-setup-'))
afterAll(() => rmSync(folder, { recursive: true }))

const withNode = join(import.meta.dirname, 'with-node.mjs')
function script(source: string): string {
  const path = join(mkdtempSync(join(folder, 'script-')), 'main.ts')
  writeFileSync(path, source)
  return path
}

test('dependencies are current when every wanted package is there in its version', () => {
  const lock = (path: string, packages: object) =>
    writeFileSync(join(folder, path), JSON.stringify({ packages }))
  mkdirSync(join(folder, 'node_modules'))
  const wanted = {
    '': { name: 'root' },
    'apps/core': { version: '1.0.0' },
    'node_modules/zod': { version: '4.0.0' },
    'node_modules/@backhaul/core': { link: true },
    'node_modules/fsevents': { version: '2.0.0', optional: true },
  }
  const { 'node_modules/fsevents': _, ...present } = wanted
  lock('package-lock.json', wanted)
  expect(areDependenciesCurrent(folder)).toBe(false)
  lock('node_modules/.package-lock.json', present)
  expect(areDependenciesCurrent(folder)).toBe(true)
  lock('node_modules/.package-lock.json', { ...present, 'node_modules/zod': { version: '3.0.0' } })
  expect(areDependenciesCurrent(folder)).toBe(false)
})

test('machine code for this machine has to be there, that for others does not', () => {
  const copy = mkdtempSync(join(folder, 'native-'))
  mkdirSync(join(copy, 'node_modules'))
  const isCurrentWithout = (machine: object) => {
    const packages = { 'node_modules/binding': { version: '1.0.0', optional: true, ...machine } }
    writeFileSync(join(copy, 'package-lock.json'), JSON.stringify({ packages }))
    writeFileSync(join(copy, 'node_modules/.package-lock.json'), JSON.stringify({ packages: {} }))
    return areDependenciesCurrent(copy)
  }
  const here = { os: [process.platform], cpu: [process.arch] }
  expect(isCurrentWithout(here)).toBe(false)
  expect(isCurrentWithout({ ...here, libc: ['glibc', 'musl'] })).toBe(false)
  expect(isCurrentWithout({ ...here, libc: ['other'] })).toBe(true)
  expect(isCurrentWithout({ ...here, cpu: ['other'] })).toBe(true)
  expect(isCurrentWithout({ ...here, os: ['other'] })).toBe(true)
})

test('the newest PostgreSQL from 15 on is found where Debian puts it', () => {
  for (const version of ['9.6', '15', '17', '18']) {
    const binaries = join(folder, 'postgresql', version, 'bin')
    mkdirSync(binaries, { recursive: true })
    if (version === '18') continue
    for (const program of ['initdb', 'postgres']) {
      writeFileSync(join(binaries, program), `#!/bin/sh\necho 'postgres (PostgreSQL) ${version}.1'\n`, {
        mode: 0o755,
      })
    }
  }
  expect(findPostgresql(join(folder, 'postgresql'))).toBe(join(folder, 'postgresql', '17', 'bin'))
})

/** A copy of what a start needs, which wants a Node that does not exist yet. */
function copyForNode999(): string {
  const copy = mkdtempSync(join(folder, 'copy-'))
  mkdirSync(join(copy, 'scripts'))
  for (const name of ['setup.mjs', 'with-node.mjs'])
    copyFileSync(join(import.meta.dirname, name), join(copy, 'scripts', name))
  writeFileSync(join(copy, '.node-version'), '999\n')
  return copy
}

test('a Node older than .node-version is replaced by one that npm fetches', () => {
  const copy = copyForNode999()
  const npm = join(copy, 'npm-cli.js')
  writeFileSync(
    npm,
    `console.error('npm error requested ' + process.argv.slice(2).join(' ')); process.exit(1)`,
  )
  const { stderr, status } = spawnSync(
    process.execPath,
    [join(copy, 'scripts', 'with-node.mjs'), script('')],
    { encoding: 'utf8', env: { ...process.env, npm_execpath: npm } },
  )
  expect(status).toBe(1)
  expect(stderr).toMatch(/npm error requested install .*@999 /)
  expect(stderr).toContain('Node 999 could not be fetched')
})

test('where that Node cannot be stored, the start prints what to do, and is not to be tried again', () => {
  const copy = copyForNode999()
  writeFileSync(join(copy, '.tools'), '')
  const { stderr, status } = spawnSync(
    process.execPath,
    [join(copy, 'scripts', 'with-node.mjs'), script('')],
    { encoding: 'utf8' },
  )
  expect(status).toBe(78)
  expect(stderr).toContain('Backhaul needs Node 999, and this is Node ')
  expect(stderr).toContain(`let this account write ${join(copy, '.tools')}`)
})

test('npm installs the dependencies under the Node that will run them', () => {
  const copy = copyForNode999()
  const newNode = `#!/bin/sh\n[ "$1" = -p ] && echo 999.0.0 && exit\necho "npm error by Node 999: $*"; exit 1\n`
  // As an argument, and as the npm of the PATH, which looks up its Node there.
  const npm = join(copy, 'npm-cli.js')
  writeFileSync(
    npm,
    `#!/usr/bin/env node
    const { mkdirSync, writeFileSync } = require('node:fs')
    const [, folder, , name] = process.argv.slice(3)
    const bin = folder + '/node_modules/' + name.split('@')[0] + '/bin'
    mkdirSync(bin, { recursive: true })
    writeFileSync(bin + '/node', ${JSON.stringify(newNode)}, { mode: 0o755 })
    writeFileSync(bin + '/../package.json', '{"version":"999.0.0"}')`,
    { mode: 0o755 },
  )
  mkdirSync(join(copy, 'bin'))
  symlinkSync(npm, join(copy, 'bin', 'npm'))
  const path = [join(copy, 'bin'), process.env.PATH].join(delimiter)
  for (const npm_execpath of [npm, undefined]) {
    const { stderr, status } = spawnSync(
      process.execPath,
      [join(copy, 'scripts', 'with-node.mjs'), script('')],
      { encoding: 'utf8', env: { ...process.env, PATH: path, npm_execpath } },
    )
    expect(status).toBe(1)
    expect(stderr).toMatch(/npm error by Node 999: \S*npm(-cli\.js)? ci /)
    rmSync(join(copy, '.tools'), { recursive: true })
  }
})

test('a script runs with its arguments, its output and its exit code', () => {
  const path = script('const word: string = process.argv[2] ?? ""; console.log(word); process.exitCode = 7')
  const { stdout, status } = spawnSync(process.execPath, [withNode, path, 'hello'], { encoding: 'utf8' })
  expect([stdout, status]).toEqual(['hello\n', 7])
})

test('a signal is passed on, and the end by a signal is passed back', async () => {
  const polite = `process.on('SIGTERM', () => { console.log('stopped'); process.exit(5) })`
  for (const [handler, end] of [
    [polite, { output: 'ready\nstopped\n', code: 5, signal: null }],
    ['', { output: 'ready\n', code: null, signal: 'SIGTERM' }],
  ] as const) {
    const path = script(`${handler}\nsetInterval(() => {}, 1000)\nconsole.log('ready')`)
    const child = spawn(process.execPath, [withNode, path], { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk) => {
      if (output === '') child.kill('SIGTERM')
      output += chunk
    })
    const [code, signal] = await once(child, 'close')
    expect({ output, code, signal }).toEqual(end)
  }
})
