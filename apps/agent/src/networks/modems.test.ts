// The real ModemManager with a scripted modem, on a bus of the test's own.

import { type AtModem, imei, openAtModem } from '@backhaul/device/testing/at-modem'
import { modemManager, startModemManager } from '@backhaul/device/testing/modem-service'
import { systemClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { canRunServices, type PrivateBus, startPrivateBus } from '@backhaul/runtime/testing/private-bus'
import { until } from '@backhaul/runtime/testing/until'
import { sessionBus } from '@jellybrick/dbus-next'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Interface } from '../hardware/interfaces.ts'
import { type Bus, openBus, refusalOf } from './bus.ts'
import type { Modem } from './modem-values.ts'
import { followModems, type Modems, withModems } from './modems.ts'

const service = 'org.freedesktop.ModemManager1'
const log = createLog({ name: 'test', format: 'json', level: 'silent' })
const modem: Modem = {
  imei,
  path: '/m/0',
  netPort: 'wwan0',
  details: { carrier: 'Carrier A', technology: 'LTE', roaming: true },
  signal: { bars: 3 },
  isEnabled: true,
}

describe.runIf(canRunServices(modemManager))('modems', () => {
  let privateBus: PrivateBus
  let bus: Bus
  let atModem: AtModem
  let modems: Modems
  beforeEach(async () => {
    privateBus = await startPrivateBus()
    bus = openBus(() => sessionBus({ busAddress: privateBus.address }))
    atModem = await openAtModem(`modem-${process.pid}`)
    modems = followModems({ bus, clock: systemClock, log, onChange: () => {} })
  })
  afterEach(async () => {
    modems.stop()
    bus.close()
    await privateBus.stop()
    atModem.close()
  })

  const call = (path: string, name: string, member: string, signature = '', body: unknown[] = []) =>
    bus.call({ service, path, interface: `${service}.${name}` }, member, signature, body)

  test('a modem is there with its IMEI, and once it is on with carrier, technology and signal', async () => {
    await startModemManager(privateBus, atModem)
    const found = await until(() => modems.all()[0])
    expect(found).toMatchObject({ imei, netPort: undefined, isEnabled: false })
    await call(found.path, 'Modem', 'Enable', 'b', [true])
    const enabled = await until(() => {
      const [now] = modems.all()
      return now?.details.carrier && now.signal.rsrp !== undefined ? now : undefined
    })
    expect(enabled).toMatchObject({
      imei,
      details: { carrier: 'Carrier A', technology: 'LTE', roaming: false },
      signal: { rsrp: -97, rsrq: -10, bars: 4 },
    })
    atModem.roam(true)
    await until(() => modems.all()[0]?.details.roaming)
  })

  test('modems are gone with the service, and back with it', async () => {
    expect(modems.all()).toEqual([])
    await startModemManager(privateBus, atModem)
    await until(() => modems.all().length === 1)
    await privateBus.stop()
    await until(() => modems.all().length === 0)
  })
})

test('a bus that is not there is an error at once, and a refusal has the words of the service', async () => {
  const bus = openBus(() => sessionBus({ busAddress: 'unix:path=/nonexistent/bus' }))
  const nowhere = { service: 'a.b', path: '/a', interface: 'a.b' }
  const error = await bus.call(nowhere, 'C').catch((why: unknown) => why)
  expect(String(error)).toContain('ENOENT')
  expect(refusalOf(error).cause.code).toBe('network.silent')
  bus.close()
})

test('a modem adds to its interface what it knows, and is a link without an address until it has one', () => {
  const wwan0: Interface = { id: 'wwan0', kind: 'ethernet', address: '100.64.0.2' }
  const eth0: Interface = { id: 'eth0', kind: 'ethernet', address: '10.0.0.2' }
  expect(withModems([eth0, wwan0], [modem])).toEqual([
    eth0,
    { ...wwan0, kind: 'modem', imei, carrier: 'Carrier A', technology: 'LTE', roaming: true },
  ])
  expect(withModems([eth0], [modem, { ...modem, imei: '1234567', netPort: undefined }])).toMatchObject([
    eth0,
    { id: 'wwan0', kind: 'modem', address: '', imei },
    { id: 'Modem 4567', kind: 'modem', address: '', carrier: 'Carrier A' },
  ])
})
