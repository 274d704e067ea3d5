// Destinations with real far ends: what arrives there, what is reported about one that fails, and what must be kept secret.

import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { english } from '@backhaul/contract/define/refusals'
import type { Output } from '@backhaul/contract/gateway/servers'
import { until } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type GuardedEnd, guardedRtmp, guardedRtsp } from '../testing/guarded-ends.ts'
import { type RunningHub, runHub, type Sender, sendByFfmpeg, wantedChannel } from '../testing/running-hub.ts'
import { optionsFolder } from './output-secrets.ts'

const input = 'channel-of-srt-1'
const other = 'channel-of-bonded-1'
let hub: RunningHub
let sender: Sender
const farEnds: ChildProcess[] = []

beforeAll(async () => {
  hub = await runHub({ bonded: 1, inputs: ['srt'], logLevel: 'info' })
  send([])
  sender = sendByFfmpeg(['-f', 'mpegts', hub.inputUrl('srt-1')])
  await until(() => hub.channel(input)?.status === 'collecting')
})

async function sendNothing(): Promise<void> {
  send([])
  await until(() => hub.channel(input)?.outputs.length === 0)
  for (const end of farEnds.splice(0)) end.kill('SIGKILL')
}

afterAll(async () => {
  sender.stop()
  await hub.stop()
})

function send(outputs: Output[]): void {
  const channels = [wantedChannel('srt-1', { outputs }), wantedChannel('bonded-1')]
  void hub.hardware.apply({ channels }, new AbortController().signal)
}

const stateOf = (id: string) => hub.channel(input)?.outputs.find((output) => output.id === id)

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

/** An ffmpeg that receives: one line for each packet, with the number of its stream. */
function takeByFfmpeg(args: readonly string[]): () => string {
  const taker = spawn('ffmpeg', [
    '-hide_banner',
    '-v',
    'error',
    '-nostdin',
    ...args,
    '-map',
    '0',
    '-c',
    'copy',
    '-flush_packets',
    '1',
    '-f',
    'framecrc',
    '-',
  ])
  farEnds.push(taker)
  let taken = ''
  taker.stdout.on('data', (data: Buffer) => {
    taken += data.toString()
  })
  return () => taken
}

const packetsOf = (taken: string, stream: number) =>
  taken.split('\n').filter((line) => line.startsWith(`${stream},`)).length

