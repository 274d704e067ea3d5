// The data that a link has carried, in a network namespace: core shows the sum of the kernel's own counters, also
// after the agent was killed and after the interface was made again.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import type { LinkData } from '@backhaul/contract/nouns/modems'
import { type SupervisedChild, superviseChild } from '@backhaul/runtime/child-process'
import { signalProcess } from '@backhaul/runtime/testing/processes'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { goOnFromEachOther } from '../stage/chains.ts'
import {
  canMakeNamespaces,
  ip,
  makeByIp,
  makeCable,
  makeNamespace,
  passOnIn,
  removeNamespace,
  runIn,
} from '../stage/networks.ts'
import { passOn } from '../stage/pass-on.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { pause, until } from '../stage/until.ts'

const patienceMs = patientMs(90_000)
const agentMain = join(import.meta.dirname, '..', '..', 'apps', 'agent', 'src', 'main.ts')
const folder = mkdtempSync(join(tmpdir(), 'backhaul-link-data-'))
const van = `bh-van-${process.pid}`
const network = `bh-net-${process.pid}`
const corePort = 21_960
const wwan = { namespace: van, name: 'wwan0', address: '10.88.0.2' }
const tower = { namespace: network, name: 'tower', address: '10.88.0.1' }

/** Sends this many datagrams of 1000 bytes. */
const sendProgram = `
  const socket = require('node:dgram').createSocket('udp4')
  const [host, count] = [process.argv[1], Number(process.argv[2])]
  let left = count
  for (let at = 0; at < count; at++)
    socket.send(Buffer.alloc(1000), 9000, host, () => { if (--left === 0) socket.close() })
`
const send = (from: typeof wwan, to: typeof wwan, count: number) =>
  runIn(from.namespace, process.execPath, ['-e', sendProgram, to.address, String(count)])

/** The two ends know each other: no question about an address is counted. */
function introduce(one: typeof wwan, other: typeof wwan): void {
  const { stdout } = ip('-n', other.namespace, '-j', 'link', 'show', 'dev', other.name)
  const [device] = JSON.parse(stdout) as [{ address: string }]
  const entry = `neigh replace ${other.address} lladdr ${device.address} dev ${one.name} nud permanent`
  expect(ip('-n', one.namespace, ...entry.split(' ')).status).toBe(0)
}

/** The kernel's counters of the modem. */
function counters(): { sentBytes: number; receivedBytes: number } {
  const { stdout } = ip('-n', van, '-j', '-s', 'link', 'show', 'dev', wwan.name)
  const [device] = JSON.parse(stdout) as [{ stats64: { tx: { bytes: number }; rx: { bytes: number } } }]
  return { sentBytes: device.stats64.tx.bytes, receivedBytes: device.stats64.rx.bytes }
}

describe.runIf(canMakeNamespaces())('the data of a link', () => {
  goOnFromEachOther()
  let stage: Stage
  let person: Person
  let agent: SupervisedChild
  let ways: { stop(): unknown }[] = []
  /** The kernel's counters when the unit began to count, and those of interfaces that are gone. */
  let begun = { sentBytes: 0, receivedBytes: 0 }
  let gone = begun

  const startAgent = () =>
    superviseChild({
      command: 'ip',
      args: [
        'netns',
        'exec',
        van,
        process.execPath,
        '--disable-warning=ExperimentalWarning',
        agentMain,
        '--core',
        `http://127.0.0.1:${corePort}`,
        '--data',
        folder,
      ],
      env: { ...process.env, BACKHAUL_LOG: 'json', BACKHAUL_LOCAL_KEY: stage.localKey },
      killAfterMs: 20_000,
    })

  async function shown(): Promise<LinkData | undefined> {
    const [unit] = await person.call(api.units.ofGroup, { query: { group: 'newsroom' } })
    return unit && [...unit.modems, ...unit.offlineModems].find(({ id }) => id === wwan.name)?.data
  }

  /** Core shows exactly what the kernel has counted, and that is this at least. */
  async function sumIsTheKernels(atLeast: { sentBytes: number; receivedBytes: number }) {
    const sum = (what: 'sentBytes' | 'receivedBytes') => gone[what] + counters()[what] - begun[what]
    await until(
      'the sum of the kernel',
      async () => {
        const data = await shown()
        return data?.sentBytes === sum('sentBytes') && data.receivedBytes === sum('receivedBytes')
      },
      patienceMs,
    )
    expect(sum('sentBytes')).toBeGreaterThan(atLeast.sentBytes)
    expect(sum('receivedBytes')).toBeGreaterThan(atLeast.receivedBytes)
  }

  beforeAll(async () => {
    stage = await openStage({ demo: 0 })
    for (const namespace of [van, network]) {
      makeNamespace(namespace)
      // Nothing is sent over the link but what the test sends.
      runIn(namespace, 'sysctl', ['-q', '-w', 'net.ipv6.conf.default.disable_ipv6=1'])
    }
    makeCable(wwan, tower)
    introduce(wwan, tower)
    introduce(tower, wwan)
    const path = join(folder, 'core')
    const outer = await passOn({ path }, { host: '127.0.0.1', port: Number(new URL(stage.url).port) })
    const inner = await passOnIn(van, { host: '127.0.0.1', port: corePort }, { path })
    ways = [inner, { stop: () => outer.close() }]
    person = await signIn(stage.url, 'admin', adminPassword)
  }, 2 * patienceMs)
  afterAll(async () => {
    await agent?.stop()
    for (const way of ways) await way.stop()
    for (const namespace of [van, network]) removeNamespace(namespace)
    await stage?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test(
    'is counted by the kernel from the start of the unit on',
    async () => {
      send(wwan, tower, 200)
      // The answers that nothing listens there may be on their way.
      await pause(1000)
      begun = counters()
      agent = startAgent()
      await until('the count', async () => (await shown()) !== undefined, patienceMs)
      send(wwan, tower, 300)
      send(tower, wwan, 100)
      await sumIsTheKernels({ sentBytes: 300_000, receivedBytes: 100_000 })
    },
    2 * patienceMs,
  )

  test(
    'continues over a kill of the agent, with what the link carried in between',
    async () => {
      signalProcess(agent.pid(), 'SIGKILL')
      await agent.exited
      send(wwan, tower, 500)
      agent = startAgent()
      await sumIsTheKernels({ sentBytes: 800_000, receivedBytes: 100_000 })
    },
    2 * patienceMs,
  )

  test(
    'continues over an interface that is created again, also while the agent is off',
    async () => {
      const { sentBytes, receivedBytes } = counters()
      gone = { sentBytes: gone.sentBytes + sentBytes, receivedBytes: gone.receivedBytes + receivedBytes }
      makeByIp('-n', van, 'link', 'del', wwan.name)
      makeCable(wwan, tower)
      send(wwan, tower, 50)
      await sumIsTheKernels({ sentBytes: 850_000, receivedBytes: 100_000 })

      await agent.stop()
      const last = counters()
      gone = {
        sentBytes: gone.sentBytes + last.sentBytes,
        receivedBytes: gone.receivedBytes + last.receivedBytes,
      }
      makeByIp('-n', van, 'link', 'del', wwan.name)
      makeCable(wwan, tower)
      send(tower, wwan, 2000)
      agent = startAgent()
      await sumIsTheKernels({ sentBytes: 850_000, receivedBytes: 2_100_000 })
    },
    2 * patienceMs,
  )
})
