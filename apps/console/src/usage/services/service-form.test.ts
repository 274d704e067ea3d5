import type { ManagedService } from '@backhaul/contract/nouns/services'
import { expect, test } from 'vitest'
import { bodyOf, formOf } from './service-form.ts'

const service: ManagedService = {
  inventoryId: 'north',
  inventoryName: 'North',
  name: 'go_plan',
  plan: 'PERMANENT',
  renewal: 'yearly',
  status: 'enabled',
  state: 'purchased',
  expiration: '2027-01-01T10:00:00.000Z',
  instanceLimit: null,
  usageType: 'data',
  packageSize: 500,
  usedData: 3,
  measured: true,
  trial: false,
  trialStarted: null,
  overUsage: false,
}

test('of a service that the customer has, only what was changed is sent, and an empty field is nothing', () => {
  const before = formOf(service)
  expect(bodyOf(before, before, false)).toEqual({ name: 'go_plan' })
  const changed = { ...before, plan: '' as const, packageSize: '', renewal: '', status: 'disabled' as const }
  expect(bodyOf(before, changed, false)).toEqual({
    name: 'go_plan',
    plan: null,
    packageSize: null,
    renewal: '',
    status: 'disabled',
  })
})

test('a service expires with its last day, in the time zone of the browser', () => {
  const before = formOf(service)
  const { expiration } = bodyOf(before, { ...before, expiration: '2027-03-31' }, false)
  expect(new Date(String(expiration))).toEqual(new Date(2027, 2, 31, 23, 59, 59))
  expect(formOf({ ...service, expiration: String(expiration) }).expiration).toBe('2027-03-31')
})

test('a new service is purchased, and everything of it is sent', () => {
  const none = { ...service, status: 'na' as const, plan: null, expiration: null, usedData: null }
  const form = formOf(none)
  expect(form.status).toBe('purchasedService')
  expect(bodyOf(form, form, true)).toEqual({
    name: 'go_plan',
    plan: null,
    status: 'purchasedService',
    expiration: null,
    renewal: 'yearly',
    instanceLimit: null,
    usageType: 'data',
    packageSize: 500,
    usedData: null,
  })
  expect(formOf(null)).toMatchObject({ name: '', status: 'purchasedService', usageType: 'na' })
})
