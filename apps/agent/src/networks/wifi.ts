// The Wi-Fi of the unit by the port of its link: read every few seconds, scanned and changed on request.
import type { WifiJoin, WifiNetwork, WifiStatus } from '@backhaul/contract/nouns/unit-networks'
import { Refused } from '@backhaul/device/refused'
import { refusalOf } from './bus.ts'
import { type FollowOptions, followDevices } from './followed-devices.ts'
import type { Trial } from './trial.ts'
import { joinWifi, leaveWifi, readWifis, scanWifi, type WifiDevice } from './wifi-service.ts'

export interface Wifis {
  facts(): WifiStatus[]
  scan(port: number, isForced: boolean): Promise<void>
  connect(port: number, join: Omit<WifiJoin, 'port'>): Promise<void>
  disconnect(port: number): Promise<void>
  stop(): void
}

interface Scan {
  networks: WifiNetwork[]
  scannedAt: number
}

export function followWifi(options: FollowOptions): Wifis {
  const { bus, clock, log } = options
  const trial: Trial = { ...options.trial, fellBack: 'network.fellBack' }
  const scans = new Map<number, Scan>()

  const factsOf = (devices: ReadonlyMap<number, WifiDevice>): WifiStatus[] =>
    [...devices].map(([port, { ssid, security }]) => {
      const { networks = [], scannedAt = null } = scans.get(port) ?? {}
      return { port, ssid, security, networks, scannedAt }
    })
  const devices = followDevices(options, 'Wi-Fi', readWifis, factsOf)

  function deviceAt(port: number): WifiDevice {
    const device = devices.now().get(port)
    if (!device) throw new Refused('wifi.notBuiltIn')
    return device
  }

  async function rescan(port: number, isForced: boolean): Promise<void> {
    const networks = await scanWifi(bus, deviceAt(port), isForced, clock)
    scans.set(port, { networks, scannedAt: clock.nowMs() })
    options.onChange()
  }

  /** Logs what is done, without the password. */
  async function change(what: string, port: number, run: (device: WifiDevice) => Promise<void>) {
    const device = deviceAt(port)
    log.info({ interface: device.id }, `${what} on trial`)
    await devices.change(
      () => run(device),
      (reason) => log.warn({ interface: device.id, reason }, `${what} undone`),
    )
    log.info({ interface: device.id }, `${what}: core is reached`)
  }

  return {
    facts: () => factsOf(devices.now()),
    async scan(port, isForced) {
      await rescan(port, isForced).catch((error) => {
        throw refusalOf(error)
      })
    },
    async connect(port, join) {
      await change('Wi-Fi connected', port, (device) => joinWifi(bus, device, join, trial))
      // The network is known from now on.
      if (scans.has(port)) await rescan(port, false).catch(() => {})
    },
    disconnect: (port) => change('Wi-Fi disconnected', port, (device) => leaveWifi(bus, device, trial)),
    stop: devices.stop,
  }
}
