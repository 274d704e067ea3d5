// An SRT destination that several readers call, each a plain ffmpeg, and what strangers can do to it.
import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { readdirSync, readFileSync } from 'node:fs'
import { english } from '@backhaul/contract/define/refusals'
import type { Output } from '@backhaul/contract/gateway/servers'
import { until } from '@backhaul/runtime/testing/until'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { freePort } from '../ports.ts'
import { type RunningHub, runHub, type Sender, sendByFfmpeg, wantedChannel } from '../testing/running-hub.ts'
import { optionsFolder } from './output-secrets.ts'
import { probe, readHandshake, withCookie } from './srt-handshake.ts'

const channel = 'channel-of-srt-1'
const passphrase = 'Readers9Secret'
let hub: RunningHub
let sender: Sender
const readers = new Set<ChildProcess>()

function send(outputs: Output[]): void {
  const channels = [wantedChannel('srt-1', { outputs })]
  void hub.hardware.apply({ channels }, new AbortController().signal)
}
const stateOf = (id: string) => hub.channel(channel)?.outputs.find((output) => output.id === id)

beforeAll(async () => {
  hub = await runHub({ bonded: 0, inputs: ['srt'], logLevel: 'info' })
  send([])
  sender = sendByFfmpeg(['-f', 'mpegts', hub.inputUrl('srt-1')])
  await until(() => hub.channel(channel)?.status === 'collecting', 60_000)
})
afterEach(async () => {
  for (const reader of readers) reader.kill('SIGKILL')
  readers.clear()
  send([])
  await until(() => hub.channel(channel)?.outputs.length === 0)
})
afterAll(async () => {
  sender?.stop()
  await hub?.stop()
})

interface Reader {
  /** Decoded frames of picture and sound. */
  frames(): { video: number; audio: number }
  size(): string | undefined
  exited(): boolean
  /** Largest distance between the times of two pictures, of all after the first `from` seconds. */
  largestGap(from: number): number
  kill(): void
}

/** Decodes what it gets; tries again as long as `again` is set, as players do. */
function read(port: number, secret: string | undefined, again = true): Reader {
  let text = ''
  let isOver = false
  let hasExited = false
  let child = dial()
  function dial(): ChildProcess {
    const query = secret === undefined ? '' : `?passphrase=${secret}`
    const input = ['-v', 'error', '-nostdin', '-i', `srt://127.0.0.1:${port}${query}`]
    const output = [
      '-map',
      '0:v',
      '-map',
      '0:a',
      '-fps_mode',
      'passthrough',
      '-flush_packets',
      '1',
      '-f',
      'framecrc',
      '-',
    ]
    const next = spawn('ffmpeg', input.concat(output), { stdio: ['ignore', 'pipe', 'ignore'] })
    readers.add(next)
    next.stdout!.on('data', (data: Buffer) => {
      text += data.toString()
    })
    next.once('exit', () => {
      readers.delete(next)
      if (again && !isOver && text === '') child = dial()
      else hasExited = true
    })
    return next
  }
  const linesOf = (stream: number) => text.split('\n').filter((line) => line.startsWith(`${stream},`))
  return {
    frames: () => ({ video: linesOf(0).length, audio: linesOf(1).length }),
    size: () => /#dimensions 0: (\S+)/.exec(text)?.[1],
    exited: () => hasExited,
    largestGap(from) {
      const base = Number(/#tb 0: 1\/(\d+)/.exec(text)?.[1])
      const times = linesOf(0)
        .slice(from, -1)
        .map((line) => Number(line.split(',')[2]) / base)
      return Math.max(0, ...times.slice(1).map((time, index) => time - times[index]!))
    },
    kill() {
      isOver = true
      child.kill('SIGKILL')
    },
  }
}
const plays = (reader: Reader, more = 25) => {
  const from = reader.frames()
  return until(() => {
    const { video, audio } = reader.frames()
    return video > from.video + more && audio > from.audio + more
  })
}

test('several readers decode it at once; one who is killed frees the place and disturbs no other; one too many is refused', async () => {
  const port = await freePort('srt')
  const url = `srt://0.0.0.0:${port}?mode=listener&passphrase=${passphrase}`
  send([{ id: 'out', protocol: 'srt', url, maxReaders: 2 }])
  await until(() => stateOf('out')?.state === 'connecting')
  expect(stateOf('out')?.readers).toBe(0)
  const [first, second] = [read(port, passphrase), read(port, passphrase)]
  await Promise.all([plays(first), plays(second)])
  await until(() => stateOf('out')?.readers === 2)
  expect(stateOf('out')).toMatchObject({ state: 'sending', reason: null })

  const refused = read(port, passphrase, false)
  await until(refused.exited)
  expect(refused.frames().video).toBe(0)
  expect(stateOf('out')?.readers).toBe(2)

  const steady = first.frames().video
  second.kill()
  await until(() => stateOf('out')?.readers === 1)
  await plays(first)
  const third = read(port, passphrase)
  await plays(third)
  await until(() => stateOf('out')?.readers === 2)
  await plays(first)
  expect(first.exited()).toBe(false)
  // Pictures come every 40 ms. A reader who was disturbed would miss a group of them, or more.
  expect(first.largestGap(steady)).toBeLessThan(1)

  first.kill()
  third.kill()
  await until(() => stateOf('out')?.readers === 0)
  await until(() => stateOf('out')?.state === 'connecting')
})

test('another pass phrase, or none, gets nothing; it takes no place, and the pass phrase is in no list of processes or log', async () => {
  const port = await freePort('srt')
  const url = `srt://0.0.0.0:${port}?mode=listener&passphrase=${passphrase}`
  send([{ id: 'out', protocol: 'srt', url, maxReaders: 1 }])
  await until(() => stateOf('out')?.state === 'connecting')
  for (const secret of ['Another9Secret', undefined]) {
    const stranger = read(port, secret, false)
    await until(stranger.exited)
    expect(stranger.frames().video).toBe(0)
  }
  expect(stateOf('out')?.readers).toBe(0)
  const reader = read(port, passphrase)
  await plays(reader)
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === process.pid)
  const ours = children.map(commandOf).filter((line) => line.includes('mode=listener'))
  expect(ours.length).toBeGreaterThan(0)
  expect(ours.filter((line) => line.includes(passphrase))).toEqual([])
  expect(readdirSync(optionsFolder(hub.folder))).toEqual([])
  expect(hub.hardware.logs(channel)).not.toContain(passphrase)
})

