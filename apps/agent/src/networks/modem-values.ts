// The values that ModemManager reports about a modem, in terms of the contract.
import type { Link } from '@backhaul/contract/gateway/units'
import type { Properties } from './bus.ts'

export interface Modem {
  /** The IMEI: kept over a reset and at another port, where the path changes. */
  imei: string
  /** The D-Bus path for calls to the service; valid until the modem is reset. */
  path: string
  /** The network interface that its data go through; undefined until it has one. */
  netPort: string | undefined
  details: Pick<Link, 'carrier' | 'technology' | 'activeSim' | 'roaming'>
  /** dBm and dB by name, and bars from 0 to 5. */
  signal: Record<string, number>
  /** It is switched on, so that its signal can be measured. */
  isEnabled: boolean
}

/** The interfaces of an object of ModemManager, by the last words of their names. */
export interface ModemParts {
  Modem: Properties
  Modem3gpp?: Properties | undefined
  Signal?: Properties | undefined
}

const netPortType = 2
const enabledState = 6
/** Roaming with data, with text messages alone, and with calls by an older network. */
const roamingStates = [5, 7, 9]

/** Undefined for one without an IMEI, which could not be recognised again. */
export function modemOf(path: string, { Modem, Modem3gpp = {}, Signal = {} }: ModemParts): Modem | undefined {
  const imei = String(Modem.EquipmentIdentifier ?? '')
  if (imei === '') return undefined
  const ports = (Modem.Ports ?? []) as [string, number][]
  const technology = technologyOf(Number(Modem.AccessTechnologies ?? 0))
  const carrier = String(Modem3gpp.OperatorName ?? '') || String(Modem3gpp.OperatorCode ?? '')
  const sim = simOf(Number(Modem.PrimarySimSlot ?? 0))
  return {
    imei,
    path,
    netPort: ports.find(([, type]) => type === netPortType)?.[0],
    details: {
      roaming: roamingStates.includes(Number(Modem3gpp.RegistrationState ?? 0)),
      ...(carrier && { carrier: carrier.slice(0, 64) }),
      ...(technology && { technology }),
      ...(sim && { activeSim: sim }),
    },
    signal: signalOf(Modem.SignalQuality, Signal),
    isEnabled: Number(Modem.State ?? 0) >= enabledState,
  }
}

/** The newest of the technologies in use, by their bits. */
const technologies = [
  [1 << 14, 'LTE'],
  [1 << 9, 'HSPA+'],
  [(1 << 6) | (1 << 7) | (1 << 8), 'HSPA'],
  [1 << 5, 'UMTS'],
  [1 << 4, 'EDGE'],
  [1 << 3, 'GPRS'],
  [(1 << 1) | (1 << 2), 'GSM'],
] as const
const newRadio = 1 << 15
const lte = 1 << 14

export function technologyOf(bits: number): string | undefined {
  if (bits & newRadio) return bits & lte ? '5G NSA' : '5G SA'
  return technologies.find(([mask]) => bits & mask)?.[1]
}

const simOf = (slot: number): 'A' | 'B' | undefined => (slot === 1 ? 'A' : slot === 2 ? 'B' : undefined)

/** In the order in which they are preferred: what carries the data most likely. */
const radios = ['Nr5g', 'Lte', 'Umts', 'Evdo', 'Cdma', 'Gsm']
const figures = { rssi: 'rssi', rsrp: 'rsrp', rsrq: 'rsrq', snr: 'sinr' } as const

/** `quality` is a percentage and whether it is recent. */
export function signalOf(quality: unknown, radioFigures: Properties): Record<string, number> {
  const [percent] = Array.isArray(quality) ? (quality as [number]) : [undefined]
  const measured = radios.map((radio) => Object.entries((radioFigures[radio] ?? {}) as Properties))
  const known = measured.map((entries) =>
    entries.flatMap(([name, value]) => {
      const ours = figures[name as keyof typeof figures]
      return ours && isMeasured(value) ? [[ours, Math.round(value * 10) / 10] as const] : []
    }),
  )
  return {
    ...Object.fromEntries(known.find((entries) => entries.length > 0) ?? []),
    ...(percent !== undefined && { bars: Math.min(5, Math.ceil(percent / 20)) }),
  }
}

/** An unknown figure is the lowest number that there is. */
const isMeasured = (value: unknown): value is number => typeof value === 'number' && value > -1000
