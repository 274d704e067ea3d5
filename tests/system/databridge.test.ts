// The databridge on the real path: programs at a unit behind NATs reach hosts behind a gateway, judged by the bytes.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type LinkGate, openLinkGate } from '@backhaul/bonding/testing/link-gate'
import { api } from '@backhaul/contract/api/api'
import type { DatabridgeGateway } from '@backhaul/contract/nouns/databridge'
import type { Unit } from '@backhaul/contract/nouns/units'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { freePort } from '../conformance/free-port.ts'
import { goOnFromEachOther } from '../stage/chains.ts'
import { type Listener, type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'backhaul-databridge-'))
/** Units dial the first address, the hub is at the second: the links are in between. */
const hubSeen = '127.0.0.11'
const hubReal = '127.0.0.21'
const links = ['127.0.0.2', '127.0.0.3'] as const
/** The address at which the crew reaches the unit. */
const atUnit = '127.0.0.4'
const longMs = patientMs(120_000)
const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const film = randomBytes(3_000_000)

/** A program behind the gateway: serves the film, and answers what is sent to it with its length. */
const hostProgram = `
  const { createServer } = require('node:http')
  const { readFileSync } = require('node:fs')
  const film = readFileSync(process.argv[1])
  const server = createServer((request, response) => {
    if (request.method === 'GET') return response.end(film)
    let bytes = 0
    request.on('data', (part) => { bytes += part.length })
    request.on('end', () => response.end(String(bytes)))
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`
/** A program of the crew: fetches what is at the address into a file. */
const crewProgram = `
  const { createWriteStream } = require('node:fs')
  const { pipeline } = require('node:stream/promises')
  const [address, path] = process.argv.slice(1)
  fetch(address).then(({ body }) => pipeline(body, createWriteStream(path)))
`
const fetchTo = (port: number, path: string) =>
  run(process.execPath, ['-e', crewProgram, `http://${atUnit}:${port}/film`, path])

/** Why the port of the unit does not answer; undefined where it is open. */
async function refusalAt(port: number): Promise<string | undefined> {
  const socket = connect({ host: atUnit, port })
  try {
    await once(socket, 'connect')
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  } finally {
    socket.destroy()
  }
}

