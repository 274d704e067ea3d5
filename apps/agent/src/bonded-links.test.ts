import { expect, test } from 'vitest'
import { createBondedLinks, targetsFor } from './bonded-links.ts'
import type { UnitLink } from './links.ts'

const link = (id: string, address: string): UnitLink => ({
  id,
  address,
  kind: 'modem',
  port: 0,
  enabled: true,
  present: true,
})
const near = { host: '10.0.0.9', port: 6000 }
const far = { host: 'hub.example', port: 6000 }

/** Replaces the sockets and records what is opened and closed; `up` are the links that the receiver answers. */
function rig() {
  const calls: string[] = []
  const up = new Set<string>()
  const open = new Set<string>()
  const links = createBondedLinks(
    {
      addLink({ id, localAddress, remoteHost }) {
        open.add(id)
        calls.push(`${id} ${localAddress} to ${remoteHost}`)
      },
      removeLink(id) {
        open.delete(id)
        calls.push(`${id} closed`)
      },
      enableLink: () => {},
      stats: () => ({ links: [...open].map((id) => ({ id, up: up.has(id) })) }),
    },
    [near, far],
  )
  return { calls, up, links }
}

test('a link of this machine alone takes an address of this machine first', () => {
  const loopback = { host: '127.0.0.1', port: 6000 }
  expect(targetsFor('127.0.0.2', [near, loopback])).toEqual([loopback, near])
  expect(targetsFor('100.64.0.2', [loopback, near])).toEqual([near, loopback])
})

test('a link that is not answered for 3 s tries the next address of the receiver', () => {
  const { calls, up, links } = rig()
  links.use([link('a', '100.64.0.2'), link('b', '100.64.0.3')], 0)
  up.add('a')
  for (let ms = 0; ms <= 7000; ms += 200) links.watch(ms)
  expect(calls).toEqual([
    'a 100.64.0.2 to 10.0.0.9',
    'b 100.64.0.3 to 10.0.0.9',
    'b closed',
    'b 100.64.0.3 to hub.example',
    'b closed',
    'b 100.64.0.3 to 10.0.0.9',
  ])
})

test('links come and go with the interfaces, and one with a new address is opened again', () => {
  const { calls, links } = rig()
  links.use([link('a', '100.64.0.2'), link('b', '100.64.0.3')], 0)
  calls.length = 0
  links.use([link('a', '100.64.0.7'), link('c', '100.64.0.4')], 1000)
  expect(calls).toEqual(['a closed', 'b closed', 'a 100.64.0.7 to 10.0.0.9', 'c 100.64.0.4 to 10.0.0.9'])
})
