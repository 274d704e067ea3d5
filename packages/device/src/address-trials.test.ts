import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { expect, test } from 'vitest'
import { createAddressTrials } from './address-trials.ts'

const socket = { mac: '', dhcp: true, ip: '', subnetMask: '', defaultGateway: '', dns1: '', dns2: '' }
const byDhcp: UnitSettings = { ethernet: { 0: socket } }
const fixed: UnitSettings = { ethernet: { 0: { ...socket, dhcp: false, ip: '10.0.0.2' } } }
const stepOf = (changes: UnitSettings) => [{ do: 'applySettings' as const, changes }]

test('addresses that failed are tried again only after core has stopped to request them', async () => {
  const tried: UnitSettings[] = []
  const why = new Error('no core')
  const trials = createAddressTrials((changes) => {
    tried.push(changes)
    if (changes.ethernet) throw why
  })
  const apply = async (changes: UnitSettings) => {
    trials.planned(stepOf(changes))
    await trials.apply(changes)
  }
  await expect(apply(fixed)).rejects.toBe(why)
  // Core is reached again and still requests them.
  await expect(apply(fixed)).rejects.toBe(why)
  expect(tried).toEqual([fixed])
  // Others are tried, and are now those that failed.
  await expect(apply(byDhcp)).rejects.toBe(why)
  expect(tried).toEqual([fixed, byDhcp])
  trials.planned([])
  await expect(apply(byDhcp)).rejects.toBe(why)
  expect(tried).toEqual([fixed, byDhcp, byDhcp])
})

test('other settings that were refused are tried with every plan', async () => {
  let tries = 0
  const trials = createAddressTrials(() => {
    tries++
    throw new Error('not while live')
  })
  for (const _ of [1, 2]) {
    trials.planned(stepOf({ ntp: true }))
    await expect(trials.apply({ ntp: true })).rejects.toThrow('not while live')
  }
  expect(tries).toBe(2)
})