test('an RTSP destination gets picture and sound of H.264 and AAC', async () => {
  onTestFinished(sendNothing)
  const url = `rtsp://127.0.0.1:${await freePort()}/live`
  const taken = takeByFfmpeg(['-rtsp_flags', 'listen', '-rtsp_transport', 'tcp', '-i', url])
  send([{ id: 'rtsp', protocol: 'rtsp', url }])
  await until(() => packetsOf(taken(), 0) > 25 && packetsOf(taken(), 1) > 25, 60_000)
  expect(taken()).toMatch(/#codec_id 0: h264/)
  expect(taken()).toMatch(/#codec_id 1: aac/)
  await until(() => stateOf('rtsp')?.state === 'sending')
})

test('a destination without a server is reported as failed, with the reason and the attempts, and sends once there is one', async () => {
  onTestFinished(sendNothing)
  const url = `rtmp://127.0.0.1:${await freePort()}/live/key-9`
  send([
    { id: 'rtmp', protocol: 'rtmp', url },
    { id: 'wrong', protocol: 'srt', url: 'file:///tmp/never' },
  ])
  await until(() => stateOf('rtmp')?.state === 'failed')
  const failed = stateOf('rtmp')
  expect(failed).toMatchObject({ reason: english('output.refused') })
  expect(Math.abs((failed?.since ?? 0) - Date.now())).toBeLessThan(60_000)
  expect(stateOf('wrong')).toMatchObject({ state: 'failed', reason: english('destination.unsuitable') })
  // A new attempt still counts as failed until something is sent, and keeps the time of the failure.
  await until(() => (stateOf('rtmp')?.tries ?? 0) >= 2)
  expect(stateOf('rtmp')).toMatchObject({ state: 'failed', since: failed?.since })

  const taken = takeByFfmpeg(['-listen', '1', '-i', url])
  await until(() => packetsOf(taken(), 0) > 5, 60_000)
  await until(() => stateOf('rtmp')?.state === 'sending')
  expect(stateOf('rtmp')).toMatchObject({ reason: null, tries: 1 })

  farEnds.pop()?.kill('SIGKILL')
  await until(() => stateOf('rtmp')?.state === 'failed')
})

test('nothing is sent into the own network where the operator has closed it to destinations', async () => {
  const closed = await runHub({ bonded: 0, inputs: ['srt'], mayStreamToOwnNetwork: false })
  const encoder = sendByFfmpeg(['-f', 'mpegts', closed.inputUrl('srt-1')])
  let calls = 0
  const near = createServer((socket) => {
    calls++
    socket.destroy()
  })
  try {
    await new Promise<void>((done) => near.listen(0, '127.0.0.1', done))
    const { port } = near.address() as AddressInfo
    const shut: Output[] = [
      { id: 'number', protocol: 'rtmp', url: `rtmp://u:p@127.0.0.1:${port}/live/k` },
      { id: 'name', protocol: 'rtmp', url: `rtmp://localhost:${port}/live/k` },
      { id: 'odd', protocol: 'rtsp', url: `rtsp://0x7f000001:${port}/live` },
      { id: 'port', protocol: 'srt', url: 'srt://10.0.0.1:9000?mode=caller', sourcePort: await freePort() },
      { id: 'udp', protocol: 'mpegts', url: 'udp://[::1]:9000' },
    ]
    const waiting: Output = {
      id: 'waits',
      protocol: 'srt',
      url: `srt://0.0.0.0:${await freePort()}?mode=listener`,
    }
    const channels = [wantedChannel('srt-1', { outputs: [...shut, waiting] })]
    void closed.hardware.apply({ channels }, new AbortController().signal)
    const reasonOf = (id: string) => closed.channel(input)?.outputs.find((one) => one.id === id)?.reason
    await until(() => shut.every(({ id }) => reasonOf(id) === english('output.ownNetwork')), 60_000)
    expect(reasonOf('waits')).toBeNull()
    expect(calls).toBe(0)
  } finally {
    encoder.stop()
    near.close()
    await closed.stop()
  }
})

test('no secret of a destination appears in a list of processes or in a log', async () => {
  onTestFinished(sendNothing)
  const rtmpPort = await freePort()
  const srtPort = await freePort()
  const secrets = ['Passphrase9Secret', 'stream-id-secret', 'StreamKey9', 'token-secret', 'Pa55word']
  const outputs: Output[] = [
    {
      id: 'srt',
      protocol: 'srt',
      url: `srt://127.0.0.1:${srtPort}?mode=caller&passphrase=${secrets[0]}&streamid=${secrets[1]}`,
    },
    {
      id: 'rtmp',
      protocol: 'rtmp',
      url: `rtmp://127.0.0.1:${rtmpPort}/live/${secrets[2]}?token=${secrets[3]}`,
    },
    { id: 'rtsp', protocol: 'rtsp', url: `rtsp://bob:${secrets[4]}@127.0.0.1:${await freePort()}/live` },
  ]
  const seen: string[] = []
  const watch = setInterval(() => seen.push(...commandsOf(process.pid)), 50)
  send(outputs)
  await until(() => outputs.every(({ id }) => (stateOf(id)?.tries ?? 0) >= 2), 60_000)
  for (const { id } of outputs) expect(stateOf(id)?.state, id).toBe('failed')

  const srt = takeByFfmpeg(['-i', `srt://127.0.0.1:${srtPort}?mode=listener&passphrase=${secrets[0]}`])
  const rtmp = takeByFfmpeg(['-listen', '1', '-i', outputs[1]!.url])
  await until(() => packetsOf(srt(), 0) > 5 && packetsOf(rtmp(), 0) > 5, 60_000)
  await until(() => stateOf('srt')?.state === 'sending' && stateOf('rtmp')?.state === 'sending')
  clearInterval(watch)
  const near = farEnds.flatMap(({ pid }) => commandOf(String(pid)) ?? [])
  const ours = seen.filter((command) => !near.includes(command))
  expect(ours.some((command) => command.includes(`:${srtPort}`))).toBe(true)
  for (const secret of secrets) expect(ours.filter((command) => command.includes(secret))).toEqual([])
  expect(readdirSync(optionsFolder(hub.folder))).toEqual([])

  const log = hub.hardware.logs(input)
  expect(log).toContain('"output":"rtmp"')
  expect(log).toContain('ffmpeg message')
  for (const secret of secrets) expect(log).not.toContain(secret)
  for (const { reason } of hub.channel(input)?.outputs ?? [])
    for (const secret of secrets) expect(reason ?? '').not.toContain(secret)
  // The log of a channel has no line of another one.
  expect(hub.hardware.logs(other)).not.toContain('"slot":"srt-1"')
})

const credentials = ['rita', 'Pa55:w@rd'] as const
const named = credentials.map(encodeURIComponent).join(':')

describe.concurrent('destinations of one channel, several at the same time', () => {
  const wanted = new Map<string, Output>()
  const want = (output: Output) => send([...wanted.set(output.id, output).values()])
  function drop(id: string): void {
    wanted.delete(id)
    send([...wanted.values()])
  }

  test.for<[string, () => Promise<GuardedEnd>, (port: number) => Output]>([
    [
      'RTSP with a digest',
      () => guardedRtsp('Digest', ...credentials),
      (port) => ({ id: 'digest', protocol: 'rtsp', url: `rtsp://${named}@127.0.0.1:${port}/live/one` }),
    ],
    [
      'RTSP with the password itself',
      () => guardedRtsp('Basic', ...credentials),
      (port) => ({ id: 'basic', protocol: 'rtsp', url: `rtsp://${named}@127.0.0.1:${port}/live/one` }),
    ],
    [
      'RTMP with the sign-in of Adobe',
      () => guardedRtmp('StreamKey9', ...credentials),
      (port) => ({ id: 'adobe', protocol: 'rtmp', url: `rtmp://${named}@127.0.0.1:${port}/live/StreamKey9` }),
    ],
    [
      'RTMP with the sign-in of Limelight',
      () => guardedRtmp('StreamKey9', ...credentials, 'llnw'),
      (port) => ({ id: 'llnw', protocol: 'rtmp', url: `rtmp://${named}@127.0.0.1:${port}/live/StreamKey9` }),
    ],
    [
      'RTMP over TLS',
      () => guardedRtmp('StreamKey9', ...credentials, 'adobe', 'tls'),
      (port) => ({
        id: 'rtmps',
        protocol: 'rtmp',
        url: `rtmps://${named}@127.0.0.1:${port}/live/StreamKey9`,
      }),
    ],
    [
      'RTSP over TLS',
      () => guardedRtsp('Digest', ...credentials, 'tls'),
      (port) => ({ id: 'rtsps', protocol: 'rtsp', url: `rtsps://${named}@127.0.0.1:${port}/live/one` }),
    ],
  ])(
    '%s accepts the output, and neither user nor password is in a list of processes or a log',
    async ([, open, outputTo]) => {
      const end = await open()
      const output = outputTo(end.port)
      const stateNow = () => stateOf(output.id)
      const seen = new Set<string>()
      const look = setInterval(() => {
        for (const command of commandsOf(process.pid)) seen.add(command)
      }, 50)
      try {
        want(output)
        await until(() => end.taken() > 100, 60_000)
        await until(() => stateNow()?.state === 'sending')
        expect(end.wrong()).toBe(0)
      } finally {
        clearInterval(look)
        end.close()
      }
      const ours = [...seen].filter((command) => command.includes(output.protocol))
      expect(ours.length).toBeGreaterThan(0)
      for (const secret of [...credentials, ...credentials.map(encodeURIComponent), 'StreamKey9'])
        expect(ours.filter((command) => command.includes(secret))).toEqual([])
      expect(hub.hardware.logs(input)).not.toMatch(/Pa55|StreamKey9/)
      // The destination is gone: the reason is that of the destination, not of the relay.
      await until(() => stateNow()?.reason === english('output.refused'), 60_000)
      drop(output.id)
    },
  )

  test.for([
    ['rtsp', 'digest', () => guardedRtsp('Digest', ...credentials)] as const,
    ['rtmp', 'adobe', () => guardedRtmp('key', ...credentials)] as const,
    ['rtmp', 'llnw', () => guardedRtmp('key', ...credentials, 'llnw')] as const,
  ])('a wrong password at %s with %s is reported as access denied', async ([protocol, scheme, open]) => {
    const end = await open()
    const id = `wrong-${scheme}`
    try {
      want({ id, protocol, url: `${protocol}://rita:wrong9@127.0.0.1:${end.port}/live/key` })
      await until(() => stateOf(id)?.reason === english('output.denied'), 60_000)
      expect(end.wrong()).toBeGreaterThan(0)
      expect(end.taken()).toBe(0)
    } finally {
      end.close()
      drop(id)
    }
  })
})

function commandsOf(parent: number): string[] {
  const pids = readdirSync(`/proc/${parent}/task`).flatMap((task) =>
    (readProc(join(String(parent), 'task', task, 'children')) ?? '').trim().split(' '),
  )
  return pids.flatMap((pid) => commandOf(pid) ?? [])
}

const commandOf = (pid: string) => readProc(join(pid, 'cmdline'))?.replaceAll('\0', ' ')

/** Undefined for a process that has ended. */
function readProc(path: string): string | undefined {
  try {
    return readFileSync(join('/proc', path), 'utf8')
  } catch {
    return undefined
  }
}
