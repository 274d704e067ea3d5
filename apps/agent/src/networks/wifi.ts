// The Wi-Fi of the unit by the port of its link: read every few seconds, scanned and changed on request.
import { isDeepStrictEqual } from 'node:util'
import type { WifiJoin, WifiNetwork, WifiStatus } from '@backhaul/contract/nouns/unit-networks'
import { Refused } from '@backhaul/device/refused'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { type Bus, refusalOf } from './bus.ts'
import { mayChange } from './profiles.ts'
import type { Trial } from './trial.ts'
import { joinWifi, leaveWifi, readWifis, scanWifi, type WifiDevice } from './wifi-service.ts'

const readPeriodMs = 5000

export interface Wifis {
  facts(): WifiStatus[]
  scan(port: number, isForced: boolean): Promise<void>
  connect(port: number, join: Omit<WifiJoin, 'port'>): Promise<void>
  disconnect(port: number): Promise<void>
  stop(): void
}

export interface WifiOptions {
  bus: Bus
  clock: Clock
  log: Log
  /** Undefined for an interface that is no link of the unit. */
  portOf: (id: string) => number | undefined
  trial: Omit<Trial, 'fellBack'>
  onChange: () => void
}

interface Scan {
  networks: WifiNetwork[]
  scannedAt: number
}

export function followWifi(options: WifiOptions): Wifis {
  const { bus, clock, log } = options
  const trial: Trial = { ...options.trial, fellBack: 'network.fellBack' }
  const scans = new Map<number, Scan>()
  let devices: ReadonlyMap<number, WifiDevice> = new Map()
  let isChanging = false

  const facts = (): WifiStatus[] =>
    [...devices].map(([port, { ssid, security }]) => {
      const { networks = [], scannedAt = null } = scans.get(port) ?? {}
      return { port, ssid, security, networks, scannedAt }
    })

  async function read(): Promise<void> {
    const before = facts()
    try {
      const found = devices.size > 0 || (await mayChange(bus)) ? await readWifis(bus) : []
      devices = new Map(
        found.flatMap((device) => {
          const port = options.portOf(device.id)
          return port === undefined ? [] : [[port, device] as const]
        }),
      )
    } catch (error) {
      log.debug({ err: error }, 'Wi-Fi not read')
      devices = new Map()
    }
    if (!isDeepStrictEqual(before, facts())) options.onChange()
  }

  function deviceAt(port: number): WifiDevice {
    const device = devices.get(port)
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
    isChanging = true
    try {
      await run(device)
      log.info({ interface: device.id }, `${what}: core is reached`)
    } catch (error) {
      const why = refusalOf(error)
      log.warn({ interface: device.id, reason: why.message }, `${what} undone`)
      throw why
    } finally {
      isChanging = false
      await read()
    }
  }

  void read()
  const timer = clock.setInterval(() => {
    if (!isChanging) void read()
  }, readPeriodMs)

  return {
    facts,
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
    stop: () => clock.clearInterval(timer),
  }
}
