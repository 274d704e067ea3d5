import { expect, test } from 'vitest'
import { createAddressOf, lineOf } from './source-address.ts'

const from = (remoteAddress: string, forwarded?: string | string[]) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as never

test('a socket comes from its peer, regardless of its headers, unless that is a trusted proxy', () => {
  const addressOf = createAddressOf(['loopback'])
  expect(addressOf(from('203.0.113.9'))).toBe('203.0.113.9')
  expect(addressOf(from('203.0.113.9', '127.0.0.1'))).toBe('203.0.113.9')
  expect(addressOf(from('::ffff:203.0.113.9'))).toBe('203.0.113.9')
  expect(addressOf(from('127.0.0.1'))).toBe('127.0.0.1')
  expect(addressOf(from('::1'))).toBe('::1')
})

test('behind a trusted proxy it comes from the address that the proxy names last, not from earlier claims', () => {
  const addressOf = createAddressOf(['loopback', '198.51.100.0/24', '2001:db8::7'])
  expect(addressOf(from('127.0.0.1', '203.0.113.9'))).toBe('203.0.113.9')
  expect(addressOf(from('::1', '169.254.169.254, 203.0.113.9'))).toBe('203.0.113.9')
  expect(addressOf(from('127.0.0.1', '10.0.0.1, 203.0.113.9, 198.51.100.4'))).toBe('203.0.113.9')
  expect(addressOf(from('2001:db8::7', ['203.0.113.9', '2001:db8::9']))).toBe('2001:db8::9')
  expect(addressOf(from('127.0.0.1', 'metadata.internal'))).toBe('')
})

test('networks have the names that the setting of proxies supports', () => {
  const addressOf = createAddressOf(['linklocal', 'uniquelocal'])
  for (const proxy of ['169.254.1.1', 'fe80::1', '10.1.2.3', '172.31.0.1', '192.168.1.1', 'fd00::1'])
    expect([proxy, addressOf(from(proxy, '203.0.113.9'))]).toEqual([proxy, '203.0.113.9'])
  expect(addressOf(from('172.32.0.1', '203.0.113.9'))).toBe('172.32.0.1')
})

test('all addresses of one line count as one, however their zeros are written', () => {
  for (const address of ['2001:db8::1', '2001:db8::5:0:0:1', '2001:db8:0:0:1:2:3:4', '2001:0DB8::'])
    expect([address, lineOf(address)]).toEqual([address, '2001:db8:0:0'])
  expect(lineOf('2001:db8:0:1::1')).toBe('2001:db8:0:1')
  for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '']) expect(lineOf(address)).toBe(address)
})
