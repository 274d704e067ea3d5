import { describe, expect, it } from 'vitest'
import { type UpgradedDevice, upgradeRefusal, upgradeWarnings } from './upgrades.ts'

const unit: UpgradedDevice = {
  product: 'LU-800',
  swVersion: '8.5.0',
  inventoryId: 'north',
  isServer: false,
  isOffline: false,
  isBusy: false,
  canUpgrade: true,
  hasHevc: true,
  channelServerVersion: undefined,
  hasEncoderInput: false,
}
const server: UpgradedDevice = { ...unit, product: 'MMH Server', isServer: true, swVersion: '10.0' }
const feed: UpgradedDevice = { ...server, product: 'Transceiver Server' }
const target = {
  number: '9.3',
  description: '',
  releaseNotesUrl: '',
  path: 'r/9.3',
  deprecated: false,
  products: ['LU-600', 'LU-800', 'MMH Server', 'Transceiver Server', 'LU-Smart', 'LU-Solo Pro', 'LU-70L'],
  supportedDevices: [],
  inventories: [],
}
const objection = (device: Partial<UpgradedDevice>, more: Partial<typeof target> & object = {}) => {
  const refusal = upgradeRefusal({ ...unit, ...device }, { ...target, ...more })
  return refusal && [refusal.reason, refusal.code, refusal.passes]
}
const step = (from: string, to: string) => objection({ swVersion: from }, { number: to })

describe('the rules of upgrades', () => {
  it('allow what nothing forbids', () => {
    expect(objection({})).toBeUndefined()
    expect(objection(server, { number: '10.1' })).toBeUndefined()
    expect(objection({ swVersion: '' })).toBeUndefined()
  })

  it('[UPG-004] never upgrade some models, nor units on version 5.1 or below', () => {
    for (const product of ['LU-70L', 'LU-700SV', 'LU-Smart', 'LU-Lite', 'LU-40', 'LU-Solo', 'LU-Solo Pro'])
      expect(objection({ product })).toEqual(['upgrade.model', 409, false])
    expect(objection({ product: 'Databridge Extender' })).toEqual(['upgrade.model', 409, false])
    for (const swVersion of ['4.9', '5.1', '5.1.0-b7'])
      expect(objection({ swVersion }, { number: '5.4' })).toEqual(['upgrade.tooOld', 409, false])
    expect(objection({ swVersion: '5.1.1' }, { number: '5.4' })).toBeUndefined()
    expect(objection({ canUpgrade: false })).toEqual(['upgrade.unsupported', 409, false])
  })

  it('[UPG-003] wait for what passes, with the codes of servers', () => {
    expect(objection({ isOffline: true })).toEqual(['unit.offline', 409, true])
    expect(objection({ isBusy: true })).toEqual(['unit.busy', 409, true])
    expect(objection({ ...server, isOffline: true })).toEqual(['upgrade.serverOffline', 6199, true])
    expect(objection({ ...server, isBusy: true })).toEqual(['upgrade.notIdle', 6808, true])
    expect(objection({ ...feed, isBusy: true })).toEqual(['upgrade.transceiver', 409, true])
    expect(objection({ ...feed, hasEncoderInput: true })).toEqual(['upgrade.transceiver', 409, false])
  })

  it('[UPG-003] require the server first, and an allowed target', () => {
    expect(objection({ channelServerVersion: '9.2.6' })).toEqual(['upgrade.serverFirst', 409, false])
    expect(objection({ channelServerVersion: '9.3.0' })).toBeUndefined()
    const notAllowed = ['upgrade.notAllowed', 6802, false]
    expect(objection({}, { deprecated: true })).toEqual(notAllowed)
    expect(objection({}, { path: '' })).toEqual(notAllowed)
    expect(objection({}, { inventories: ['south'] as never[] })).toEqual(notAllowed)
    expect(objection({}, { products: ['LU-600'] })).toEqual(notAllowed)
    expect(objection({ product: 'LU-600', hasHevc: false })).toEqual(['upgrade.h264', 6803, false])
    expect(objection({}, { supportedDevices: ['mmhServer'] as never[] })).toEqual([
      'upgrade.hardware',
      6810,
      false,
    ])
  })

  it('[UPG-003] refuse or warn of steps over certain versions', () => {
    const downgrade = ['upgrade.downgrade', 409, false]
    for (const [from, to] of [
      ['6.0', '5.4'],
      ['7.0', '6.9'],
      ['8.5', '8.4'],
      ['9.0', '8.6'],
      ['10.0.1', '9.3'],
    ] as const)
      expect(step(from, to)).toEqual(downgrade)
    expect(step('8.4', '8.2')).toBeUndefined()
    expect(step('8.4.9', '9.0')).toEqual(['upgrade.needs85', 409, false])
    expect(step('8.5', '9.0')).toBeUndefined()
    expect(step('8.6', '10.1')).toEqual(['upgrade.needs9', 409, false])
    expect([step('8.6', '10.0'), step('9.0', '10.1')]).toEqual([undefined, undefined])
    expect(step('9.3', '9.3')).toEqual(['upgrade.isThere', 409, false])
    expect(step('6.4', '7.0')).toBeUndefined()
    expect(upgradeWarnings('6.4', '7.0')).toEqual(['upgrade.newOs'])
    expect(upgradeWarnings('9.2.1', '9.3')).toEqual(['upgrade.reset'])
    expect([upgradeWarnings('9.2.1', '9.2.6'), upgradeWarnings('9.2.6', '10.0')]).toEqual([[], []])
  })
})
