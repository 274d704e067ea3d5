// The Wi-Fi of the unit against NetworkManager's interface on a bus of the test's own; no radio is here.

import { openWifiRadio, type WifiRadio } from '@backhaul/device/testing/wifi-radio'
import { systemClock } from '@backhaul/runtime/clock'
import { canRunServices, type PrivateBus, startPrivateBus } from '@backhaul/runtime/testing/private-bus'
import { until } from '@backhaul/runtime/testing/until'
import { sessionBus } from '@jellybrick/dbus-next'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Bus, openBus } from './bus.ts'
import { followWifi, type Wifis } from './wifi.ts'
import { networksOf, securityOf } from './wifi-values.ts'

const port = 3
const password = 'on-the-road-7'
const home = { ssid: 'Home', password: 'first-password', strength: 70 }
const press = { ssid: 'Press', password, strength: 50 }

describe.runIf(canRunServices())('Wi-Fi', () => {
  let privateBus: PrivateBus
  let bus: Bus
  let radio: WifiRadio
  let wifis: Wifis
  let isReached = true
  const lines: unknown[] = []

  beforeEach(async () => {
    privateBus = await startPrivateBus()
    radio = await openWifiRadio(privateBus.address)
    radio.air.push(
      home,
      press,
      { ssid: 'Café', strength: 30 },
      { ssid: 'Truck', password, strength: 20, isHidden: true },
    )
    radio.know(home.ssid, home.password)
    bus = openBus(() => sessionBus({ busAddress: privateBus.address }))
    isReached = true
    const note = (...entry: unknown[]) => void lines.push(entry)
    wifis = followWifi({
      bus,
      clock: systemClock,
      log: { debug: note, info: note, warn: note, error: note } as never,
      portOf: (id) => (id === 'wlan0' ? port : undefined),
      trial: { clock: systemClock, withinS: 1, reachesCore: async () => isReached },
      onChange: () => {},
    })
    await until(() => wifis.facts()[0]?.ssid === home.ssid)
  })
  afterEach(async () => {
    wifis.stop()
    bus.close()
    await privateBus.stop()
  })

  const names = () => wifis.facts()[0]?.networks.map(({ ssid }) => ssid)

  test('[CONF-002] lists the networks around it, the strongest first, and which it knows', async () => {
    expect(wifis.facts()).toEqual([{ port, ssid: 'Home', security: 'wpa', networks: [], scannedAt: null }])
    await wifis.scan(port, false)
    expect(wifis.facts()[0]?.networks).toEqual([
      { ssid: 'Home', security: 'wpa', signalPercent: 70, isKnown: true },
      { ssid: 'Press', security: 'wpa', signalPercent: 50, isKnown: false },
      { ssid: 'Café', security: 'open', signalPercent: 30, isKnown: false },
    ])
    expect(radio.calls.some(([member]) => member === 'RequestScan')).toBe(false)
    radio.air.push({ ssid: 'New', strength: 90 })
    await wifis.scan(port, true)
    expect(names()).toEqual(['New', 'Home', 'Press', 'Café'])
  })

  test('[CONF-002] joins a network with its password, keeps it, and leaves it permanently', async () => {
    await wifis.scan(port, false)
    await wifis.connect(port, { ssid: 'Press', security: 'wpa', password, isHidden: false })
    expect(radio.connectedTo()).toBe('Press')
    expect(wifis.facts()[0]).toMatchObject({ ssid: 'Press', security: 'wpa' })
    expect(wifis.facts()[0]?.networks.find(({ ssid }) => ssid === 'Press')?.isKnown).toBe(true)
    expect(radio.profiles()).toMatchObject([
      { name: 'Home', isStored: true },
      { name: 'Press', isStored: true, autoconnect: true },
    ])
    // Another password replaces the profile.
    await wifis.connect(port, { ssid: 'Press', security: 'wpa', password, isHidden: false })
    expect(radio.profiles().filter(({ name }) => name === 'Press')).toHaveLength(1)
    await wifis.disconnect(port)
    expect(radio.connectedTo()).toBeUndefined()
    const left = radio.profiles().find(({ name }) => name === 'Press')
    expect(left).toMatchObject({ isStored: true, autoconnect: false })
    expect(left?.part['802-11-wireless-security']?.psk?.value).toBe(password)
    // A known network needs no password.
    await wifis.connect(port, { ssid: 'Press', security: 'wpa', isHidden: false })
    expect(radio.connectedTo()).toBe('Press')
    expect(radio.profiles().find(({ name }) => name === 'Press')?.autoconnect).toBe(true)
    expect(JSON.stringify([lines, wifis.facts()])).not.toContain(password)
  })

  test('[CONF-002] joins hidden and open networks', async () => {
    await wifis.connect(port, { ssid: 'Truck', security: 'wpa3', password, isHidden: true })
    expect(radio.connectedTo()).toBe('Truck')
    const truck = radio.profiles().find(({ name }) => name === 'Truck')?.part
    expect(truck?.['802-11-wireless']?.hidden?.value).toBe(true)
    expect(truck?.['802-11-wireless-security']?.['key-mgmt']?.value).toBe('sae')
    await wifis.connect(port, { ssid: 'Café', security: 'open', isHidden: false })
    expect(radio.connectedTo()).toBe('Café')
  })

  test('[CONF-002] returns to the previous network when the password is wrong or core is not reached', async () => {
    const wrong = wifis.connect(port, {
      ssid: 'Press',
      security: 'wpa',
      password: 'not-this-one',
      isHidden: false,
    })
    await expect(wrong).rejects.toThrow('the password of the network is missing or wrong')
    expect([radio.connectedTo(), radio.profiles().length]).toEqual(['Home', 1])
    isReached = false
    await expect(
      wifis.connect(port, { ssid: 'Press', security: 'wpa', password, isHidden: false }),
    ).rejects.toThrow('With this network the unit did not reach core within 1 s')
    await expect(wifis.disconnect(port)).rejects.toThrow('With this network the unit did not reach core')
    expect([radio.connectedTo(), radio.profiles().length]).toEqual(['Home', 1])
    await expect(wifis.connect(port, { ssid: 'Press', security: 'wpa', isHidden: false })).rejects.toThrow(
      'The unit does not find the network Press.',
    )
    await expect(wifis.scan(9, true)).rejects.toThrow('The unit has no Wi-Fi that can be set from here.')
  })
})

test('the security of a network is that of its access points', () => {
  const of = (RsnFlags: number, Flags = 1) => securityOf({ Flags, WpaFlags: 0, RsnFlags })
  expect([of(0x188), of(0x488), of(0x588), of(0x288), of(0x2088), of(0), of(0, 0), of(0x888)]).toEqual([
    'wpa',
    'wpa3',
    'wpa',
    'enterprise',
    'enterprise',
    'wep',
    'open',
    undefined,
  ])
})

test('stations of one network are one, and names that are no text are left out', () => {
  const station = (ssid: string | Buffer, Strength: number) => ({
    Ssid: Buffer.from(ssid as string),
    Strength,
    Flags: 0,
  })
  expect(
    networksOf(
      [station('A', 20), station('A', 60), station('', 90), station(Buffer.from([0xff, 0xfe]), 50)],
      new Set(),
    ),
  ).toEqual([{ ssid: 'A', security: 'open', signalPercent: 60, isKnown: false }])
})
