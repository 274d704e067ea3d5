import type { Ethernet } from '@backhaul/contract/nouns/unit-settings'
import { Variant } from '@jellybrick/dbus-next'
import { expect, test } from 'vitest'
import { ethernetOf, ipv4Part, maskOf, prefixOf } from './addresses.ts'
import { plain } from './bus.ts'

const mac = '02:00:00:00:00:01'
const wanted: Ethernet = {
  mac,
  dhcp: false,
  ip: '10.1.2.3',
  subnetMask: '255.255.240.0',
  defaultGateway: '10.1.0.1',
  dns1: '9.9.9.9',
  dns2: '10.1.0.200',
}

test('a subnet mask and its number of bits are the same', () => {
  for (const [mask, prefix] of [
    ['0.0.0.0', 0],
    ['128.0.0.0', 1],
    ['255.255.240.0', 20],
    ['255.255.255.0', 24],
    ['255.255.255.255', 32],
  ] as const)
    expect([maskOf(prefix), prefixOf(mask)]).toEqual([mask, prefix])
})

test('fixed addresses are read as they were written, and everything else of the profile is kept', () => {
  const before = {
    method: new Variant('s', 'auto'),
    'route-metric': new Variant('x', 300n),
    'ignore-auto-dns': new Variant('b', true),
    'dns-data': new Variant('as', ['1.1.1.1']),
  }
  const part = ipv4Part(wanted, before)
  expect(Object.keys(part).sort()).toEqual(['address-data', 'dns', 'gateway', 'method', 'route-metric'])
  expect(ethernetOf(mac, plain(part) as object as Record<string, unknown>, undefined)).toEqual(wanted)
})

test('without gateway and servers for names none are written', () => {
  const alone = { ...wanted, defaultGateway: '', dns1: '', dns2: '' }
  const part = ipv4Part(alone)
  expect(Object.keys(part).sort()).toEqual(['address-data', 'method'])
  expect(ethernetOf(mac, plain(part) as object as Record<string, unknown>, undefined)).toEqual(alone)
})

test('DHCP leaves no fixed address, and shows those of its lease', () => {
  const part = ipv4Part({ ...wanted, dhcp: true }, ipv4Part(wanted))
  expect(plain(part)).toEqual({ method: 'auto' })
  const current = {
    AddressData: [{ address: '192.168.7.20', prefix: 24 }],
    Gateway: '192.168.7.1',
    NameserverData: [{ address: '192.168.7.2' }],
  }
  expect(ethernetOf(mac, { method: 'auto' }, current)).toEqual({
    mac,
    dhcp: true,
    ip: '192.168.7.20',
    subnetMask: '255.255.255.0',
    defaultGateway: '192.168.7.1',
    dns1: '192.168.7.2',
    dns2: '',
  })
  expect(ethernetOf(mac, undefined, undefined)).toMatchObject({ dhcp: true, ip: '', subnetMask: '' })
})

test('a socket that its owner has set up otherwise is left to them', () => {
  for (const method of ['shared', 'disabled', 'link-local'])
    expect(ethernetOf(mac, { method }, undefined)).toBeUndefined()
})
