import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { until } from '../../testing/wait.ts'
import { acceptUpgrade, type DeviceSocket } from './device-socket.ts'

const bytesAtMost = 70_000
const [CONTINUED, TEXT, BINARY, CLOSE, PING, PONG] = [0, 1, 2, 8, 9, 10] as const

let server: Server
let accepted: DeviceSocket
/** The messages of the device as they reach the gateway. */
let news: string[]
let openSockets = 0
const clients: Socket[] = []

beforeEach(async () => {
  news = []
  server = createServer().on('upgrade', (request, wire, head) => {
    const socket = acceptUpgrade(request, wire as Socket, head, bytesAtMost)
    if (!socket) return
    accepted = socket
    openSockets++
    socket.open({
      message: (bytes, isBinary) => news.push(`${isBinary ? 'binary ' : ''}${bytes.toString()}`),
      pong: () => news.push('(pong)'),
      broken: (isTooLarge) => news.push(isTooLarge ? '(too large)' : '(broken)'),
      closed() {
        news.push('(closed)')
        openSockets--
      },
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await until(() => openSockets === 0)
  server.close()
  await once(server, 'close')
})

const port = () => (server.address() as AddressInfo).port

/** A frame as a device sends it. */
function frame(
  first: number,
  payload: Buffer | string,
  { isMasked = true, length = Buffer.byteLength(payload) } = {},
): Buffer {
  const size =
    length < 126
      ? [length]
      : length <= 0xffff
        ? [126, length >> 8, length & 255]
        : [127, 0, 0, 0, 0, ...[24, 16, 8, 0].map((shift) => (length >> shift) & 255)]
  const mask = isMasked ? [7, 130, 0, 255] : []
  const masked = Buffer.from(payload).map((byte, at) => byte ^ (mask[at % 4] ?? 0))
  return Buffer.concat([
    Buffer.from([first, (size[0] as number) | (isMasked ? 0x80 : 0), ...size.slice(1), ...mask]),
    masked,
  ])
}
const last = (opcode: number) => opcode | 0x80
const text = (payload: string) => frame(last(TEXT), payload)
const closing = (code: number) => frame(last(CLOSE), Buffer.from([code >> 8, code & 255]))

/** A device that is accepted; `received` are the frames of core: opcode and payload. */
async function device(headers = '') {
  const client = connect(port(), '127.0.0.1')
  clients.push(client)
  const received: [number, Buffer][] = []
  let bytes = Buffer.alloc(0)
  let answer = ''
  client.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    const end = answer === '' ? bytes.indexOf('\r\n\r\n') : -1
    if (end >= 0) [answer, bytes] = [bytes.toString('latin1', 0, end), bytes.subarray(end + 4)]
    while (answer !== '' && bytes.length >= 2 && bytes.length >= 2 + (bytes[1] as number)) {
      received.push([(bytes[0] as number) & 15, bytes.subarray(2, 2 + (bytes[1] as number))])
      bytes = bytes.subarray(2 + (bytes[1] as number))
    }
  })
  client.on('error', () => {})
  client.write(
    `GET / HTTP/1.1\r\nhost: core\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n${headers}`,
  )
  if (!headers.includes('sec-websocket-key')) client.write('sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n')
  client.write('\r\n')
  await until(() => answer !== '')
  return { client, received, answer }
}

describe('the socket of a device', () => {
  it('is accepted as RFC 6455 requires', async () => {
    const { answer } = await device('sec-websocket-protocol: one, two\r\n')
    expect(answer).toContain('101 Switching Protocols')
    expect(answer).toContain('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=')
    expect(answer).toContain('Sec-WebSocket-Protocol: one')
  })

  it('is refused with an invalid key', async () => {
    const { answer } = await device('sec-websocket-key: short\r\n')
    expect(answer).toContain('400 Bad Request')
  })

  it('passes on messages however the network cuts them', async () => {
    const { client } = await device()
    const lengths = fc.oneof(
      fc.integer({ min: 0, max: 300 }),
      fc.constantFrom(125, 126, 65_535, 65_536, 70_000),
    )
    const message = fc.record({
      characters: fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀'), minLength: 1, maxLength: 8 }),
      length: lengths,
      parts: fc.integer({ min: 1, max: 4 }),
      isBinary: fc.boolean(),
    })
    const cuts = fc.array(fc.nat(), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 4 }), cuts, async (messages, places) => {
        news.length = 0
        const texts = messages.map(({ characters, length }) =>
          Buffer.from(characters.repeat(length)).subarray(0, length).toString().replaceAll('\ufffd', ''),
        )
        const bytes = Buffer.concat(
          messages.flatMap(({ parts, isBinary }, at) => framesOf(texts[at] as string, parts, isBinary)),
        )
        const ends = [...places.map((place) => place % bytes.length), bytes.length].sort((a, b) => a - b)
        let from = 0
        for (const end of ends) {
          client.write(bytes.subarray(from, end))
          await new Promise((resolve) => setImmediate(resolve))
          from = end
        }
        await until(() => news.length >= messages.length)
        expect(news).toEqual(texts.map((one, at) => `${messages[at]?.isBinary ? 'binary ' : ''}${one}`))
      }),
      { numRuns: 60 },
    )
  })

  it('answers a ping, also between the parts of a message, and reports a pong', async () => {
    const { client, received } = await device()
    client.write(Buffer.concat([frame(TEXT, 'hel'), frame(last(PING), 'now'), frame(last(CONTINUED), 'lo')]))
    client.write(frame(last(PONG), ''))
    await until(() => news.length === 2 && received.length === 1)
    expect(news).toEqual(['hello', '(pong)'])
    expect(received).toEqual([[PONG, Buffer.from('now')]])
  })

  const tooLong = Array.from({ length: 1001 }, () => frame(CONTINUED, ''))
  it.each([
    ['without a mask', frame(last(TEXT), 'x', { isMasked: false }), 1002],
    ['with a reserved bit', frame(last(TEXT) | 0x40, 'x'), 1002],
    ['of an unknown kind', frame(last(3), 'x'), 1002],
    ['that continues nothing', frame(last(CONTINUED), 'x'), 1002],
    ['that begins within another message', Buffer.concat([frame(TEXT, 'x'), text('y')]), 1002],
    ['that is half a ping', frame(PING, 'x'), 1002],
    ['that is a long ping', frame(last(PING), 'x'.repeat(126)), 1002],
    ['that closes with half a code', frame(last(CLOSE), 'x'), 1002],
    ['that closes with a code that is never sent', closing(1005), 1002],
    ['that closes with a reason that is not UTF-8', frame(last(CLOSE), Buffer.from([3, 232, 255])), 1002],
    ['that is not UTF-8', frame(last(TEXT), Buffer.from([0xc3, 0x28])), 1007],
    ['that is too long, before its end', frame(last(TEXT), '', { length: bytesAtMost + 1 }), 1009],
    [
      'that makes its message too long',
      Buffer.concat([frame(TEXT, 'x'.repeat(60_000)), frame(last(CONTINUED), 'x'.repeat(20_000))]),
      1009,
    ],
    ['of one part too many', Buffer.concat([frame(TEXT, ''), ...tooLong]), 1008],
  ])('closes after a frame %s', async (_, bytes, code) => {
    const { client, received } = await device()
    client.write(Buffer.concat([bytes, text('later')]))
    await until(() => client.readableEnded)
    client.end()
    await until(() => news.includes('(closed)'))
    expect(received).toEqual([[CLOSE, Buffer.from([code >> 8, code & 255])]])
    expect(news).toEqual([code === 1009 ? '(too large)' : '(broken)', '(closed)'])
  })

  it('answers a close with its code, and ends', async () => {
    const { client, received } = await device()
    client.write(Buffer.concat([text('bye'), closing(3001), text('later')]))
    await until(() => client.readableEnded)
    expect(received).toEqual([[CLOSE, Buffer.from([11, 185])]])
    await until(() => news.includes('(closed)'))
    expect(news).toEqual(['bye', '(closed)'])
  })

  it('ignores what comes after its own close but the answer', async () => {
    const { client, received } = await device()
    accepted.close(4401, 'over')
    accepted.close(4402, 'again')
    accepted.send('later')
    client.write(Buffer.concat([text('x'), frame(last(PING), '')]))
    await until(() => received.length > 0)
    expect(accepted.isOpen).toBe(false)
    client.write(closing(4401))
    await until(() => news.includes('(closed)'))
    expect(received).toEqual([[CLOSE, Buffer.concat([Buffer.from([17, 49]), Buffer.from('over')])]])
    expect(news).toEqual(['(closed)'])
  })

  it('reports a device that goes without a word, and stops to read on request', async () => {
    const { client } = await device()
    accepted.pause()
    client.write(text('x'))
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(news).toEqual([])
    accepted.resume()
    await until(() => news.length === 1)
    client.destroy()
    await until(() => news.length === 2)
    expect(news).toEqual(['x', '(closed)'])
  })

  it('sends texts of every length to a device', async () => {
    const client = new WebSocket(`ws://127.0.0.1:${port()}`)
    const received: string[] = []
    client.on('message', (bytes) => received.push(String(bytes)))
    await once(client, 'open')
    const texts = [0, 1, 125, 126, 65_535, 65_536, 200_000].map((length) => 'é'.repeat(length / 2))
    for (const one of texts) accepted.send(one)
    accepted.ping()
    client.send('thanks')
    await until(() => received.length === texts.length && news.length === 2)
    expect(received).toEqual(texts)
    expect(news.sort()).toEqual(['(pong)', 'thanks'])
    client.close(1000)
    const [code] = await once(client, 'close')
    expect(code).toBe(1000)
  })
})

function framesOf(message: string, parts: number, isBinary: boolean): Buffer[] {
  const bytes = Buffer.from(message)
  const size = Math.ceil(bytes.length / parts)
  return Array.from({ length: parts }, (_, at) => {
    const opcode = at > 0 ? CONTINUED : isBinary ? BINARY : TEXT
    const isLast = at === parts - 1
    return frame(
      isLast ? last(opcode) : opcode,
      bytes.subarray(at * size, isLast ? undefined : (at + 1) * size),
    )
  })
}
