// IP pipes on the real path, in network namespaces: machines of a crew and machines of a studio are in one Ethernet, over
// the links of a unit, judged by what their kernels and programs receive.
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import type { IpPipe, IpPipeSettings } from '@backhaul/contract/nouns/ip-pipe'
import type { Unit } from '@backhaul/contract/nouns/units'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { tapFault } from '@backhaul/runtime/ethernet-tap'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { goOnFromEachOther } from '../stage/chains.ts'
import {
  bytesSent,
  canMakeNamespaces,
  ip,
  makeByIp,
  makeCable,
  makeNamespace,
  removeNamespace,
} from '../stage/networks.ts'
import { type Listener, type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const patienceMs = patientMs(90_000)
const folder = mkdtempSync(join(tmpdir(), 'backhaul-ip-pipe-'))
const studio = `bh-studio-${process.pid}`
const van = `bh-van-${process.pid}`
/** A machine of the crew, and one in the network of the studio. */
const ends = {
  camera: { namespace: `bh-cam-${process.pid}`, address: '10.77.0.20', owner: van, bridge: 'br-crew' },
  panel: { namespace: `bh-panel-${process.pid}`, address: '10.77.0.10', owner: studio, bridge: 'br-control' },
} as const
type End = keyof typeof ends
const coreHost = '10.195.0.1'
const pipePort = 21_950
const links = ['wwan0', 'wwan1'] as const
const film = randomBytes(400_000)
const filmPath = join(folder, 'film.bin')
const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Serves the film, and counts the bytes of datagrams. */
const hostProgram = `
  const { createServer } = require('node:http')
  const { readFileSync } = require('node:fs')
  const film = readFileSync(process.argv[1])
  let bytes = 0
  const socket = require('node:dgram').createSocket('udp4')
  socket.on('message', (part) => { bytes += part.length })
  socket.bind(9000)
  const server = createServer(({ url }, response) => response.end(url === '/film' ? film : String(bytes)))
  server.listen(9000, '0.0.0.0', () => console.log('listening'))
`
const fetchProgram = `
  const { createWriteStream } = require('node:fs')
  const { pipeline } = require('node:stream/promises')
  const [address, path, withinMs] = process.argv.slice(1)
  const options = withinMs ? { signal: AbortSignal.timeout(Number(withinMs)) } : {}
  fetch(address, options).then(({ body }) => pipeline(body, createWriteStream(path))).catch(() => process.exit(1))
`
/** Sends as many bytes as it is given, as fast as it can. */
const floodProgram = `
  const socket = require('node:dgram').createSocket('udp4')
  const [address, bytes] = process.argv.slice(1)
  let left = Number(bytes)
  const next = () => left > 0 ? socket.send(Buffer.alloc(1200), 9000, address, () => { left -= 1200; setImmediate(next) }) : socket.close()
  next()
`

const run = (namespace: string, program: string, ...args: string[]): ChildProcess =>
  spawn('ip', ['netns', 'exec', namespace, process.execPath, '-e', program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** The time in ms in which nothing may arrive; a transfer takes less than a second. */
const nothingWithinMs = '4000'

async function fetched(from: End, path: string, ...within: string[]): Promise<boolean> {
  const [here, there] = from === 'panel' ? (['camera', 'panel'] as const) : (['panel', 'camera'] as const)
  const program = run(
    ends[here].namespace,
    fetchProgram,
    `http://${ends[there].address}:9000/film`,
    join(folder, path),
    ...within,
  )
  const [code] = (await once(program, 'exit')) as [number | null]
  return code === 0
}

const arrived = (path: string) => readFileSync(join(folder, path))
const sizeOf = (path: string) => statSync(join(folder, path), { throwIfNoEntry: false })?.size ?? 0

/** The hardware address of a machine: its own, and as its neighbour sees it. */
const macOf = ({ namespace }: (typeof ends)[End]) =>
  (JSON.parse(ip('-n', namespace, '-j', 'link', 'show', 'dev', 'eth0').stdout) as [{ address: string }])[0]
    .address
const neighbourOf = (end: End, address: string) =>
  (
    JSON.parse(ip('-n', ends[end].namespace, '-j', 'neigh', 'show').stdout || '[]') as {
      dst: string
      lladdr?: string
    }[]
  ).find(({ dst }) => dst === address)?.lladdr

const tapsIn = (namespace: string) =>
  ip('-n', namespace, '-o', 'link', 'show').stdout.match(/tap-ippipe\d+/g) ?? []

const canRun =
  canMakeNamespaces() && existsSync('/dev/net/tun') && !/perl/.test((await tapFault('none')) ?? '')

describe.runIf(findFfmpeg() && canRun)('IP pipe', () => {
  let stage: Stage
  let person: Person
  let push: Listener
  let unit: Unit
  let serverId = ''
  let settings: IpPipeSettings
  const hosts: ChildProcess[] = []
  goOnFromEachOther()

  const params = () => ({ id: unit.uid })
  const pipeIs = (check: (pipe: IpPipe) => boolean) =>
    push.until(`unit.${unit.uid}`, (now) => check((now as Unit).ipPipe), patienceMs)
  const stateIs = (word: IpPipe['state']) => pipeIs(({ state }) => state === word)
  const showLines = () => console.error(stage.lines.slice(-60).join('\n'))

  function makeNetworks(): void {
    for (const name of [studio, van]) makeNamespace(name)
    makeByIp('-n', studio, 'addr', 'add', `${coreHost}/32`, 'dev', 'lo')
    for (const [at, name] of links.entries()) {
      const net = `10.196.${at}`
      const [near, far] = [
        { namespace: van, name, address: `${net}.2` },
        { namespace: studio, name: `van-${name}`, address: `${net}.1` },
      ]
      makeCable(near, far, 3000)
      const metric = String(100 + at)
      makeByIp('-n', van, 'route', 'add', 'default', 'via', far.address, 'dev', name, 'metric', metric)
    }
    for (const { namespace, address, owner, bridge } of Object.values(ends)) {
      makeNamespace(namespace)
      makeByIp('-n', owner, 'link', 'add', bridge, 'type', 'bridge')
      makeByIp('-n', owner, 'link', 'set', bridge, 'up')
      const peer = ['peer', 'name', 'eth0', 'netns', namespace]
      makeByIp('-n', owner, 'link', 'add', `${bridge}-p`, 'type', 'veth', ...peer)
      makeByIp('-n', owner, 'link', 'set', `${bridge}-p`, 'master', bridge, 'up')
      makeByIp('-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
      makeByIp('-n', namespace, 'link', 'set', 'eth0', 'up')
    }
    makeByIp('-n', studio, 'addr', 'add', '10.77.0.1/24', 'dev', ends.panel.bridge)
  }

  beforeAll(async () => {
    writeFileSync(filmPath, film)
    makeNetworks()
    for (const { namespace } of Object.values(ends)) {
      const host = run(namespace, hostProgram, filmPath)
      hosts.push(host)
      await once(host.stdout!, 'data')
    }
    stage = await openStage({ demo: 0, namespace: studio })
    await stage.start('hub', {
      env: {
        BACKHAUL_HUB_ADDRESS: coreHost,
        BACKHAUL_HUB_UNIT_HOST: coreHost,
        BACKHAUL_HUB_CHANNELS: '1',
        BACKHAUL_HUB_IP_PIPE_NETWORKS: `${ends.panel.bridge},br-elsewhere`,
      },
    })
    await stage.start('agent', {
      namespace: van,
      env: {
        BACKHAUL_UNIT_NAME: 'Van-1',
        BACKHAUL_REGISTRATION_KEY: stage.registrationKey,
        BACKHAUL_CORE_URL: `ws://${coreHost}:${new URL(stage.innerUrl).port}/gateway`,
        BACKHAUL_RETURN_PORT: '0',
        BACKHAUL_IP_PIPE_BRIDGE: ends.camera.bridge,
      },
    })
    person = await signIn(stage.url, 'admin', adminPassword)
    unit = await until(
      'the unit',
      async () => {
        const found = await person.call(api.units.ofGroup, { query: { group: 'newsroom' } })
        return found.find(({ idle, capabilities }) => idle && capabilities.ipPipe)
      },
      patienceMs,
    )
    push = await person.listen([`unit.${unit.uid}`])
  }, 3 * patienceMs)
  afterAll(async () => {
    push?.close()
    await stage?.stop()
    for (const host of hosts) host.kill()
    for (const name of [studio, van, ...Object.values(ends).map(({ namespace }) => namespace)])
      removeNamespace(name)
    rmSync(folder, { recursive: true, force: true })
  })

  test('[SRV-008] the server that can hold a pipe is offered, with the Ethernet networks of its machine', async () => {
    onTestFailed(showLines)
    const [server] = await until('the server', async () => {
      const { items, limit } = await person.call(api.ipPipe.servers, {
        params: { inv: unit.inventoryId },
        query: { searchKey: 'ipPipe' },
      })
      expect(limit).toBe(1000)
      return items.length > 0 ? items : undefined
    })
    serverId = server?.deviceId ?? ''
    const known = JSON.parse(ip('-n', studio, '-j', 'link', 'show', 'dev', ends.panel.bridge).stdout) as [
      { address: string },
    ]
    expect(await person.call(api.ipPipe.ethernets, { params: { id: serverId } })).toEqual([
      {
        name: ends.panel.bridge,
        mac: known[0].address,
        addresses: ['10.77.0.1'],
        sockets: [`${ends.panel.bridge}-p`],
        up: true,
      },
    ])
    const [channel] = await person.call(api.channels.ofGroup, { query: { group: 'newsroom' } })
    settings = {
      serverId,
      channel: channel?.uniqueId ?? '',
      port: pipePort,
      interface: '',
      description: 'Camera control',
    }
    await person.call(api.ipPipe.setUnit, { params: params(), body: settings })
    await expect(person.call(api.ipPipe.connect, { params: params() })).rejects.toMatchObject({
      status: 409,
      message: 'The IP pipe of the server is not open.',
    })
    await person.call(api.ipPipe.configure, {
      params: { id: serverId },
      body: { enabled: true, interface: ends.panel.bridge, port: pipePort },
    })
  })

  test(
    '[DBIP-004] machines of the crew and of the studio are in one Ethernet, both ways, over both links',
    async () => {
      onTestFailed(showLines)
      expect(await fetched('camera', 'too-early.bin', nothingWithinMs)).toBe(false)
      await until('the open port', () =>
        person.call(api.ipPipe.connect, { params: params() }).then(
          () => true,
          () => false,
        ),
      )
      await stateIs('connected')
      const before = links.map((link) => bytesSent(van, link))
      expect(await fetched('camera', 'from-camera.bin')).toBe(true)
      expect(sumOf(arrived('from-camera.bin'))).toBe(sumOf(film))
      expect(await fetched('panel', 'from-panel.bin')).toBe(true)
      expect(sumOf(arrived('from-panel.bin'))).toBe(sumOf(film))
      // One Ethernet, not a way through a router: each sees the hardware address of the other.
      expect(neighbourOf('panel', ends.camera.address)).toBe(macOf(ends.camera))
      expect(neighbourOf('camera', ends.panel.address)).toBe(macOf(ends.panel))
      for (const [at, link] of links.entries())
        expect(bytesSent(van, link) - (before[at] ?? 0)).toBeGreaterThan(film.length / 10)
      expect(tapsIn(studio)).toHaveLength(1)
    },
    3 * patienceMs,
  )

  test(
    '[DBIP-004] with priorities of links it uses the first one alone, in both directions',
    async () => {
      onTestFailed(showLines)
      const { modems } = push.state(`unit.${unit.uid}`) as Unit
      expect(modems.map(({ id }) => id).toSorted()).toEqual(links)
      const portOf = (name: string) => modems.find(({ id }) => id === name)?.port ?? 0
      await person.call(api.unitSettings.configure, {
        params: params(),
        body: {
          leastCostBonding: 'per interface priority',
          links: {
            [portOf('wwan0')]: { priority: 2, limitKbps: 0 },
            [portOf('wwan1')]: { priority: 1, limitKbps: 0 },
          },
        },
      })
      const carried = () => [bytesSent(van, 'wwan0'), bytesSent(studio, 'van-wwan0')]
      await until(
        'both films over the other link alone',
        async () => {
          const before = carried()
          expect(await fetched('camera', 'by-priority.bin')).toBe(true)
          expect(await fetched('panel', 'by-priority.bin')).toBe(true)
          return carried().every((bytes, at) => bytes - before[at]! < film.length / 10)
        },
        patienceMs,
      )
      await person.call(api.unitSettings.configure, {
        params: params(),
        body: { leastCostBonding: 'disabled' },
      })
    },
    3 * patienceMs,
  )

  test(
    'what exceeds the rate of a pipe is dropped',
    async () => {
      onTestFailed(showLines)
      const flood = 6_000_000
      await once(run(ends.panel.namespace, floodProgram, ends.camera.address, String(flood)), 'exit')
      const path = 'count'
      const count = async () => {
        const program = run(
          ends.panel.namespace,
          fetchProgram,
          `http://${ends.camera.address}:9000/count`,
          join(folder, path),
        )
        await once(program, 'exit')
        return Number(existsSync(join(folder, path)) ? arrived(path).toString() : 0)
      }
      const passed = await until('datagrams', count, patienceMs)
      expect(passed).toBeLessThan(flood / 2)
    },
    2 * patienceMs,
  )

  test(
    '[DBIP-004] a transfer continues through the loss of a link',
    async () => {
      onTestFailed(showLines)
      const fetching = fetched('camera', 'through-loss.bin')
      await until('a part of it', () => sizeOf('through-loss.bin') > 50_000, patienceMs)
      makeByIp('-n', studio, 'link', 'set', 'van-wwan1', 'down')
      expect(await fetching).toBe(true)
      expect(sumOf(arrived('through-loss.bin'))).toBe(sumOf(film))
      expect((push.state(`unit.${unit.uid}`) as Unit).ipPipe.state).toBe('connected')
      makeByIp('-n', studio, 'link', 'set', 'van-wwan1', 'up')
    },
    2 * patienceMs,
  )

  test(
    '[DBIP-004] it is not changed while it is connected, and the unit transmits at the same time',
    async () => {
      onTestFailed(showLines)
      await expect(
        person.call(api.ipPipe.setUnit, { params: params(), body: settings }),
      ).rejects.toMatchObject({ status: 409, message: 'The IP pipe cannot be set while it is connected.' })
      const { busy } = push.state(`unit.${unit.uid}`) as Unit
      expect(busy).toBe(false)
      const body = { channel: settings.channel }
      await person.call(api.unitCommands.start, { params: params(), body })
      const unitIs = (check: (now: Unit) => boolean) =>
        push.until(`unit.${unit.uid}`, (now) => check(now as Unit), patienceMs)
      await unitIs(({ applications }) => applications?.video?.state === 'streaming')
      expect(await fetched('panel', 'while-live.bin')).toBe(true)
      expect(sumOf(arrived('while-live.bin'))).toBe(sumOf(film))
      const { applications } = push.state(`unit.${unit.uid}`) as Unit
      expect(applications).toMatchObject({
        video: { state: 'streaming' },
        l2ControlPipe: { state: 'connected' },
      })
      // The camera's data in the pipe and the picture together respect the limit of all links.
      await person.call(api.unitSettings.configure, { params: params(), body: { totalLimitKbps: 2000 } })
      const sent = () => links.reduce((sum, link) => sum + bytesSent(van, link), 0)
      const sentKbps = async () => {
        const [before, beganMs] = [sent(), performance.now()]
        expect(await fetched('camera', 'within-limit.bin')).toBe(true)
        return ((sent() - before) * 8) / (performance.now() - beganMs)
      }
      // Headers of the cable count too.
      await until('the limit to hold', async () => (await sentKbps()) < 2200, patienceMs)
      expect(await sentKbps()).toBeLessThan(2200)
      expect(sumOf(arrived('within-limit.bin'))).toBe(sumOf(film))
      await person.call(api.unitCommands.stop, { params: params() })
      await unitIs(({ idle }) => idle)
    },
    3 * patienceMs,
  )

  test(
    '[DBIP-004] a server that is away fails it with a reason, and one that is back is joined again',
    async () => {
      onTestFailed(showLines)
      await stage.end('hub')
      await pipeIs(
        ({ state, reason }) =>
          state === 'failed' && reason === 'The IP pipe server does not answer on any link.',
      )
      await until('no interface in the network of the crew', () => tapsIn(van).length === 0, patienceMs)
      await stage.start('hub', {
        env: {
          BACKHAUL_HUB_ADDRESS: coreHost,
          BACKHAUL_HUB_UNIT_HOST: coreHost,
          BACKHAUL_HUB_CHANNELS: '1',
          BACKHAUL_HUB_IP_PIPE_NETWORKS: ends.panel.bridge,
        },
      })
      await stateIs('connected')
      await until('the film', () => fetched('panel', 'after-loss.bin'), patienceMs)
      expect(sumOf(arrived('after-loss.bin'))).toBe(sumOf(film))
    },
    3 * patienceMs,
  )

  test(
    '[DBIP-004] once it is disconnected neither reaches the other; core has shown all five states',
    async () => {
      onTestFailed(showLines)
      await person.call(api.ipPipe.disconnect, { params: params() })
      await stateIs('not connected')
      await until('no interfaces', () => [...tapsIn(van), ...tapsIn(studio)].length === 0, patienceMs)
      expect(await fetched('camera', 'too-late.bin', nothingWithinMs)).toBe(false)
      const shown = push.messages.flatMap(({ data }) => (data as Partial<Unit>).ipPipe?.state ?? [])
      expect(new Set(shown)).toEqual(
        new Set(['not connected', 'connecting', 'connected', 'failed', 'disconnecting']),
      )
    },
    2 * patienceMs,
  )
})