describe('databridge', () => {
  let stage: Stage
  let person: Person
  let push: Listener
  let gate: LinkGate
  let host: ChildProcess
  let hostPort = 0
  let echo: Socket
  let gateway: DatabridgeGateway
  let uid = ''
  let filePort = 0
  let echoPort = 0
  let closedPort = 0
  const filmPath = join(folder, 'film.bin')
  goOnFromEachOther()

  const params = () => ({ id: uid })
  const unitIs = (check: (unit: Unit) => boolean) =>
    push.until(`unit.${uid}`, (unit) => check(unit as Unit), longMs)
  const stateIs = (word: string | undefined) =>
    unitIs(({ applications }) => applications?.databridge?.state === word)

  beforeAll(async () => {
    ;[filePort, echoPort, closedPort] = [await freePort(), await freePort(), await freePort()]
    writeFileSync(filmPath, film)
    host = spawn(process.execPath, ['-e', hostProgram, filmPath], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(host.stdout!, 'data')) as [Buffer]
    hostPort = Number(line.toString())
    echo = createSocket('udp4')
    echo.on('message', (bytes, from) => echo.send(bytes.toString().toUpperCase(), from.port, from.address))
    await new Promise<void>((resolve) => echo.bind(0, '127.0.0.1', resolve))
    stage = await openStage({ demo: 0 })
    const port = 30_000 + 2 * Math.floor(Math.random() * 10_000)
    gate = await openLinkGate(
      port,
      { delayMs: 15, jitterMs: 5, lossPercent: 1, kbps: 6000 },
      { host: hubSeen, port, receiverHost: hubReal },
    )
    await stage.start('hub', {
      env: {
        BACKHAUL_HUB_ADDRESS: hubSeen,
        BACKHAUL_HUB_UNIT_HOST: hubReal,
        BACKHAUL_HUB_DATABRIDGE_PORT: String(port),
        BACKHAUL_HUB_DATABRIDGE_TO: `127.0.0.1:${hostPort},127.0.0.1:${(echo.address() as AddressInfo).port}`,
        BACKHAUL_HUB_CHANNELS: '1',
      },
    })
    person = await signIn(stage.url, 'admin', adminPassword)
    await stage.start('agent', {
      env: {
        BACKHAUL_UNIT_NAME: 'Van-1',
        BACKHAUL_LINKS: links.map((one, at) => `Modem ${at + 1}=${one}`).join(','),
        BACKHAUL_RETURN_PORT: '0',
        BACKHAUL_DATABRIDGE_ADDRESS: atUnit,
      },
    })
    uid = await until('the unit', async () => {
      const found = await person.call(api.units.ofGroup, { query: { group: 'newsroom' } })
      return found.find(({ idle, capabilities }) => idle && capabilities.databridge)?.uid
    })
    gateway = await until('the gateway', async () => {
      const [first] = await person.call(api.databridge.options, { params: params() })
      return first
    })
    push = await person.listen([`unit.${uid}`])
  })
  afterAll(async () => {
    push?.close()
    await gate?.close()
    await stage?.stop()
    host?.kill()
    echo?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('[DBIP-001] a program at the unit gets a file whole from a host behind the gateway, over both links', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    expect(gateway).toMatchObject({ address: hubSeen })
    expect(await refusalAt(filePort)).toBe('ECONNREFUSED')
    const to = { protocol: 'tcp' as const, host: '127.0.0.1' }
    await person.call(api.databridge.set, {
      params: params(),
      body: {
        gateway: gateway.id,
        ports: [
          { ...to, port: filePort, hostPort },
          {
            protocol: 'udp',
            host: '127.0.0.1',
            port: echoPort,
            hostPort: (echo.address() as AddressInfo).port,
          },
          { ...to, port: closedPort, hostPort: 22 },
        ],
      },
    })
    await person.call(api.databridge.start, { params: params() })
    await stateIs('bridging')
    await unitIs(({ status, command }) => status === 'transparent_bridge' && command?.state === 'confirmed')
    const path = join(folder, 'fetched.bin')
    const fetching = fetchTo(filePort, path)
    // The unit's own figures of both links, while they carry the film.
    await unitIs(({ modems }) => modems.filter(({ downlinkKbps }) => downlinkKbps > 500).length === 2)
    await fetching
    expect(sumOf(readFileSync(path))).toBe(sumOf(film))
    expect(gate.passed().down).toBeGreaterThan(film.length / 1500)
  })

  test('[DBIP-001] data sent up arrive complete too, and datagrams come to their host and back', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    const answer = await fetch(`http://${atUnit}:${filePort}/`, { method: 'POST', body: film })
    expect(await answer.text()).toBe(String(film.length))
    const crew = createSocket('udp4')
    try {
      const heard: string[] = []
      crew.on('message', (bytes) => heard.push(bytes.toString()))
      await until(
        'an answer to a datagram',
        () => {
          crew.send('question', echoPort, atUnit)
          return heard.includes('QUESTION')
        },
        longMs,
      )
    } finally {
      crew.close()
    }
  })

  test('[DBIP-001] a file comes whole through the loss of a link', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    const path = join(folder, 'through-loss.bin')
    const fetching = fetchTo(filePort, path)
    await until('a part of the file', () => sizeOf(path) > 300_000, longMs)
    gate.cut(links[0])
    await fetching
    expect(sumOf(readFileSync(path))).toBe(sumOf(film))
    expect((push.state(`unit.${uid}`) as Unit).applications?.databridge?.state).toBe('bridging')
    gate.restore(links[0])
  })

  test('leads only where the owner of the gateway allows, and nothing is changed while it runs', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    const socket = connect({ host: atUnit, port: closedPort })
    socket.on('error', () => {})
    await once(socket, 'close')
    await expect(
      person.call(api.databridge.set, { params: params(), body: { ports: [] } }),
    ).rejects.toMatchObject({ status: 409, message: 'Databridge gateway cannot be set while active.' })
    const [channel] = await person.call(api.channels.ofGroup, { query: { group: 'newsroom' } })
    await expect(
      person.call(api.unitCommands.start, { params: params(), body: { channel: channel?.uniqueId ?? '' } }),
    ).rejects.toMatchObject({ status: 409, message: 'Unit is busy.' })
  })

  test('[DBIP-001] it connects again after the loss of all links, and no port is open once it is stopped', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    for (const link of links) gate.cut(link)
    await stateIs('connecting')
    await until('the closed port', async () => (await refusalAt(filePort)) === 'ECONNREFUSED', longMs)
    for (const link of links) gate.restore(link)
    await stateIs('bridging')
    const path = join(folder, 'after-loss.bin')
    await until(
      'the file',
      () =>
        fetchTo(filePort, path).then(
          () => true,
          () => false,
        ),
      longMs,
    )
    expect(sumOf(readFileSync(path))).toBe(sumOf(film))
    await person.call(api.databridge.stop, { params: params() })
    await stateIs(undefined)
    expect(await refusalAt(filePort)).toBe('ECONNREFUSED')
  })
})

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
