// Real interfaces, routes and packets, in network namespaces of their own: the unit's modems are wwan1 (metric 100) and
// wwan2 (metric 200), and the receiver is behind both.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type SupervisedChild, superviseChild } from '@backhaul/runtime/child-process'
import { until } from '@backhaul/runtime/testing/until'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const unit = `bh-unit-${process.pid}`
const studio = `bh-hub-${process.pid}`
const hubAddress = '10.179.0.1'
const ip = (...args: string[]) => spawnSync('ip', args, { encoding: 'utf8' })
const canMakeNamespaces =
  process.getuid?.() === 0 && ip('netns', 'add', unit).status === 0 && ip('netns', 'del', unit).status === 0
const hasPython = spawnSync('python3', ['--version']).status === 0

/** Fails the test with the error output of ip. */
function inUnit(...args: string[]): void {
  const { status, stderr } = ip('-n', unit, ...args)
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`)
}

const addDefault = (modem: 1 | 2, ...more: string[]) =>
  inUnit('route', 'add', 'default', 'via', `10.17${modem}.0.1`, 'dev', `wwan${modem}`, ...more)

function bytesSent(modem: 1 | 2): number {
  const { stdout } = ip('-n', unit, '-s', '-j', 'link', 'show', `wwan${modem}`)
  return (JSON.parse(stdout) as [{ stats64: { tx: { bytes: number } } }])[0].stats64.tx.bytes
}

/** It is reported as working, and its own counter shows that packets leave by it. */
async function worksByItself(up: () => readonly string[], modem: 1 | 2): Promise<void> {
  await until(() => up().includes(`wwan${modem}`))
  const before = bytesSent(modem)
  await until(() => bytesSent(modem) > before + 100_000)
}

describe.runIf(canMakeNamespaces)('links in network namespaces', () => {
  const programs: SupervisedChild[] = []

  function run(namespace: string, args: readonly string[], onLine: (line: string) => void): void {
    const program = join(import.meta.dirname, 'testing', 'bond-program.ts')
    programs.push(
      superviseChild({
        command: 'ip',
        args: ['netns', 'exec', namespace, process.execPath, program, ...args],
        onStdoutLine: onLine,
      }),
    )
  }

  async function startBond(way: 'held' | 'byRoute'): Promise<() => readonly string[]> {
    let port: number | undefined
    let up: readonly string[] = []
    run(studio, ['receive', hubAddress, '0'], (line) => {
      port = (JSON.parse(line) as { port: number }).port
    })
    await until(() => port !== undefined)
    run(unit, ['send', hubAddress, String(port), way], (line) => {
      up = (JSON.parse(line) as { up: string[] }).up
    })
    return () => up
  }

  beforeEach(() => {
    for (const namespace of [unit, studio]) {
      ip('netns', 'add', namespace)
      ip('-n', namespace, 'link', 'set', 'lo', 'up')
    }
    ip('-n', studio, 'addr', 'add', `${hubAddress}/32`, 'dev', 'lo')
    for (const modem of [1, 2] as const) {
      inUnit('link', 'add', `wwan${modem}`, 'type', 'veth', 'peer', 'name', `net${modem}`, 'netns', studio)
      inUnit('addr', 'add', `10.17${modem}.0.2/24`, 'dev', `wwan${modem}`)
      inUnit('link', 'set', `wwan${modem}`, 'up')
      ip('-n', studio, 'addr', 'add', `10.17${modem}.0.1/24`, 'dev', `net${modem}`)
      ip('-n', studio, 'link', 'set', `net${modem}`, 'up')
      addDefault(modem, 'metric', `${modem}00`)
    }
  })

  afterEach(async () => {
    await Promise.all(programs.splice(0).map((program) => program.stop()))
    for (const namespace of [unit, studio]) ip('netns', 'del', namespace)
  })

  test.runIf(hasPython)('each link leaves by its own modem, regardless of the routes', async () => {
    const up = await startBond('held')
    await worksByItself(up, 1)
    await worksByItself(up, 2)

    // This removes its routes: packets sent over it still leave by it, to the host at its other end.
    inUnit('link', 'set', 'wwan2', 'down')
    inUnit('link', 'set', 'wwan2', 'up')
    await worksByItself(up, 2)
    addDefault(2, 'metric', '200')
    await worksByItself(up, 2)

    // A renewed lease with another address.
    inUnit('addr', 'del', '10.172.0.2/24', 'dev', 'wwan2')
    inUnit('addr', 'add', '10.172.0.7/24', 'dev', 'wwan2')
    addDefault(2, 'metric', '200')
    await worksByItself(up, 2)
    await worksByItself(up, 1)
  })

  test('a link that cannot be held is used only while the routes lead its packets to its own modem', async () => {
    const up = await startBond('byRoute')
    await worksByItself(up, 1)
    expect(up()).toEqual(['wwan1'])

    inUnit('rule', 'add', 'from', '10.172.0.2', 'table', '102', 'priority', '1002')
    addDefault(2, 'table', '102')
    await worksByItself(up, 2)

    // This empties table 102: packets would go by the other modem.
    inUnit('link', 'set', 'wwan2', 'down')
    inUnit('link', 'set', 'wwan2', 'up')
    await until(() => !up().includes('wwan2'))
    const before = bytesSent(1)
    await until(() => bytesSent(1) > before + 200_000)
    expect(up()).toEqual(['wwan1'])

    addDefault(2, 'table', '102')
    await worksByItself(up, 2)
  })
})
