// The settings of a modem and their reported values, translated between ModemManager and the contract.
import {
  CELLULAR_NETWORKS_MAX,
  type CellularNetwork,
  type NetworkMode,
  networkModes,
  type UnitModem,
} from '@backhaul/contract/nouns/unit-networks'
import type { Properties } from './bus.ts'
import { technologyOf } from './modem-values.ts'

/** Technologies by their bits, without 2G, which a modem may use in addition. */
const modeBits: Readonly<Record<NetworkMode, number>> = { '3G/4G/5G': 28, '3G/4G': 12, '4G': 8 }
const newerThan2g = 28

/** Allowed and preferred technologies, as the service names them. */
export type Modes = readonly [allowed: number, preferred: number]

export interface ModemSettings {
  vendor: string
  type: string
  /** Objects of the SIMs in the slots A and B. */
  sims: readonly [string | undefined, string | undefined]
  /** The slot in use, from 1; 0 where the modem has one only. */
  slot: number
  mode: NetworkMode | null
  /** The modes that the modem supports, with the service's name for each. */
  modes: ReadonlyMap<NetworkMode, Modes>
  /** It joins networks of GSM and later. */
  isCellular: boolean
  /** The network that the modem is registered with. */
  network: string
}

export function settingsOf(Modem: Properties, Modem3gpp: Properties | undefined): ModemSettings {
  const paths = (Modem.SimSlots ?? []) as string[]
  const sim = (path: unknown) => (typeof path === 'string' && path.length > 1 ? path : undefined)
  const supported = (Modem.SupportedModes ?? []) as Modes[]
  return {
    vendor: String(Modem.Manufacturer ?? '').slice(0, 64),
    type: String(Modem.Model ?? '').slice(0, 64),
    sims: paths.length > 0 ? [sim(paths[0]), sim(paths[1])] : [sim(Modem.Sim), undefined],
    slot: Number(Modem.PrimarySimSlot ?? 0),
    mode: networkModes.find((mode) => isMode(Modem.CurrentModes as Modes | undefined, mode)) ?? null,
    modes: new Map(
      networkModes.flatMap((mode) => {
        const best = supported
          .filter((modes) => isMode(modes, mode))
          .toSorted((a, b) => a[0] - b[0] || a[1] - b[1])[0]
        return best ? [[mode, best] as const] : []
      }),
    ),
    isCellular: Modem3gpp !== undefined,
    network: String(Modem3gpp?.OperatorCode ?? ''),
  }
}

const isMode = (modes: Modes | undefined, mode: NetworkMode): boolean =>
  modes !== undefined && (modes[0] & newerThan2g) === modeBits[mode]

/** "MCC,MNC,LAC,CI,TAC": an LTE cell has its area in the last one. */
export function cellOf(location: unknown): Pick<UnitModem, 'cellId' | 'locationAreaCode'> {
  const [, , area = '', cellId = '', trackingArea = ''] = String(location ?? '').split(',')
  const isKnown = (code: string) => /[1-9a-f]/i.test(code)
  return {
    cellId: isKnown(cellId) ? cellId : '',
    locationAreaCode: [area, trackingArea].find(isKnown) ?? '',
  }
}

const states = ['unknown', 'available', 'current', 'forbidden'] as const

/** One for each network, with all of its technologies; the one in use first. */
export function cellularNetworksOf(found: readonly Properties[]): CellularNetwork[] {
  const networks = new Map<string, CellularNetwork>()
  for (const one of found) {
    const code = String(one['operator-code'] ?? '')
    if (!/^\d{5,6}$/.test(code)) continue
    const before = networks.get(code)
    const technology = technologyOf(Number(one['access-technology'] ?? 0)) ?? ''
    const technologies = [...(before?.technology.split(' / ') ?? []), technology].filter(Boolean)
    const state = states[Number(one.status ?? 0)] ?? 'unknown'
    networks.set(code, {
      code,
      name: String(one['operator-long'] || one['operator-short'] || code).slice(0, 64),
      technology: [...new Set(technologies)].join(' / ').slice(0, 32),
      state: before?.state === 'current' ? 'current' : state,
    })
  }
  const isOther = ({ state }: CellularNetwork) => Number(state !== 'current')
  return [...networks.values()]
    .toSorted((a, b) => isOther(a) - isOther(b) || a.name.localeCompare(b.name))
    .slice(0, CELLULAR_NETWORKS_MAX)
}
