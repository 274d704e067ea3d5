import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { systemClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { createLogTail } from '@backhaul/runtime/log-tail'
import { until } from '@backhaul/runtime/testing/until'
import { afterEach, expect, test } from 'vitest'
import { openTallyReceiver } from './tally-receiver.ts'

const cleanUps: (() => unknown)[] = []
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) cleanUp()
})

/** A display of TSL UMD 3.1, with its first lamp on or off. */
const display = (address: number, isOn: boolean) =>
  Buffer.concat([Buffer.of(0x80 + address, isOn ? 0x31 : 0x30), Buffer.from('CAMERA'.padEnd(16))])
/** Every display of TSL UMD 5.0, red or off. */
const allDisplays = (isRed: boolean) => Buffer.of(10, 0, 0, 0, 0, 0, 0xff, 0xff, isRed ? 1 : 0, 0, 0, 0)

async function openSender() {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  cleanUps.push(() => socket.close())
  return socket
}

async function open(port = 0) {
  const logs = createLogTail()
  const log = createLog({ name: 'hub', format: 'json', write: () => {}, tail: logs })
  const settings = { host: '127.0.0.1', port, addresses: [1, 2, 7], lamp: 1 } as const
  const receiver = openTallyReceiver({ settings, clock: systemClock, log })
  let changes = 0
  receiver.onChange(() => changes++)
  cleanUps.push(() => receiver.close())
  const lines = (what: string) =>
    logs
      .text()
      .split('\n')
      .filter((line) => line.includes(what))
  return { receiver, lines, changes: () => changes }
}

async function opened() {
  const { lines, ...running } = await open()
  const taken = await until(() => /"port":(\d+)/.exec(lines('receiving TSL UMD')[0] ?? '')?.[1])
  const sender = await openSender()
  return { ...running, lines, send: (bytes: Buffer) => sender.send(bytes, Number(taken), '127.0.0.1') }
}

test('the displays that are set are tallies, and each follows its lamp until it is changed', async () => {
  const { receiver, changes, send } = await opened()
  expect(receiver.interfaces).toEqual([
    { id: 'tally-1', kind: 'tally', name: 'Tally 1' },
    { id: 'tally-2', kind: 'tally', name: 'Tally 2' },
    { id: 'tally-7', kind: 'tally', name: 'Tally 7' },
  ])
  expect(receiver.on()).toEqual([])
  send(display(7, true))
  await expect.poll(receiver.on).toEqual(['tally-7'])
  // A repetition, and a display that is none of these.
  send(display(7, true))
  send(display(3, true))
  send(Buffer.concat([display(2, true), display(7, false)]))
  await expect.poll(receiver.on).toEqual(['tally-2'])
  expect(changes()).toBe(2)
  send(allDisplays(true))
  await expect.poll(receiver.on).toEqual(['tally-1', 'tally-2', 'tally-7'])
  send(allDisplays(false))
  await expect.poll(receiver.on).toEqual([])
  expect(changes()).toBe(4)
})

test('a datagram that is no TSL UMD is ignored, and logged once', async () => {
  const { receiver, lines, send } = await opened()
  send(display(1, true))
  for (const wrong of ['hello', '', 'x'.repeat(3000)]) send(Buffer.from(wrong))
  send(display(2, true))
  await expect.poll(receiver.on).toEqual(['tally-1', 'tally-2'])
  const warnings = lines('neither TSL UMD 3.1 nor 5.0')
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain('127.0.0.1')
  receiver.close()
  expect(lines('"ignored":3')).toHaveLength(1)
})

test('a port that is in use is reported, and opened once it is free', async () => {
  const blocker = await openSender()
  const { port } = blocker.address()
  const { receiver, lines } = await open(port)
  const why = `Another program of the server uses port ${port}.`
  await until(() => lines('the port of').length > 0)
  expect(JSON.parse(lines('the port of')[0] ?? '')).toMatchObject({ port, reason: why })
  expect(receiver.failures()).toMatchObject([
    { type: 'tallyFailed', cause: { code: 'server.portTaken', params: { port } } },
  ])
  blocker.close()
  cleanUps.shift()
  await until(() => lines('receiving TSL UMD').length > 0)
  expect(receiver.failures()).toEqual([])
  const sender = await openSender()
  sender.send(display(1, true), port, '127.0.0.1')
  await expect.poll(receiver.on).toEqual(['tally-1'])
})
