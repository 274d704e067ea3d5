// The settings of links and the limit of data of a unit on its databridge, in network namespaces: judged by the counters of
// the kernel on each link, in both directions, and by what reaches the programs of the crew.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { UsageProfile } from '@backhaul/contract/nouns/usage-profiles'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { goOnFromEachOther } from '../stage/chains.ts'
import {
  bytesSent,
  canMakeNamespaces,
  makeByIp,
  makeCable,
  makeNamespace,
  removeNamespace,
} from '../stage/networks.ts'
import { type Listener, type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const patienceMs = patientMs(90_000)
const folder = mkdtempSync(join(tmpdir(), 'backhaul-tunnel-limits-'))
const studio = `bh-studio-${process.pid}`
const van = `bh-van-${process.pid}`
const coreHost = '10.199.0.1'
const gatewayPort = 21_900
const hostPort = 9000
/** The address at which programs of the crew reach the unit. */
const atUnit = '127.0.0.4'
const crewPort = 8090
const links = ['wwan0', 'eth0'] as const
const film = randomBytes(1_500_000)
const filmPath = join(folder, 'film.bin')
const usedUp = 'The data of the usage profile are used up until its reset day.'

/** Behind the gateway: serves the film, and answers what is sent to it with its length. */
const hostProgram = `
  const { createServer } = require('node:http')
  const film = require('node:fs').readFileSync(process.argv[1])
  createServer((request, response) => {
    if (request.method === 'GET') return response.end(film)
    let bytes = 0
    request.on('data', (part) => { bytes += part.length })
    request.on('end', () => response.end(String(bytes)))
  }).listen(${hostPort}, '${coreHost}', () => console.log('listening'))
`
/** The program of the crew: fetches the film, or sends it; prints the number of bytes that arrived. */
const crewProgram = `
  const [what, path] = process.argv.slice(1)
  const body = what === 'sent' ? require('node:fs').readFileSync(path) : undefined
  fetch('http://${atUnit}:${crewPort}/', { method: body ? 'POST' : 'GET', body })
    .then((answer) => (body ? answer.text() : answer.arrayBuffer().then(({ byteLength }) => byteLength)))
    .then((bytes) => console.log(String(bytes)), ({ cause }) => console.log(cause?.code ?? 'failed'))
`
const run = (namespace: string, program: string, ...args: string[]): ChildProcess =>
  spawn('ip', ['netns', 'exec', namespace, process.execPath, '-e', program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** The bytes of the film that arrived through the databridge, or the code of the error. */
async function carry(what: 'fetched' | 'sent'): Promise<string> {
  const program = run(van, crewProgram, what, filmPath)
  const [line] = (await once(program.stdout!, 'data')) as [Buffer]
  return line.toString().trim()
}

type Direction = 'up' | 'down'

/** The bytes that a link has carried so far, by the kernels at its two ends. */
const carriedBy = (link: (typeof links)[number], direction: Direction) =>
  direction === 'up' ? bytesSent(van, link) : bytesSent(studio, `van-${link}`)

describe.runIf(canMakeNamespaces())('limits of a databridge', () => {
  let stage: Stage
  let person: Person
  let push: Listener
  let host: ChildProcess
  let unit: Unit
  goOnFromEachOther()

  const showLines = () => console.error(stage.lines.slice(-60).join('\n'))
  const params = () => ({ id: unit.uid })
  const configure = (body: Parameters<typeof person.call<typeof api.unitSettings.configure>>[1]['body']) =>
    person.call(api.unitSettings.configure, { params: params(), body })
  const start = () => person.call(api.databridge.start, { params: params() })
  const stateIs = (word: string | undefined) =>
    push.until(
      `unit.${unit.uid}`,
      (now) => (now as Unit).applications?.databridge?.state === word,
      patienceMs,
    )

  function makeNetworks(): void {
    for (const name of [studio, van]) makeNamespace(name)
    makeByIp('-n', studio, 'addr', 'add', `${coreHost}/32`, 'dev', 'lo')
    for (const [at, name] of links.entries()) {
      const [near, far] = [
        { namespace: van, name, address: `10.200.${at}.2` },
        { namespace: studio, name: `van-${name}`, address: `10.200.${at}.1` },
      ]
      makeCable(near, far)
      // Messages between the unit and core use the cable.
      const way = ['default', 'via', far.address, 'dev', name, 'metric', String(200 - at)]
      makeByIp('-n', van, 'route', 'add', ...way)
      // Each link has its own way also where its socket is not bound to the interface.
      makeByIp('-n', van, 'route', 'add', ...way, 'table', String(100 + at))
      makeByIp('-n', van, 'rule', 'add', 'from', near.address, 'table', String(100 + at))
    }
  }

  beforeAll(async () => {
    writeFileSync(filmPath, film)
    makeNetworks()
    host = run(studio, hostProgram, filmPath)
    await once(host.stdout!, 'data')
    stage = await openStage({ demo: 0, namespace: studio })
    await stage.start('hub', {
      env: {
        BACKHAUL_HUB_ADDRESS: coreHost,
        BACKHAUL_HUB_UNIT_HOST: coreHost,
        BACKHAUL_HUB_CHANNELS: '1',
        BACKHAUL_HUB_DATABRIDGE_PORT: String(gatewayPort),
        BACKHAUL_HUB_DATABRIDGE_TO: `${coreHost}:${hostPort}`,
      },
    })
    await stage.start('agent', {
      namespace: van,
      env: {
        BACKHAUL_REGISTRATION_KEY: stage.registrationKey,
        BACKHAUL_CORE_URL: `ws://${coreHost}:${new URL(stage.innerUrl).port}/gateway`,
        BACKHAUL_DATABRIDGE_ADDRESS: atUnit,
        BACKHAUL_RETURN_PORT: '0',
      },
    })
    person = await signIn(stage.url, 'admin', adminPassword)
    unit = await until(
      'the unit with both links',
      async () =>
        (await person.call(api.units.ofGroup, { query: { group: 'newsroom' } })).find(
          ({ capabilities, modems }) => capabilities.databridge && modems.length === links.length,
        ),
      patienceMs,
    )
    const gateway = await until('the gateway', async () => {
      const [first] = await person.call(api.databridge.options, { params: params() })
      return first
    })
    const port = { protocol: 'tcp', port: crewPort, host: coreHost, hostPort } as const
    await person.call(api.databridge.set, {
      params: params(),
      body: { gateway: gateway.id, ports: [port] },
    })
    push = await person.listen([`unit.${unit.uid}`])
    await start()
    await stateIs('bridging')
  }, 4 * patienceMs)
  afterAll(async () => {
    push?.close()
    await stage?.stop()
    host?.kill()
    for (const name of [studio, van]) removeNamespace(name)
    rmSync(folder, { recursive: true, force: true })
  })

  /** The bytes over each link in this direction while the film is sent, and the rate. */
  async function measured(direction: Direction) {
    const before = links.map((link) => carriedBy(link, direction))
    const beganMs = performance.now()
    expect(await carry(direction === 'up' ? 'sent' : 'fetched')).toBe(String(film.length))
    const ms = performance.now() - beganMs
    const [modem = 0, cable = 0] = links.map((link, at) => carriedBy(link, direction) - before[at]!)
    console.info(`${direction}: modem ${modem}, cable ${cable} bytes in ${Math.round(ms)} ms`)
    return { modem, cable, modemKbps: (modem * 8) / ms }
  }

  test(
    '[DBIP-001] least cost bonding keeps it off the more expensive link in both directions',
    async () => {
      onTestFailed(showLines)
      await configure({ leastCostBonding: 'ETH/Wi-Fi first' })
      await until(
        'the film over the cable alone',
        async () => {
          const up = await measured('up')
          return up.modem < film.length / 8 && up.cable > film.length
        },
        patienceMs,
      )
      const down = await measured('down')
      expect(down.modem).toBeLessThan(film.length / 8)
      expect(down.cable).toBeGreaterThan(film.length)
    },
    3 * patienceMs,
  )

  test(
    '[DBIP-001] the cellular limit holds for it in each direction',
    async () => {
      onTestFailed(showLines)
      await configure({ leastCostBonding: 'modems first', cellularLimitKbps: 2000 })
      await until(
        'the film over the modem alone',
        async () => {
          const { modem, cable } = await measured('up')
          return modem > film.length && cable < film.length / 8
        },
        patienceMs,
      )
      for (const direction of ['up', 'down'] as const) {
        const { modem, modemKbps } = await measured(direction)
        expect(modem).toBeGreaterThan(film.length)
        // Headers of the cable count too.
        expect(modemKbps).toBeLessThan(2100)
      }
      await configure({ cellularLimitKbps: 0 })
    },
    4 * patienceMs,
  )

  test(
    '[DBIP-001] [USER-006] it ends when the data of its usage profile are used up, and the operator reads why',
    async () => {
      onTestFailed(showLines)
      const profile = await person.call(api.usageProfiles.create, {
        body: {
          name: 'Crew',
          inventory: unit.inventoryId,
          type: 'data',
          monthlyLimit: 1000,
          resetDay: new Date().getUTCDate(),
          units: [unit.uid],
        },
      })
      const change = (changes: Partial<UsageProfile>) =>
        person.call(api.usageProfiles.change, { params: { id: profile.id }, body: changes })
      const { usageInfo } = await person.call(api.units.one, { params: params() })
      await change({ monthlyLimit: Math.ceil(usageInfo?.used ?? 0) + 2 })
      expect((push.state(`unit.${unit.uid}`) as Unit).applications?.databridge?.state).toBe('bridging')
      await until('no open port', async () => (await carry('fetched')) === 'ECONNREFUSED', patienceMs)
      await stateIs(undefined)
      const [event] = await until('its reason', async () => {
        const found = await person.call(api.units.events, { params: params(), query: {} })
        return found.filter(({ what }) => what?.code === 'databridge.ended').slice(0, 1)
      })
      expect(event).toMatchObject({ text: `databridge ended: ${usedUp}`, severity: 'warning' })
      await expect(start()).rejects.toMatchObject({ status: 409, message: usedUp })
      await change({ monthlyLimit: 1000 })
      await start()
      await stateIs('bridging')
      expect(await carry('fetched')).toBe(String(film.length))
    },
    4 * patienceMs,
  )
})
