import { describe, expect, test } from 'vitest'
import {
  isInForce,
  isOverUsage,
  ManagedServiceStatus,
  PlanType,
  type ServiceContract,
  ServiceState,
  serviceNames,
  stateOf,
  statusOf,
  trialOf,
  trialRefusal,
} from './services.ts'

const dayMs = 86_400_000
const nowMs = Date.parse('2026-11-21T12:00:00Z')
const contract = (more: Partial<ServiceContract>): ServiceContract => ({
  status: 'purchasedService',
  expiresMs: null,
  usageType: 'na',
  packageSize: null,
  used: null,
  ...more,
})

describe('the life of a managed service', () => {
  test('ten names, six plans and thirteen statuses are known', () => {
    expect(serviceNames.slice(0, 10)).toEqual([
      'go_plan',
      'smart_plan',
      'ai_integration',
      'audio_ifb',
      'cellular_cap',
      'ingest',
      'field_server',
      'alerts_esn',
      'alerts_adv',
      'web_aud_connect',
    ])
    expect(PlanType.options).toHaveLength(6)
    expect(ManagedServiceStatus.options).toHaveLength(13)
  })

  test.for([
    ['enabledTrial', 'onTrial', 'expiredTrial', 'trialExpired'],
    ['activeTrial', 'onTrial', 'expiredTrial', 'trialExpired'],
    ['expiredTrial', 'trialExpired', 'expiredTrial', 'trialExpired'],
    ['purchasedService', 'purchased', 'expiredService', 'expired'],
    ['expiredService', 'expired', 'expiredService', 'expired'],
    ['enabled', 'purchased', 'expired', 'expired'],
    ['active', 'purchased', 'expired', 'expired'],
    ['selfActive', 'purchased', 'expired', 'expired'],
    ['expired', 'expired', 'expired', 'expired'],
    ['done', 'expired', 'done', 'expired'],
    ['disabled', null, 'disabled', null],
    ['inactive', null, 'inactive', null],
    ['na', null, 'na', null],
  ] as const)(
    '%s is shown as %s, and once its end has come it is %s, shown as %s',
    ([status, now, after, then]) => {
      const one = contract({ status, expiresMs: nowMs + 1 })
      expect([statusOf(one, nowMs), stateOf(one, nowMs)]).toEqual([status, now])
      expect([statusOf(one, nowMs + 1), stateOf(one, nowMs + 1)]).toEqual([after, then])
      expect(isInForce(one, nowMs + 1)).toBe(false)
      const endless = contract({ status })
      expect(statusOf(endless, nowMs + 9999 * dayMs)).toBe(status)
    },
  )

  test('a trial lasts thirty days to the moment', () => {
    const trial = { ...trialOf('ingest', nowMs), used: null }
    expect(trial.expiresMs).toBe(nowMs + 30 * dayMs)
    expect(stateOf(trial, nowMs + 30 * dayMs - 1)).toBe('onTrial')
    expect(stateOf(trial, nowMs + 30 * dayMs)).toBe('trialExpired')
    expect(statusOf({ ...trial, used: 0.1 }, nowMs)).toBe('activeTrial')
  })

  test('the trial of graphics lasts for ten hours of use, however long that takes', () => {
    const trial = trialOf('graphics', nowMs)
    expect(trial).toMatchObject({ usageType: 'time', packageSize: 10, expiresMs: null })
    expect(statusOf({ ...trial, used: 9.9 }, nowMs + 400 * dayMs)).toBe('activeTrial')
    expect(statusOf({ ...trial, used: 10 }, nowMs)).toBe('expiredTrial')
  })

  test('more than the package is over usage and remains in force; a service that is not in force is never over', () => {
    const plan = contract({ usageType: 'data', packageSize: 50, used: 50 })
    expect([stateOf(plan, nowMs), isOverUsage(plan, nowMs)]).toEqual(['purchased', false])
    const over = { ...plan, used: 50.1 }
    expect([stateOf(over, nowMs), isInForce(over, nowMs)]).toEqual(['overUsage', true])
    expect(stateOf({ ...over, expiresMs: nowMs }, nowMs)).toBe('expired')
    expect(isOverUsage({ ...over, packageSize: null }, nowMs)).toBe(false)
    expect(ServiceState.options).toContain('overUsage')
  })

  test('there is one trial of a service, and none of one that is in force', () => {
    const had = { ...contract({ status: 'expiredTrial' }), trialStartedMs: 1 }
    expect(trialRefusal(undefined, nowMs)).toBeUndefined()
    expect(trialRefusal(had, nowMs)).toBe('service.trialUsed')
    const bought = { ...contract({}), trialStartedMs: null }
    expect(trialRefusal(bought, nowMs)).toBe('service.inForce')
    expect(trialRefusal({ ...bought, expiresMs: nowMs }, nowMs)).toBeUndefined()
  })
})
