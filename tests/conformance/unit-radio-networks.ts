/**
 * The Wi-Fi and the second SIM of a real agent. No radio and no modem with two slots is in a machine of tests, so that services with
 * the interfaces of NetworkManager and ModemManager take the place of both, and show what the agent makes of them.
 */
import { join } from 'node:path'
import { openTwoSims, type TwoSims } from '@backhaul/device/testing/two-sims'
import { openWifiRadio, type WifiRadio } from '@backhaul/device/testing/wifi-radio'
import { superviseChild } from '@backhaul/runtime/child-process'
import { canRunServices, startPrivateBus } from '@backhaul/runtime/testing/private-bus'
import { mainOfStage } from '../stage/programs.ts'
import { until } from '../stage/until.ts'
import { startScriptedCore } from './scripted-core.ts'
import { confirmed, patienceMs } from './shared-cases.ts'
import { followUnit, type UnitAtCore } from './unit-at-core.ts'
import { type NetworkStand, networkAgent } from './unit-network-looks.ts'
import type { Look } from './verdicts.ts'

interface RadioUnit extends UnitAtCore {
  readonly radio: WifiRadio
  readonly modem: TwoSims
  stop(): Promise<void>
}

const home = { ssid: 'Home', password: 'first-password', strength: 70 }
const press = { ssid: 'Press centre', password: 'on-the-wall-7', strength: 50 }
const wpa = { ssid: press.ssid, security: 'wpa', isHidden: false }

async function open(): Promise<RadioUnit> {
  const core = await startScriptedCore()
  const bus = await startPrivateBus()
  const [radio, modem] = [await openWifiRadio(bus.address), await openTwoSims(bus.address)]
  radio.air.push(home)
  radio.know(home.ssid, home.password)
  const agent = superviseChild({
    command: process.execPath,
    args: [mainOfStage('agent')],
    env: {
      ...process.env,
      ...networkAgent,
      DBUS_SYSTEM_BUS_ADDRESS: bus.address,
      BACKHAUL_CORE_URL: core.url,
      BACKHAUL_DATA: join(bus.folder, 'agent'),
    },
    killAfterMs: 20_000,
  })
  async function stop(): Promise<void> {
    await agent.stop()
    await bus.stop()
    await core.close()
  }
  return { ...followUnit(core), radio, modem, stop }
}

const wifiOf = ({ actual }: UnitAtCore) => actual().wifi?.[0]
const portOf = async (unit: UnitAtCore) => (await until('its Wi-Fi', () => wifiOf(unit), patienceMs)).port
const reports = (unit: UnitAtCore, ssid: string | null) =>
  until(`the network ${ssid}`, () => wifiOf(unit)?.ssid === ssid, patienceMs)

const wifi: Record<string, Look<RadioUnit>> = {
  async 'order wifi_query'(unit) {
    const port = await portOf(unit)
    const scans = () => unit.radio.calls.filter(([member]) => member === 'RequestScan').length
    /** The report of them may follow the confirmation. */
    const finds = (...ssids: string[]) =>
      until(
        `the networks ${ssids}`,
        () =>
          wifiOf(unit)
            ?.networks.map(({ ssid }) => ssid)
            .join() === ssids.join(),
        patienceMs,
      )
    await confirmed(unit, 'wifi_query', { port, forceScanNow: false })
    await finds(home.ssid)
    if (scans() > 0) throw new Error(`the radio was let scan ${scans()} times`)
    unit.radio.air.push(press)
    await confirmed(unit, 'wifi_query', { port, forceScanNow: true })
    if (scans() !== 1) throw new Error(`the radio was let scan ${scans()} times`)
    await finds(home.ssid, press.ssid)
    return `${home.ssid}, ${press.ssid}, as they are in the air, by a scan where it is forced`
  },
  async 'order wifi_connect'(unit) {
    const port = await portOf(unit)
    const refused = await unit.core.order('wifi_connect', { port, ...wpa, password: 'not-this-one' })
    if (refused.state !== 'refused') throw new Error('a wrong password was confirmed')
    if (unit.radio.connectedTo() !== home.ssid) throw new Error(`it is left in ${unit.radio.connectedTo()}`)
    await confirmed(unit, 'wifi_connect', { port, ...wpa, password: press.password })
    if (unit.radio.connectedTo() !== press.ssid) throw new Error(`it is in ${unit.radio.connectedTo()}`)
    const kept = unit.radio.profiles().find(({ name }) => name === press.ssid)
    if (!kept?.isStored || !kept.autoconnect) throw new Error('the network is not kept')
    await reports(unit, press.ssid)
    return 'the interface is in the network, which is kept; with a wrong password it is in the previous one'
  },
  async 'order wifi_disconnect'(unit) {
    await confirmed(unit, 'wifi_disconnect', { port: await portOf(unit) })
    if (unit.radio.connectedTo() !== undefined) throw new Error(`it is in ${unit.radio.connectedTo()}`)
    const kept = unit.radio.profiles().find(({ name }) => name === press.ssid)
    if (kept?.autoconnect !== false) throw new Error('it would join the network again by itself')
    await reports(unit, null)
    return 'the interface is in no network, and joins it no more by itself'
  },
}

const modemLink = ({ actual }: UnitAtCore) => actual().links?.find(({ kind }) => kind === 'modem')

async function changeSim(unit: RadioUnit, sim: 'A' | 'B', slot: number): Promise<void> {
  const { port } = await until('its modem', () => unit.actual().modems?.find(({ simB }) => simB), patienceMs)
  await confirmed(unit, 'set_active_sim', { ports: [port], sim })
  if (unit.modem.slot() !== slot) throw new Error(`the modem uses slot ${unit.modem.slot()}`)
  if (!unit.modem.isEnabled()) throw new Error('the modem was not switched on again')
  await until(`SIM ${sim}`, () => modemLink(unit)?.activeSim === sim, patienceMs)
}

const sims: Record<string, Look<RadioUnit>> = {
  async 'order set_active_sim'(unit) {
    await changeSim(unit, 'B', 2)
    await until('the other carrier', () => modemLink(unit)?.carrier === 'Other', patienceMs)
    return 'the modem uses its second slot, and is on again after its reset'
  },
  async 'link activeSim'(unit) {
    await changeSim(unit, 'A', 1)
    return 'the one of the slot that the modem uses'
  },
}

export const radioNetworks: NetworkStand<RadioUnit> = {
  fault: () => (canRunServices() ? undefined : 'this machine has no D-Bus of its own for a test'),
  open,
  looks: { ...wifi, ...sims },
}
