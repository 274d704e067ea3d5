import { createTestClock } from '@backhaul/runtime/clock'
import { expect, test } from 'vitest'
import type { Interface } from './hardware/interfaces.ts'
import { followLinks } from './links.ts'

const eth0: Interface = { id: 'eth0', kind: 'ethernet', address: '10.0.0.2' }
const wwan0: Interface = { id: 'wwan0', kind: 'modem', address: '100.64.0.2' }

function rig() {
  const clock = createTestClock()
  const ports = new Map<string, number>()
  const assignments = {
    portOf(name: string, imei?: string) {
      const id = imei ?? name
      if (!ports.has(id)) ports.set(id, ports.size)
      return ports.get(id)
    },
  }
  const present: Interface[] = [eth0]
  let changes = 0
  const links = followLinks({ scan: () => present, assignments, clock, onChange: () => changes++ })
  return { clock, present, links, changes: () => changes }
}

test('an interface that appears is used within 2 s, and one that goes is kept in the list but not used', () => {
  const { clock, present, links, changes } = rig()
  expect(links.usable().map(({ id }) => id)).toEqual(['eth0'])
  present.push(wwan0)
  clock.advance(2000)
  expect(links.usable().map(({ id, port }) => [id, port])).toEqual([
    ['eth0', 0],
    ['wwan0', 1],
  ])
  present.shift()
  clock.advance(2000)
  expect(links.usable().map(({ id }) => id)).toEqual(['wwan0'])
  expect(links.all().map(({ id, present: isThere }) => [id, isThere])).toEqual([
    ['eth0', false],
    ['wwan0', true],
  ])
  clock.advance(20_000)
  expect(changes()).toBe(3)
  links.stop()
  expect(clock.pendingCount()).toBe(0)
})

test('a link that the operator switched off is not used until it is switched on again', () => {
  const { links } = rig()
  links.disable([0])
  expect(links.usable()).toEqual([])
  expect(links.all()[0]?.enabled).toBe(false)
  links.disable([])
  expect(links.usable()).toHaveLength(1)
})

test('a new address of an interface is a change', () => {
  const { clock, present, links, changes } = rig()
  present[0] = { ...eth0, address: '10.0.0.3' }
  clock.advance(2000)
  expect(links.usable()[0]?.address).toBe('10.0.0.3')
  expect(changes()).toBe(2)
})

test('a modem without an address is listed and not used, and an interface that was recognised as a modem is one link', () => {
  const { clock, present, links } = rig()
  present.push(wwan0)
  clock.advance(2000)
  present[1] = { ...wwan0, imei: '111', carrier: 'Bell' }
  clock.advance(2000)
  expect(links.all().map(({ id, carrier }) => [id, carrier])).toEqual([
    ['eth0', undefined],
    ['wwan0', 'Bell'],
  ])
  present[1] = { ...present[1], address: '' }
  clock.advance(2000)
  expect(links.all()).toHaveLength(2)
  expect(links.usable().map(({ id }) => id)).toEqual(['eth0'])
})
