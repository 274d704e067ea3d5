// The agent as a process: started as an operator would, between a gateway and a receiver.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createReceiver } from '@backhaul/bonding/receiver'
import { FromDevice } from '@backhaul/contract/gateway/gateway'
import type { UnitActual, UnitSample } from '@backhaul/contract/gateway/units'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { createContinuityCheck } from '@backhaul/ffmpeg/ts-packets'
import { superviseChild } from '@backhaul/runtime/child-process'
import { WRONG_SETTINGS_CODE } from '@backhaul/runtime/settings'
import { until } from '@backhaul/runtime/testing/until'
import { afterEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'

const key = Buffer.alloc(32, 9)
const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

/** The minimum of a gateway: admits one unit by its key and keeps what it reports. */
async function openGateway() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/gateway' })
  await once(server, 'listening')
  const received = { registrationKey: '', actual: {} as Partial<UnitActual>, samples: [] as UnitSample[] }
  let unit: WebSocket | undefined
  server.on('connection', (socket) => {
    unit = socket
    const send = (message: object) => socket.send(JSON.stringify(message))
    socket.on('message', (data) => {
      const message = FromDevice.parse(JSON.parse(data.toString()))
      if (message.type === 'register') {
        received.registrationKey = message.registrationKey
        send({ type: 'registered', deviceId: 'unit-1', token: 'token-of-unit-1' })
      }
      if (message.type === 'hello') send({ type: 'welcome', deviceId: 'unit-1', serverTime: Date.now() })
      if (message.type === 'report') Object.assign(received.actual, message.actual)
      if (message.type === 'telemetry') received.samples.push(...message.samples)
    })
  })
  const close = () => {
    for (const client of server.clients) client.terminate()
    server.close()
  }
  cleanUps.push(close)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    want: (revision: number, state: object) =>
      unit?.send(JSON.stringify({ type: 'wanted', revision, state })),
    close,
  }
}

function startAgent(url: string, data: string, secrets = ['--key', 'key-of-the-group']) {
  const stdout: string[] = []
  const stderr: string[] = []
  const agent = superviseChild({
    command: process.execPath,
    args: [
      '--disable-warning=ExperimentalWarning',
      join(import.meta.dirname, 'main.ts'),
      '--core',
      url,
      ...secrets,
      '--data',
      data,
      '--links',
      'Modem 1=127.0.0.2,Modem 2=127.0.0.3',
      '--bitrate',
      '1500',
      '--name',
      'Van 1',
    ],
    env: { ...process.env, BACKHAUL_LOG: 'json' },
    onStdoutLine: (line) => stdout.push(line),
    onStderrLine: (line) => stderr.push(line),
  })
  cleanUps.push(() => agent.stop())
  return { agent, stdout, stderr }
}

test.runIf(findFfmpeg())(
  'a unit registers, goes live when that is wanted, keeps sending without core, and ends cleanly',
  async () => {
    const gateway = await openGateway()
    const receiver = await createReceiver({
      bindHost: '127.0.0.1',
      port: 0,
      bufferMs: 500,
      sessionId: 'transmission-1',
      key,
    })
    cleanUps.push(() => receiver.close())
    const check = createContinuityCheck()
    receiver.onData(check.push)
    const data = mkdtempSync(join(tmpdir(), 'backhaul-agent-'))
    const { agent, stdout } = startAgent(gateway.url, data)

    await until(() => gateway.received.actual.applications !== undefined)
    expect(stdout).toEqual(['{"ready":true}'])
    expect(gateway.received.registrationKey).toBe('key-of-the-group')
    expect(JSON.parse(readFileSync(join(data, 'token.json'), 'utf8')).token).toBe('token-of-unit-1')
    expect(gateway.received.actual.links).toMatchObject([
      { port: 0, id: 'Modem 1', kind: 'modem', enabled: true },
      { port: 1, id: 'Modem 2', kind: 'modem', enabled: true },
    ])

    const targets = [{ host: '127.0.0.1', port: receiver.port }]
    const transmission = {
      id: 'transmission-1',
      channelId: 'channel-1',
      key: key.toString('base64'),
      targets,
    }
    gateway.want(1, { channelId: 'channel-1', delayMs: 500, transmission, disabledLinks: [] })
    await until(() => gateway.received.actual.applications?.video?.state === 'streaming')
    await until(() => (gateway.received.samples.at(-1)?.encoderKbps ?? 0) > 0 && check.packets() > 500)
    await expect
      .poll(() => gateway.received.samples.at(-1)?.links.map(({ port, up }) => [port, up]))
      .toEqual([
        [0, true],
        [1, true],
      ])
    await expect
      .poll(() => gateway.received.actual)
      .toMatchObject({ transmissionId: 'transmission-1', appliedRevision: 1 })

    gateway.close()
    const withoutCore = check.packets()
    await until(() => check.packets() > withoutCore + 1000)
    expect(check.errors()).toBe(0)
    await agent.stop()
    expect(await agent.exited).toEqual({ code: 0, signal: null })
  },
)

