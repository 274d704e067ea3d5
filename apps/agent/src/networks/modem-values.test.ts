import { expect, test } from 'vitest'
import { modemOf, signalOf, technologyOf } from './modem-values.ts'

const Modem = {
  EquipmentIdentifier: '490154203237518',
  Ports: [
    ['ttyUSB2', 3],
    ['wwan0', 2],
  ],
  AccessTechnologies: 1 << 14,
  SignalQuality: [71, true],
  State: 11,
  PrimarySimSlot: 2,
}

test('a modem has its carrier, technology, SIM and interface', () => {
  const Modem3gpp = { OperatorName: 'Carrier A', OperatorCode: '24405', RegistrationState: 1 }
  expect(modemOf('/m/0', { Modem, Modem3gpp })).toEqual({
    imei: '490154203237518',
    path: '/m/0',
    netPort: 'wwan0',
    details: { carrier: 'Carrier A', technology: 'LTE', activeSim: 'B', roaming: false },
    signal: { bars: 4 },
    isEnabled: true,
  })
})

test('unknown values are absent, and a carrier without a name has its number', () => {
  const bare = { EquipmentIdentifier: '1', State: 3 }
  expect(modemOf('/m/0', { Modem: bare })).toMatchObject({
    netPort: undefined,
    details: { roaming: false },
    signal: {},
    isEnabled: false,
  })
  expect(modemOf('/m/0', { Modem: bare, Modem3gpp: { OperatorCode: '24405' } })?.details.carrier).toBe(
    '24405',
  )
  expect(modemOf('/m/0', { Modem: { State: 6 } })).toBeUndefined()
})

test.each([
  [1, false],
  [5, true],
  [7, true],
  [9, true],
  [4, false],
])('registration %i is roaming: %s', (RegistrationState, isRoaming) => {
  expect(modemOf('/m/0', { Modem, Modem3gpp: { RegistrationState } })?.details.roaming).toBe(isRoaming)
})

test.each([
  [0, undefined],
  [1 << 1, 'GSM'],
  [1 << 4, 'EDGE'],
  [1 << 5, 'UMTS'],
  [(1 << 5) | (1 << 6), 'HSPA'],
  [1 << 9, 'HSPA+'],
  [1 << 14, 'LTE'],
  [(1 << 14) | (1 << 15), '5G NSA'],
  [1 << 15, '5G SA'],
])('the bits %i are %s', (bits, technology) => {
  expect(technologyOf(bits)).toBe(technology)
})

test('the signal is that of the newest radio that is measured; what a modem does not measure is omitted', () => {
  const unknown = -Number.MAX_VALUE
  const Lte = { rssi: -60.04, rsrp: -97, rsrq: -10, snr: 12.36, 'error-rate': 0 }
  expect(signalOf([100, true], { Lte, Nr5g: {} })).toEqual({
    rssi: -60,
    rsrp: -97,
    rsrq: -10,
    sinr: 12.4,
    bars: 5,
  })
  expect(signalOf([0, true], { Lte, Nr5g: { rsrp: -80, rsrq: unknown } })).toEqual({ rsrp: -80, bars: 0 })
  expect(signalOf(undefined, {})).toEqual({})
})
