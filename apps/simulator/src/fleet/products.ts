/** The products that simulated units are: what is built in and which software they run. */
import { productOf } from '@backhaul/contract/nouns/products'
import type { Random } from '../random.ts'

export interface ProductPlan {
  /** As in nouns/products.ts. */
  name: string
  serialPrefix: string
  modems: number
  has5g: boolean
  ethernet: boolean
  capabilities: Readonly<Record<string, boolean>>
  versions: readonly [readonly [string, number], ...(readonly [string, number])[]]
}

type Versions = ProductPlan['versions']

const current: Versions = [
  ['7.3.0', 5],
  ['7.2.1', 3],
  ['7.1.0', 1],
]
const older: Versions = [
  ['6.4.2', 3],
  ['6.2.0', 1],
]
const phone: Versions = [
  ['5.4.1', 3],
  ['5.1.0', 1],
]

const always = {
  speedTest: true,
  upgrade: true,
  logs: true,
  location: true,
  storeAndForward: true,
  fileUpload: true,
  wifi: true,
}
const field = {
  ...always,
  hevc: true,
  videoReturn: true,
  intercom: true,
  xtend: true,
  perInterfacePriority: true,
  scanCellular: true,
  activeSim: true,
  reboot: true,
  tally: true,
}
const studio = {
  ...field,
  intercom2: true,
  multiCamera: true,
  switcher: true,
  switcherAndProxy: true,
}

function plan(name: string, modems: number, more: Partial<ProductPlan> = {}): ProductPlan {
  return {
    name,
    serialPrefix: productOf(name).family || name.replace(/\W/g, '').slice(2).toUpperCase(),
    modems,
    has5g: false,
    ethernet: true,
    capabilities: field,
    versions: current,
    ...more,
  }
}

const shares: readonly (readonly [ProductPlan, number])[] = [
  [plan('LU-600', 6, { has5g: true }), 34],
  [plan('LU-610', 6, { has5g: true }), 8],
  [plan('LU-700', 4), 8],
  [plan('LU-800', 6, { has5g: true, capabilities: studio }), 15],
  [plan('LU-300S', 4, { has5g: true }), 12],
  [plan('LU-500', 4, { versions: older, capabilities: { ...field, hevc: false } }), 6],
  [plan('LU-200', 2, { versions: older, capabilities: { ...always, reboot: true } }), 4],
  [plan('LU-Solo Pro', 4, { has5g: true }), 5],
  [plan('LU-Smart', 2, { has5g: true, ethernet: false, versions: phone, capabilities: always }), 8],
  [plan('LU-300', 4), 0.5],
  [plan('LU-700SV', 4), 0.5],
  [plan('LU-70L', 4, { versions: older }), 0.5],
  [plan('LU-810', 6, { has5g: true, capabilities: studio }), 2],
  [plan('LU-40', 2, { versions: older, capabilities: always }), 0.5],
  [plan('LU-Solo', 2, { has5g: true }), 2],
  [plan('Databridge Extender', 4, { capabilities: always }), 0.5],
  [plan('LU-Lite', 2, { versions: older, capabilities: always }), 1],
  [plan('MultiPoint', 2, { capabilities: { ...always, reboot: true } }), 0.5],
  [plan('P2P', 2, { capabilities: { ...always, reboot: true } }), 1],
  [plan('Drone Extender', 2, { capabilities: always }), 0.5],
  [plan('Link Extender', 4, { capabilities: always }), 0.5],
]

const usual = plan('LU-600', 6, { has5g: true })

/** Every second one of the first units, so that a small fleet has every product; the others are the usual ones. */
const roster: readonly ProductPlan[] = shares.map(([product]) => product).slice(1)

export const pickProduct = (index: number, random: Random): ProductPlan => {
  const picked = random.weighted(shares, usual)
  return (index % 2 === 0 ? roster[index / 2] : undefined) ?? (index < 2 * roster.length ? usual : picked)
}