test('one that is coded again is coded once, for all readers', async () => {
  const port = await freePort('srt')
  const url = `srt://0.0.0.0:${port}?mode=listener`
  const encoding = { resolution: '960x540', videoKbps: 1000 } as const
  send([{ id: 'out', protocol: 'srt', url, encoding }])
  const both = [read(port, undefined), read(port, undefined)]
  await Promise.all(both.map((reader) => plays(reader)))
  for (const reader of both) expect(reader.size()).toBe('960x540')
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === process.pid)
  expect(children.map(commandOf).filter((line) => line.includes('scale=960:540'))).toHaveLength(1)
})

test('packets of strangers are answered at most by a cookie, and disturb no reader', async () => {
  const port = await freePort('srt')
  send([{ id: 'out', protocol: 'srt', url: `srt://0.0.0.0:${port}?mode=listener`, maxReaders: 1 }])
  const reader = read(port, undefined)
  await plays(reader)
  const stranger = createSocket('udp4')
  const answers: Buffer[] = []
  stranger.on('message', (packet) => answers.push(packet))
  const packets = [
    Buffer.alloc(0),
    Buffer.from([0x80]),
    Buffer.alloc(2000, 0xff),
    Buffer.from('80050000'.padEnd(32, '0'), 'hex'),
  ]
  for (const packet of packets) stranger.send(packet, port, '127.0.0.1')
  const conclusion = probe()
  conclusion.writeUInt32BE(0xffff_ffff, 36)
  stranger.send(withCookie(conclusion, 12_345), port, '127.0.0.1')
  stranger.send(probe(), port, '127.0.0.1')
  await until(() => answers.length > 0)
  expect(answers.map((packet) => readHandshake(packet)?.kind)).toEqual(['induction'])
  await plays(reader)
  expect(answers).toHaveLength(1)
  expect(stateOf('out')?.readers).toBe(1)
  stranger.close()
})

test('a port that another program has is reported, and taken once it is free', async () => {
  const taken = createSocket('udp4')
  await new Promise<void>((done) => taken.bind(0, '0.0.0.0', done))
  const { port } = taken.address()
  send([{ id: 'out', protocol: 'srt', url: `srt://0.0.0.0:${port}?mode=listener` }])
  await until(() => stateOf('out')?.reason === english('output.portTaken'))
  taken.close()
  await plays(read(port, undefined))
  await until(() => stateOf('out')?.state === 'sending')
})

const commandOf = (pid: string): string => readProc(`${pid}/cmdline`).replaceAll('\0', ' ')
const parentOf = (pid: string): number => Number(/^PPid:\s+(\d+)/m.exec(readProc(`${pid}/status`))?.[1])

/** Empty for a process that has ended. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    return ''
  }
}
