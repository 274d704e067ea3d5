// The settings of the unit's modems by operators: network, SIM, technologies, and how each joins the network of its carrier.
import { isDeepStrictEqual } from 'node:util'
import { because, type PlainCode } from '@backhaul/contract/define/refusals'
import type {
  CellularScan,
  NetworkMode,
  SimFacts,
  SimSlot,
  UnitModem,
  UnitModemChanges,
} from '@backhaul/contract/nouns/unit-networks'
import { Refused } from '@backhaul/device/refused'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { type Bus, isUnsupported, refusalOf } from './bus.ts'
import { changeAccess, type GsmDevice, readGsmDevices, storeNetwork } from './gsm-service.ts'
import {
  enable,
  readSim,
  register,
  type ServedModem,
  scanCellular,
  setModes,
  setSlot,
} from './modem-service.ts'
import type { Modems } from './modems.ts'
import type { NetworkChoices } from './network-choices.ts'
import { mayChange, pause } from './profiles.ts'
import { orUndo, type Trial } from './trial.ts'

const readPeriodMs = 5000
/** A modem that was reset is found again within this time. */
const backWithinMs = 90_000

export interface Cellular {
  facts(): UnitModem[]
  scans(): CellularScan[]
  scan(port: number): Promise<void>
  /** Undefined lets the modem choose. */
  select(port: number, network: string | undefined): Promise<void>
  setActiveSim(port: number, sim: SimSlot): Promise<void>
  set(port: number, changes: UnitModemChanges, password: string | undefined): Promise<void>
  stop(): void
}

export interface CellularOptions {
  /** The bus to NetworkManager. */
  bus: Bus
  /** To ModemManager, for calls that take minutes. */
  modemBus: Bus
  modems: Modems
  choices: NetworkChoices
  portOf: (modem: ServedModem) => number | undefined
  clock: Clock
  log: Log
  trial: Omit<Trial, 'fellBack'>
  onChange: () => void
}

