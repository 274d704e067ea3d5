import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readEthernets } from './ethernets.ts'

test('[SRV-002] networks are those of the machine, with their sockets and without the interfaces of pipes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-ethernets-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const port of ['eno2', 'eno3', 'tap-ippipe0'])
    mkdirSync(join(folder, 'br-control', 'brif', port), { recursive: true })
  writeFileSync(join(folder, 'br-control', 'address'), '02:00:5e:10:00:01\n')
  writeFileSync(join(folder, 'br-control', 'operstate'), 'up\n')
  const own = { netmask: '255.255.255.0', mac: '', internal: false, cidr: null }
  const addresses = {
    'br-control': [
      { ...own, family: 'IPv4' as const, address: '10.20.0.2' },
      { ...own, family: 'IPv6' as const, address: 'fe80::1', scopeid: 4 },
    ],
  }
  expect(readEthernets(['br-control', 'br-gone'], addresses, folder)).toEqual([
    {
      name: 'br-control',
      mac: '02:00:5e:10:00:01',
      addresses: ['10.20.0.2'],
      sockets: ['eno2', 'eno3'],
      up: true,
    },
  ])
})
