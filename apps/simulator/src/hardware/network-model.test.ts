import { UnitModem, WifiStatus } from '@backhaul/contract/nouns/unit-networks'
import { expect, test } from 'vitest'
import { createStage } from '../testing/stage.ts'

/** A unit with everything, what it does with its networks, and time for it. */
function stageOf() {
  const stage = createStage()
  const unit = stage.units.find(({ plan }) => plan.product.capabilities.scanCellular)!
  const facts = () => unit.facts()
  const link = (port: number) => facts().links.find((one) => one.port === port)!
  const sample = (port: number) => unit.sample().links.find((one) => one.port === port)!
  /** Resolves with the outcome when it has had this long. */
  async function within(seconds: number, act: Promise<void>): Promise<string> {
    let outcome = 'under way'
    act.then(
      () => {
        outcome = 'done'
      },
      (error: Error) => {
        outcome = error.message
      },
    )
    for (let left = seconds; left > 0 && outcome === 'under way'; left--) {
      await stage.clock.advanceAsync(1000)
      unit.sample()
    }
    return outcome
  }
  return { ...stage, unit, facts, link, sample, within, networks: unit.networks }
}

const wifiPort = (facts: ReturnType<ReturnType<typeof stageOf>['facts']>) => facts.wifi?.[0]?.port ?? -1

test('[CONF-002] a Wi-Fi network that is joined becomes a link, and one that is left is none any more', async () => {
  const { facts, networks, within, sample } = stageOf()
  const port = wifiPort(facts())
  expect(WifiStatus.parse(facts().wifi?.[0])).toMatchObject({ ssid: 'Crew hotspot', scannedAt: null })
  expect(await within(1, networks.scanWifi(port, true))).toBe('under way')
  expect(await within(10, networks.scanWifi(port, true))).toBe('done')
  expect(facts().wifi?.[0]?.networks.map(({ ssid }) => ssid)).toContain('Press centre')
  expect(await within(10, networks.disconnectWifi(port))).toBe('done')
  expect(facts().wifi?.[0]?.ssid).toBeNull()
  expect(sample(port).up).toBe(false)
  const join = { ssid: 'Press centre', security: 'wpa3', isHidden: false } as const
  expect(await within(20, networks.connectWifi(port, join))).toContain('password of the network')
  expect(await within(20, networks.connectWifi(port, { ...join, password: 'on-the-road' }))).toBe('done')
  expect(facts().wifi?.[0]).toMatchObject({ ssid: 'Press centre', security: 'wpa3' })
  expect(await within(2, Promise.resolve())).toBe('done')
  expect(sample(port).up).toBe(true)
  const hidden = { ssid: 'OB truck', security: 'wpa', password: 'on-the-road' } as const
  expect(await within(20, networks.connectWifi(port, { ...hidden, isHidden: false }))).toContain('OB truck')
  expect(await within(20, networks.connectWifi(port, { ...hidden, isHidden: true }))).toBe('done')
})

test('[CONF-006] [CONF-007] a scan takes its time, and another SIM or network has another carrier and other figures', async () => {
  const { facts, link, networks, within, sample } = stageOf()
  const modem = UnitModem.parse(facts().modems?.[0])
  const { port } = modem
  const before = link(port)
  expect(await within(30, networks.scanCellular(port))).toBe('under way')
  expect(sample(port).up).toBe(false)
  expect(await within(120, networks.scanCellular(port))).toBe('done')
  const scan = facts().cellularNetworks?.[0]
  expect(scan).toMatchObject({ port, selected: null })
  const other = scan!.networks.find(({ name }) => name !== before.carrier)!
  expect(await within(40, networks.selectNetwork(port, other.code))).toBe('done')
  expect(link(port).carrier).toBe(other.name)
  expect(facts().modems?.[0]?.selection).toEqual({ mode: 'manual', network: other.code })
  expect(await within(40, networks.selectNetwork(port, '00101'))).toContain('not registered')
  expect(await within(40, networks.selectNetwork(port, undefined))).toBe('done')
  expect(link(port).carrier).toBe(before.carrier)
  const sim = before.activeSim === 'A' ? 'B' : 'A'
  expect(await within(40, networks.setActiveSim(port, sim))).toBe('done')
  expect(link(port)).toMatchObject({ activeSim: sim })
  expect(link(port).carrier).not.toBe(before.carrier)
  expect(await within(5, Promise.resolve())).toBe('done')
  expect(sample(port).up).toBe(true)
})

test('[CONF-005] a modem takes its settings, and returns to the previous ones where its carrier does not', async () => {
  const { facts, link, networks, within } = stageOf()
  const fast = facts().modems!.find(({ networkModes }) => networkModes.includes('3G/4G/5G'))!
  const { port } = fast
  const now = () => facts().modems!.find((one) => one.port === port)!
  expect(await within(20, networks.setModem(port, { networkMode: '4G', username: 'crew' }, 'secret-7'))).toBe(
    'done',
  )
  expect(now()).toMatchObject({ networkMode: '4G', access: { username: 'crew', hasPassword: true } })
  expect(link(port).technology).toBe('LTE')
  expect(
    await within(20, networks.setModem(port, { automaticApn: false, apn: 'wrong' }, undefined)),
  ).toContain('APN')
  expect(now().access).toMatchObject({ automaticApn: true, apn: '', username: 'crew' })
  expect(await within(20, networks.setModem(port, { automaticApn: false, apn: 'internet' }, undefined))).toBe(
    'done',
  )
  expect(await within(20, networks.setModem(port, { dialInString: '123' }, undefined))).toContain(
    'not connected',
  )
  expect(now().access).toMatchObject({ automaticApn: false, apn: 'internet', dialInString: '*99#' })
  expect(JSON.stringify(facts())).not.toContain('secret-7')
})
