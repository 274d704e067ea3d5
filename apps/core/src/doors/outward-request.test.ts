import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isOwnNetwork } from '@backhaul/runtime/own-network'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOutwardAddresses } from './outward-address.ts'
import { createSendOutward } from './outward-request.ts'

let port = 0
let requests = 0
const server = createServer((request, response) => {
  requests++
  if (request.url === '/elsewhere') response.writeHead(302, { location: '/' })
  response.end(request.url === '/large' ? 'x'.repeat(5 * 1024 * 1024) : 'stories')
})
beforeAll(async () => {
  await new Promise<void>((open) => server.listen(0, '127.0.0.1', open))
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())

const get = { method: 'GET' as const }

test('no request is sent to an address of the own network, by number or by name', async () => {
  const addresses = createOutwardAddresses({ mayReachOwnNetwork: false })
  const send = createSendOutward(addresses)
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '0x7f000001', '2130706433', '[::ffff:127.0.0.1]']
  for (const host of hosts)
    await expect(send(`http://${host}:${port}/`, get)).rejects.toThrow('internal network')
  for (const host of hosts)
    await expect(addresses.resolve(URL.parse(`http://${host}`)!.hostname)).rejects.toThrow('internal')
  expect(requests).toBe(0)
  for (const address of [
    '10.1.2.3',
    '172.20.0.1',
    '192.168.1.1',
    '169.254.169.254',
    'fd00::1',
    'fe80::1',
    'fec0::1',
    '64:ff9b::a01:203',
    '64:ff9b:1::a01:203',
    // Teredo: such an address contains one of IPv4.
    '2001::a01:203',
  ])
    expect([address, isOwnNetwork(address)]).toEqual([address, true])
  for (const address of ['93.184.216.34', '172.32.0.1', '2606:2800:220:1::1'])
    expect([address, isOwnNetwork(address)]).toEqual([address, false])
})

test('requests reach the own network where the operator allows it; redirects, other protocols and large answers are refused', async () => {
  const addresses = createOutwardAddresses({ mayReachOwnNetwork: true })
  const send = createSendOutward(addresses)
  expect(await addresses.resolve('[::1]')).toBe('::1')
  expect(await send(`http://localhost:${port}/`, get)).toBe('stories')
  await expect(send(`http://127.0.0.1:${port}/elsewhere`, get)).rejects.toThrow('HTTP 302')
  await expect(send(`http://127.0.0.1:${port}/large`, get)).rejects.toThrow('too large')
  await expect(send('file:///etc/passwd', get)).rejects.toThrow('not a web address')
  await expect(send('http://127.0.0.1:1/', get)).rejects.toThrow('No answer')
})
