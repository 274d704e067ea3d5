import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import type { NetworkInterfaceInfo } from 'node:os'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { explicitInterfaces, usableInterfaces } from './interfaces.ts'

const ipv4 = (address: string, internal = false): NetworkInterfaceInfo => ({
  address,
  netmask: '255.255.255.0',
  family: 'IPv4',
  mac: '00:00:00:00:00:00',
  internal,
  cidr: `${address}/24`,
})

function sysFolder(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-net-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

test('interfaces are listed with their kind, and those without a way out are omitted', () => {
  const folder = sysFolder({
    'eth0/operstate': 'up\n',
    'eth0/speed': '1000\n',
    'eth1/operstate': 'down\n',
    'wlan0/wireless/x': '',
    'wwan0/uevent': 'DEVTYPE=wwan\nINTERFACE=wwan0\n',
  })
  const found = usableInterfaces(
    {
      lo: [ipv4('127.0.0.1', true)],
      eth0: [ipv4('192.168.1.5')],
      eth1: [ipv4('192.168.2.5')],
      eth2: [ipv4('169.254.3.4')],
      docker0: [ipv4('172.17.0.1')],
      wlan0: [ipv4('10.0.0.7')],
      wwan0: [ipv4('100.64.0.9')],
    },
    folder,
  )
  expect(found).toEqual([
    { id: 'eth0', kind: 'ethernet', address: '192.168.1.5', technology: '1000BASE-T' },
    { id: 'wlan0', kind: 'wifi', address: '10.0.0.7' },
    { id: 'wwan0', kind: 'modem', address: '100.64.0.9' },
  ])
})

test('explicit addresses are links of their own', () => {
  expect(explicitInterfaces(['127.0.0.2'])).toEqual([
    { id: '127.0.0.2', kind: 'ethernet', address: '127.0.0.2' },
  ])
})
