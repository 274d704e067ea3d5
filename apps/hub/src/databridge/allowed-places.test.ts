import { expect, test } from 'vitest'
import { createAllowedPlaces, isPlaceRule } from './allowed-places.ts'

const refusal = 'the owner of the gateway does not allow this host and port'

test('a host is reached only by an address and a port that the owner has listed', async () => {
  const { addressOf } = createAllowedPlaces(['192.0.2.10:21', '10.1.0.0/16', '10.2.0.5:443'])
  expect(await addressOf('192.0.2.10', 21)).toBe('192.0.2.10')
  expect(await addressOf('10.1.255.1', 8080)).toBe('10.1.255.1')
  expect(await addressOf('10.2.0.5', 443)).toBe('10.2.0.5')
  for (const [host, port] of [
    ['192.0.2.10', 22],
    ['192.0.2.11', 21],
    ['10.2.0.5', 80],
    ['127.0.0.1', 21],
  ] as const)
    await expect(addressOf(host, port)).rejects.toThrow(refusal)
})

test('a name leads to the address that it has now, and only if that is listed', async () => {
  const { addressOf } = createAllowedPlaces(['127.0.0.0/8:80'])
  expect(await addressOf('localhost', 80)).toBe('127.0.0.1')
  await expect(createAllowedPlaces(['10.0.0.0/8']).addressOf('localhost', 80)).rejects.toThrow(refusal)
})

test('without a list a databridge leads nowhere', async () => {
  await expect(createAllowedPlaces([]).addressOf('127.0.0.1', 80)).rejects.toThrow(refusal)
})

test('an entry of the list is an address or a network, with a port or without', () => {
  for (const text of ['10.1.0.0/16', '10.1.0.0/16:443', '192.0.2.10', '192.0.2.10:65535'])
    expect(isPlaceRule(text)).toBe(true)
  for (const text of [
    '',
    '10.1.0.0/33',
    '10.1.0.300',
    'ftp.example',
    '192.0.2.10:0',
    '192.0.2.10:65536',
    '::1',
  ])
    expect(isPlaceRule(text)).toBe(false)
})