export function openCellular(options: CellularOptions): Cellular {
  const { bus, modemBus, modems, choices, clock, log, portOf } = options
  const trial: Trial = { ...options.trial, fellBack: 'network.fellBack' }
  const scans = new Map<string, Omit<CellularScan, 'port' | 'selected'>>()
  /** The facts of SIM cards by modem object of ModemManager. */
  const sims = new Map<string, SimFacts>()
  let devices: ReadonlyMap<string, GsmDevice> = new Map()
  /** Modems whose chosen network was requested again since they were found. */
  const restored = new Set<string>()

  const deviceOf = ({ path }: ServedModem) => devices.get(path)

  function factsOf(modem: ServedModem, port: number): UnitModem {
    const { vendor, type, sims: simPaths, mode, modes, isCellular } = modem.settings
    const [simA, simB] = simPaths.map((path) => (path === undefined ? null : (sims.get(path) ?? unreadSim)))
    const network = choices.of(modem.imei) ?? null
    const { network: _, ...access } = deviceOf(modem)?.access ?? { network: '' }
    return {
      port,
      vendor,
      type,
      imei: modem.imei,
      simA: simA ?? null,
      simB: simB ?? null,
      access: 'apn' in access ? access : null,
      networkMode: mode,
      networkModes: [...modes.keys()],
      ...modem.cell,
      selection: isCellular ? { mode: network === null ? 'automatic' : 'manual', network } : null,
      canScan: isCellular,
    }
  }

  const known = () =>
    modems.all().flatMap((modem) => {
      const port = portOf(modem)
      return port === undefined ? [] : [{ modem, port }]
    })
  const facts = () => known().map(({ modem, port }) => factsOf(modem, port))
  let shown: UnitModem[] = []

  let reading: Promise<void> = Promise.resolve()
  /** One reading after the other, so that the newest is what is kept. */
  function read(): Promise<void> {
    reading = reading.then(readNow)
    return reading
  }

  async function readNow(): Promise<void> {
    try {
      const mayRead = devices.size > 0 || (await mayChange(bus))
      devices = new Map((mayRead ? await readGsmDevices(bus) : []).map((one) => [one.modemPath, one]))
    } catch (error) {
      log.debug({ err: error }, 'profiles of modems not read')
      devices = new Map()
    }
    for (const path of modems.all().flatMap(({ settings }) => settings.sims))
      if (path !== undefined && !sims.has(path))
        await readSim(modemBus, path).then(
          (sim) => sims.set(path, sim),
          (error) => log.debug({ err: error }, 'SIM not read'),
        )
    await restoreChoices()
    if (isDeepStrictEqual(shown, facts())) return
    shown = facts()
    options.onChange()
  }

  /** A modem that was reset chooses by itself again; one that NetworkManager connects gets its network from there. */
  async function restoreChoices(): Promise<void> {
    for (const { imei, path, isEnabled, settings } of modems.all()) {
      const network = choices.of(imei)
      if (!isEnabled || restored.has(path)) continue
      restored.add(path)
      if (network !== undefined && network !== settings.network)
        await register(modemBus, path, network).catch((error) =>
          log.warn({ imei, reason: refusalOf(error).message }, 'chosen network not restored'),
        )
    }
  }

  function modemAt(port: number): ServedModem {
    const found = known().find((one) => one.port === port)
    if (!found) throw new Refused('modem.gone')
    return found.modem
  }

  /** Logs what is done, without what is secret. */
  async function change(what: string, port: number, run: (modem: ServedModem) => Promise<void>) {
    const modem = modemAt(port)
    log.info({ imei: modem.imei }, `${what} on trial`)
    try {
      await run(modem)
      log.info({ imei: modem.imei }, `${what}: core is reached`)
    } catch (error) {
      const why = refusalOf(error)
      log.warn({ imei: modem.imei, reason: why.message }, `${what} undone`)
      throw why
    } finally {
      await modems.readNow()
      await read()
    }
  }

  async function choose({ imei, path }: ServedModem, network: string | undefined): Promise<void> {
    restored.add(path)
    await register(modemBus, path, network ?? '')
    choices.choose(imei, network)
    const device = devices.get(path)
    if (device) await storeNetwork(bus, device, network ?? '')
  }

  /** The modem after its reset, with this SIM in use. */
  async function backWithSlot(imei: string, slot: number): Promise<ServedModem> {
    const untilMs = clock.monotonicMs() + backWithinMs
    while (clock.monotonicMs() < untilMs) {
      await modems.readNow()
      const found = modems.all().find((one) => one.imei === imei && one.settings.slot === slot)
      if (found) return found
      await pause(clock, 1000)
    }
    throw new Refused('modem.gone')
  }

  /** One that was switched on before is switched on again. */
  async function switchSim({ imei, path }: ServedModem, slot: number, wasEnabled: boolean): Promise<void> {
    await setSlot(modemBus, path, slot)
    const modem = await backWithSlot(imei, slot)
    if (wasEnabled && !modem.isEnabled) await enable(modemBus, modem.path)
  }

  async function setMode(modem: ServedModem, mode: NetworkMode): Promise<void> {
    const [wanted, before] = [modem.settings.modes.get(mode), modem.settings.mode]
    if (!wanted) throw new Refused(because('modem.noMode', { mode }))
    const previous = before === null ? undefined : modem.settings.modes.get(before)
    await orUndo(
      trial,
      () => setModes(modemBus, modem.path, wanted),
      async () => {
        if (previous) await setModes(modemBus, modem.path, previous)
      },
    )
  }

  void read()
  const timer = clock.setInterval(() => void read(), readPeriodMs)

  return {
    facts,
    scans: () =>
      known().flatMap(({ modem: { imei }, port }) => {
        const scan = scans.get(imei)
        return scan ? [{ port, selected: choices.of(imei) ?? null, ...scan }] : []
      }),
    async scan(port) {
      const { imei, path } = modemAt(port)
      log.info({ imei }, 'scan for cellular networks')
      try {
        scans.set(imei, { networks: await scanCellular(modemBus, path), scannedAt: clock.nowMs() })
      } catch (error) {
        log.warn({ imei, reason: refusalOf(error).message }, 'scan for cellular networks failed')
        throw new Refused(scanFault(error))
      }
      options.onChange()
    },
    select: (port, network) =>
      change('network selected', port, (modem) => {
        const before = choices.of(modem.imei)
        return orUndo(
          trial,
          () => choose(modem, network),
          () => choose(modem, before),
        )
      }),
    async setActiveSim(port, sim) {
      const slot = sim === 'A' ? 1 : 2
      if (modemAt(port).settings.slot === slot) return
      await change('SIM changed', port, async (modem) => {
        if (modem.settings.sims[slot - 1] === undefined) throw new Refused(because('modem.noSim', { sim }))
        const { isEnabled } = modem
        const before = modem.settings.slot
        await orUndo(
          trial,
          () => switchSim(modem, slot, isEnabled),
          async () => {
            const now = modems.all().find(({ imei }) => imei === modem.imei)
            if (now && now.settings.slot !== before) await switchSim(now, before, isEnabled)
          },
        )
      })
    },
    async set(port, { networkMode, dialInString, ...access }, password) {
      if (dialInString !== undefined) throw new Refused('unitSetting.unsupported')
      await change('modem configured', port, async (modem) => {
        const { mode: before } = modem.settings
        if (networkMode !== undefined && networkMode !== before) await setMode(modem, networkMode)
        if (password === undefined && Object.keys(access).length === 0) return
        const device = deviceOf(modem)
        if (!device) throw new Refused('unitSetting.unsupported')
        try {
          await changeAccess(bus, device, { ...access, ...(password !== undefined && { password }) }, trial)
        } catch (error) {
          if (networkMode !== undefined && before !== null) await setMode(modem, before).catch(() => {})
          throw error
        }
      })
    },
    stop: () => clock.clearInterval(timer),
  }
}

const unreadSim: SimFacts = { iccid: '', eid: '' }

const scanFault = (error: unknown): PlainCode =>
  isUnsupported(error) ? 'cellularScan.unsupported' : 'cellularScan.failed'