/** The arguments of the process and of all that it started. */
function commandsUnder(pid: string): string[] {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' '),
    )
    return [command, ...children.filter(Boolean).flatMap(commandsUnder)]
  } catch {
    // It has ended.
    return []
  }
}

test.runIf(findFfmpeg())('key and password of a unit appear in no list of processes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-agent-'))
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25', '-f', 'lavfi', '-i', 'sine']
  const coding = ['-t', '20', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-f', 'mpegts', '-']
  const film = execFileSync('ffmpeg', ['-v', 'error', ...picture, ...coding], { maxBuffer: 1 << 28 })
  const allowed = `Basic ${Buffer.from('bob:Pa55word').toString('base64')}`
  let served = 0
  const camera = createServer((request, response) => {
    const isAllowed = request.headers.authorization === allowed && request.url === '/film?token=t0ken'
    response.writeHead(isAllowed ? 200 : 401, { 'www-authenticate': 'Basic realm="camera"' })
    if (!isAllowed) return response.end()
    served++
    // As fast as a camera, and again from the start when it is over.
    const step = Math.ceil(film.length / (20 * 25))
    let at = 0
    const timer = setInterval(() => {
      response.write(film.subarray(at, at + step))
      at = at + step < film.length ? at + step : 0
    }, 40)
    return response.on('close', () => clearInterval(timer))
  })
  camera.listen(0, '127.0.0.1')
  cleanUps.push(() => {
    camera.closeAllConnections()
    camera.close()
  })
  await once(camera, 'listening')
  const { port } = camera.address() as AddressInfo
  const [keyFile, sourceFile] = [join(folder, 'key'), join(folder, 'source')]
  writeFileSync(keyFile, 'key-of-the-group\n')
  writeFileSync(sourceFile, `http://bob:Pa55word@127.0.0.1:${port}/film?token=t0ken\n`)

  const gateway = await openGateway()
  const { agent } = startAgent(gateway.url, join(folder, 'data'), [
    '--key-file',
    keyFile,
    '--source-file',
    sourceFile,
  ])
  const seen = new Set<string>()
  const poll = setInterval(() => {
    for (const command of commandsUnder(String(agent.pid()))) seen.add(command)
  }, 50)
  cleanUps.push(() => clearInterval(poll))
  await until(() => gateway.received.actual.applications !== undefined)
  expect(gateway.received.registrationKey).toBe('key-of-the-group')
  const session = { bindHost: '127.0.0.1', port: 0, bufferMs: 500, sessionId: 't-1', key }
  const receiver = await createReceiver(session)
  cleanUps.push(() => receiver.close())
  const check = createContinuityCheck()
  receiver.onData(check.push)
  const targets = [{ host: '127.0.0.1', port: receiver.port }]
  const transmission = { id: 't-1', channelId: 'c-1', key: key.toString('base64'), targets }
  gateway.want(1, { channelId: 'c-1', delayMs: 500, transmission, disabledLinks: [] })
  await until(() => served > 0, 60_000)
  await until(() => check.packets() > 100, 60_000)
  const commands = [...seen]
  expect(commands.some((command) => command.includes('source-1.ffconcat'))).toBe(true)
  for (const secret of ['key-of-the-group', 'Pa55word', 't0ken'])
    expect(commands.filter((command) => command.includes(secret))).toEqual([])
  expect(statSync(join(folder, 'data', 'source-1.ffconcat')).mode & 0o777).toBe(0o600)
})

test.runIf(findFfmpeg())(
  'a camera that is not there is in the log with the reason, and not as found',
  async () => {
    const gateway = await openGateway()
    const data = mkdtempSync(join(tmpdir(), 'backhaul-agent-'))
    const { stderr } = startAgent(gateway.url, data, [
      '--key',
      'key-of-the-group',
      '--source',
      '/dev/video77',
    ])
    await until(() => gateway.received.actual.applications !== undefined)
    const said = stderr.filter((line) => line.includes('source of the camera'))
    expect(said.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, camera: 1, kind: 'camera', msg: 'the source of the camera gives no picture now' },
    ])
    expect(said[0]).toMatch(/"fault":"[^"]*\/dev\/video77[^"]*: No such file or directory"/)
  },
)

test('a wrong setting ends the process with the name and the rule', async () => {
  const lines: string[] = []
  const agent = superviseChild({
    command: process.execPath,
    args: [join(import.meta.dirname, 'main.ts'), '--codec', 'av1'],
    env: { PATH: process.env.PATH },
    onStderrLine: (line) => lines.push(line),
  })
  expect(await agent.exited).toEqual({ code: WRONG_SETTINGS_CODE, signal: null })
  expect(lines.join('\n')).toContain('BACKHAUL_CODEC: must be h264 or h265 (given "av1")')
  expect(lines.join('\n')).toContain('BACKHAUL_CORE_URL: is not set')
})
