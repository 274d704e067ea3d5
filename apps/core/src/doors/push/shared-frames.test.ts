import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { frameOf, SharedFrames } from './shared-frames.ts'

let server: ReturnType<typeof createServer>
let browser: WebSocket
let wire: Duplex

beforeEach(async () => {
  server = createServer()
  const sockets = new WebSocketServer({ noServer: true })
  const joined = new Promise<void>((resolve) => {
    server.on('upgrade', (request, socket, head) => {
      wire = socket
      sockets.handleUpgrade(request, socket, head, () => resolve())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  browser = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await Promise.all([joined, new Promise((resolve) => browser.once('open', resolve))])
})

afterEach(() => {
  browser.terminate()
  wire.destroy()
  server.close()
})

const received = () =>
  new Promise<string>((resolve) => browser.once('message', (data) => resolve(String(data))))

it('writes frames that a WebSocket reads, of every length and script', async () => {
  const texts = fc.oneof(
    fc.string({ maxLength: 200, unit: 'grapheme' }),
    fc.constantFrom(0, 1, 125, 126, 127, 65_534, 65_535, 65_536, 300_000).map((length) => 'x'.repeat(length)),
    fc.constantFrom('é'.repeat(63), '😀'.repeat(16_384), 'ñ'.repeat(32_768)),
  )
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const next = received()
      wire.write(frameOf(text))
      expect(await next).toBe(text)
    }),
  )
})

it('makes one frame for readers with the same texts until the tick is over', () => {
  const frames = new SharedFrames()
  const first = frames.of(['{"a":1}', '{"b":"é"}'])
  expect(first).toEqual(frameOf('[{"a":1},{"b":"é"}]'))
  expect(frames.of(['{"a":1}', '{"b":"é"}'])).toBe(first)
  expect(frames.of(['{"a":1}'])).toEqual(frameOf('[{"a":1}]'))
  expect(frames.of(['{"a":1}', '{"b":"è"}'])).toEqual(frameOf('[{"a":1},{"b":"è"}]'))
  for (let other = 0; other < 20; other++)
    expect(frames.of([`{"c":${other}}`])).toEqual(frameOf(`[{"c":${other}}]`))
  expect(frames.of(['{"a":1}', '{"b":"é"}'])).toBe(first)
  frames.clear()
  expect(frames.of(['{"a":1}', '{"b":"é"}'])).not.toBe(first)
})
