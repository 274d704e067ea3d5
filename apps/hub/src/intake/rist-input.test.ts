// A RIST input (main profile) with plain ffmpeg, whose librist is the one of other makers too, and hostile senders.
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { readdirSync, readFileSync } from 'node:fs'
import { until } from '@backhaul/runtime/testing/until'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  INPUT_KEY,
  type RunningHub,
  runHub,
  sendByFfmpeg,
  sendUnreadable,
  sendUntilMuted,
  wantedChannel,
} from '../testing/running-hub.ts'
import { ristDatagram } from './rist-input.ts'

let hub: RunningHub
const id = 'channel-of-rist-1'
const ends: (() => void)[] = []
const apply = (inputKey = INPUT_KEY) =>
  void hub.hardware.apply({ channels: [wantedChannel('rist-1', { inputKey })] }, new AbortController().signal)

beforeAll(async () => {
  hub = await runHub({ bonded: 0, inputs: ['rist'] })
  apply()
})
afterEach(async () => {
  for (const end of ends.splice(0)) end()
  await until(() => hub.channel(id)?.status === 'idle')
})
afterAll(() => hub.stop())

const collects = () => until(() => hub.channel(id)?.status === 'collecting' && hub.channel(id)?.video)
const refuses = () => until(() => hub.channel(id)?.inputProblem === 'wrongKey')

function send(url: string): () => void {
  const { stop } = sendByFfmpeg(['-f', 'mpegts', url])
  ends.push(stop)
  return stop
}

/** Forwards to the input what is sent to it, changed on the way; answers go back unchanged. */
async function changing(change: (message: Buffer) => Buffer): Promise<number> {
  const [near, far] = [createSocket('udp4'), createSocket('udp4')]
  let sender = 0
  near.on('message', (message, from) => {
    sender = from.port
    far.send(change(message), hub.inputPort('rist-1'), '127.0.0.1')
  })
  far.on('message', (message) => near.send(message, sender, '127.0.0.1'))
  await new Promise<void>((done) => near.bind(0, '127.0.0.1', done))
  ends.push(
    () => near.close(),
    () => far.close(),
  )
  return near.address().port
}

test('a sender with another passphrase is refused and the channel reports it', async () => {
  send(`rist://127.0.0.1:${hub.inputPort('rist-1')}?aes-type=128&secret=another-passphrase`)
  await refuses()
  expect(hub.channel(id)).toMatchObject({ status: 'idle', kbps: 0 })
})

test('a sender with the passphrase is admitted, and the passphrase appears in no list of processes', async () => {
  const inputKey = randomBytes(12).toString('hex')
  apply(inputKey)
  send(hub.inputUrl('rist-1').replace(INPUT_KEY, inputKey))
  await collects()
  const lines = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        return ''
      }
    })
  // The arguments of the sender alone contain the key.
  expect(lines.filter((line) => line.includes(inputKey) && !line.includes('take.mkv'))).toEqual([])
  expect(hub.channel(id)).toMatchObject({ source: 'rist', inputProblem: null, video: { width: 640 } })
  apply()
})

test('AES of 256 bit is received too, and what the way lost is sent again', async () => {
  let count = 0
  const port = await changing((message) => (++count % 20 === 0 ? Buffer.alloc(0) : message))
  send(`rist://127.0.0.1:${port}?aes-type=256&secret=${INPUT_KEY}`)
  await collects()
  const before = count
  await until(() => count > before + 400)
  expect(hub.channel(id)).toMatchObject({ status: 'collecting', continuityErrors: 0 })
})

test('a sender without the passphrase is refused, even where the library would take it', async () => {
  // An unencrypted stream, without the sequence number by whose presence the library notices that.
  const port = await changing((message) => {
    if (ristDatagram(message) !== 'open' || (message.readUInt8(0) & 0x10) === 0) return message
    const bare = Buffer.concat([message.subarray(0, 4), message.subarray(8)])
    bare.writeUInt8(message.readUInt8(0) & ~0x10, 0)
    return bare
  })
  send(`rist://127.0.0.1:${port}`)
  await refuses()
  await new Promise((wait) => setTimeout(wait, 5000))
  expect(hub.channel(id)).toMatchObject({ status: 'idle', kbps: 0, inputProblem: 'wrongKey' })
})

test('a sender keeps the input, and the next one is admitted when it has left', async () => {
  const stop = send(hub.inputUrl('rist-1'))
  await collects()
  const stranger = createSocket('udp4')
  ends.push(() => stranger.close())
  const noise = Buffer.concat([Buffer.from([0x30, 0x08, 0x88, 0xb6]), randomBytes(200)])
  for (let sent = 0; sent < 50; sent++) stranger.send(noise, hub.inputPort('rist-1'), '127.0.0.1')
  send(hub.inputUrl('rist-1'))
  await until(() => (hub.channel(id)?.kbps ?? 0) > 500)
  expect(hub.channel(id)).toMatchObject({ status: 'collecting', continuityErrors: 0, inputProblem: null })
  stop()
  await until(() => hub.channel(id)?.status === 'idle')
  await collects()
})

test('a sender that falls silent is reported though it remains connected, and the next one has its place', async () => {
  const first = sendUntilMuted(['-f', 'mpegts', hub.inputUrl('rist-1')])
  ends.push(first.stop)
  await collects()
  first.mute()
  await until(() => hub.channel(id)?.inputProblem === 'silent')
  send(hub.inputUrl('rist-1'))
  await collects()
  expect(hub.channel(id)?.inputProblem).toBeNull()
})

test('a sender of something that no channel can have is reported as such', async () => {
  const sender = sendUnreadable(hub.inputUrl('rist-1'))
  ends.push(() => sender.kill('SIGKILL'))
  await until(() => hub.channel(id)?.inputProblem === 'codec')
  expect(hub.channel(id)?.status).toBe('idle')
})

test('a new key disconnects a sender with the old one', async () => {
  send(hub.inputUrl('rist-1'))
  await collects()
  apply('anotherkey234567890abcdef')
  await refuses()
  apply()
  await collects()
})

test('a channel whose port another program has taken receives on another one, and reports it', async () => {
  const held = createSocket('udp4')
  let taken = 0
  const other = await runHub({
    bonded: 0,
    inputs: ['rist'],
    async beforeStart(slots) {
      taken = slots[0]?.port ?? 0
      await new Promise<void>((done) => held.bind({ port: taken, exclusive: true }, done))
    },
  })
  ends.push(() => held.close())
  try {
    void other.hardware.apply({ channels: [wantedChannel('rist-1')] }, new AbortController().signal)
    await until(() => other.inputPort('rist-1') !== taken)
    send(other.inputUrl('rist-1'))
    await until(() => other.channel(id)?.status === 'collecting')
  } finally {
    await other.stop()
  }
})
