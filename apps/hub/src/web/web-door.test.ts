import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { until } from '@backhaul/runtime/testing/until'
import { expect, test } from 'vitest'
import { runHub } from '../testing/running-hub.ts'
import { openWebDoor } from './web-door.ts'

test('a port that another program uses is reported, opened once it is free, and closed by stop', async () => {
  const other = createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const statusOf = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } })
    return answer.status
  }
  const clock = createTestClock()
  const door = await openWebDoor({
    host: '127.0.0.1',
    port,
    answers: { hls: (_, response) => void response.writeHead(200).end() },
    posts: {},
    log: createLog({ name: 'test', format: 'json', level: 'silent' }),
    clock,
  })
  expect(door.port).toBe(port)
  expect(await statusOf('/hls/a')).toBe(503)
  expect(door.failures()).toEqual([
    {
      type: 'webFailed',
      reason: `Another program of the server uses port ${port}.`,
      cause: { code: 'server.portTaken', params: { port } },
    },
  ])
  clock.advance(5000)
  expect(await statusOf('/hls/a')).toBe(503)
  other.close()
  await once(other, 'close')
  await until(async () => {
    clock.advance(5000)
    return (await statusOf('/hls/a').catch(() => undefined)) === 200
  })
  expect(door.failures()).toEqual([])
  expect(await statusOf('/other/a')).toBe(404)
  await door.stop()
  await expect(statusOf('/hls/a')).rejects.toThrow()
})

test('a hub reports that its port is in use, until it is open', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const hub = await runHub({ bonded: 0, web: true, webPort: port, withoutFfmpeg: true })
  await expect
    .poll(() => hub.hardware.sample().failures)
    .toMatchObject([{ type: 'webFailed', cause: { code: 'server.portTaken', params: { port } } }])
  other.close()
  await expect.poll(() => hub.hardware.sample().failures).toEqual([])
  expect((await fetch(hub.webUrl('/hls/a/index.m3u8'))).status).toBe(404)
  await hub.stop()
})
