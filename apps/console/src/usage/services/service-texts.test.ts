import type { ManagedService } from '@backhaul/contract/nouns/services'
import { expect, test } from 'vitest'
import { daysLeft, glyphOf, usageText } from './service-texts.ts'

const service = (more: Partial<ManagedService>): ManagedService => ({
  inventoryId: 'north',
  inventoryName: 'North',
  name: 'go_plan',
  plan: null,
  renewal: '',
  status: 'purchasedService',
  state: 'purchased',
  expiration: null,
  instanceLimit: null,
  usageType: 'data',
  packageSize: 500,
  usedData: 212.5,
  measured: true,
  trial: false,
  trialStarted: null,
  overUsage: false,
  ...more,
})

test('use is written next to the package, and what is not measured is not written as zero', () => {
  expect(usageText(service({}))).toBe('212.5 / 500 GB')
  expect(usageText(service({ usageType: 'time', usedData: null, packageSize: 10 }))).toBe('— / 10 h')
  expect(usageText(service({ packageSize: null, usedData: 3 }))).toBe('3 GB')
  expect(usageText(service({ usageType: 'na' }))).toBe('')
})

test('a day that has begun counts as left until it is over', () => {
  const end = '2026-11-22T12:00:00Z'
  const at = (time: string) => daysLeft(end, Date.parse(time))
  expect([at('2026-11-21T12:00:00Z'), at('2026-11-22T11:59:00Z'), at('2026-11-24T12:00:00Z')]).toEqual([
    1, 1, -2,
  ])
})

test('each state has a shape of its own', () => {
  const states = ['purchased', 'onTrial', 'overUsage', 'expired'] as const
  expect(new Set(states.map((state) => glyphOf(service({ state })).shape)).size).toBe(4)
})
