/** Plan of a fleet: its units and servers, of any number, derived from a seed alone. */
import { type DemoGroupId, demoGroups } from '@backhaul/contract/examples/demo'
import type { LinkKind } from '@backhaul/contract/nouns/modems'
import { Random, seedOf } from '../random.ts'
import { type City, type CountryCode, citiesOfGroup, countries } from './places.ts'
import { type ProductPlan, pickProduct } from './products.ts'

export interface LinkPlan {
  port: number
  id: string
  kind: LinkKind
  carrier?: string
  /** Best technology that modem and carrier have in common. */
  technology: string
  activeSim?: 'A' | 'B'
  roaming?: boolean
  address: string
  /** Its capacity under good conditions. */
  capacityKbps: number
  rttMs: number
  lossPercent: number
  /** Reference signal received power where the crew usually is; modems only. */
  rsrpDbm: number
}

export interface UnitPlan {
  index: number
  serialNumber: string
  name: string
  product: ProductPlan
  swVersion: string
  groupId: DemoGroupId
  city: City
  links: readonly LinkPlan[]
  fps: number
  /** The target rate of the encoder when the links allow it. */
  encoderKbps: number
  battery: 'built-in' | 'none'
  /** Switched off for now. */
  isOff: boolean
  activity: 'store' | 'forward' | 'upgrade' | undefined
}

export interface ServerPlan {
  index: number
  serialNumber: string
  name: string
  groupId: DemoGroupId
  swVersion: string
  /** Address that no real machine has (RFC 2544), so that a unit recognises a simulated server by it. */
  host: string
  /** Names of its channels; slot n is the n-th, from 1. */
  channelNames: readonly string[]
  /** Receives a unit with several cameras on the first of its channels. */
  multiCameraName: string
}

/** Sends the studio's picture back to the crews of its group. */
export interface ReturnServerPlan extends Omit<ServerPlan, 'index' | 'multiCameraName'> {
  /** The standard of the studio's feed. */
  standard: string
  fps: number
}

export interface Fleet {
  units: UnitPlan[]
  servers: ServerPlan[]
  returnServers: ReturnServerPlan[]
}

export interface FleetOptions {
  seed: number
  units: number
  /** Minimum; a larger fleet gets more, since a server has at most 64 channels. */
  servers: number
}

const groupShares: readonly (readonly [DemoGroupId, number])[] = [
  ['london-news', 0.22],
  ['paris-news', 0.16],
  ['montreal-news', 0.16],
  ['new-york-news', 0.18],
  ['sport-europe', 0.16],
  ['sport-americas', 0.12],
]
/** One more receives several cameras. */
const slotsPerServer = 63
/** Enough for an election night. */
const channelsPerUnit = 0.65

export function planFleet({ seed, units, servers }: FleetOptions): Fleet {
  const numbers = new Map<string, number>()
  const planned = Array.from({ length: units }, (_, index) => planUnit(seed, index, numbers))
  const receiving = planServers(seed, planned, servers)
  return { units: planned, servers: receiving, returnServers: planReturnServers(seed, receiving) }
}

const returnsPerServer = 4

/** One for each group that has a receiving server. */
function planReturnServers(seed: number, receiving: readonly ServerPlan[]): ReturnServerPlan[] {
  const groupIds = [...new Set(receiving.map(({ groupId }) => groupId))]
  return groupIds.map((groupId, index) => {
    const city = citiesOfGroup[groupId][0]
    const place = placeName(city.name)
    const [fps] = countries[city.country].frameRates
    return {
      serialNumber: `VR-${seedOf('return server', seed, groupId).toString(16).toUpperCase().padStart(8, '0')}`,
      name: `VR-${place}`,
      groupId,
      swVersion: '10.1.0',
      host: `198.19.0.${10 + index}`,
      channelNames: Array.from({ length: returnsPerServer }, (_, slot) => `Return-${place}-${slot + 1}`),
      standard: `1080p${fps}`,
      fps,
    }
  })
}

/** Limited to the characters that names of devices may have. */
const placeName = (city: string): string => city.normalize('NFD').replace(/\p{M}/gu, '').replaceAll(' ', '-')

function planUnit(seed: number, index: number, numbers: Map<string, number>): UnitPlan {
  const unitSeed = seedOf('unit', seed, index)
  const random = new Random(unitSeed)
  const groupId = groupOf(index)
  const [main, ...others] = citiesOfGroup[groupId]
  const city = random.chance(0.6) ? main : random.pick([main, ...others])
  const product = pickProduct(index, random)
  const prefix = `${product.name.replace(/^LU-/, 'LU').replace(/\W/g, '')}-${city.code}`
  const number = (numbers.get(prefix) ?? 0) + 1
  numbers.set(prefix, number)
  const isSport = groupId.startsWith('sport')
  return {
    index,
    serialNumber: `${product.serialPrefix}-${unitSeed.toString(16).toUpperCase().padStart(8, '0')}`,
    name: `${prefix}-${String(number).padStart(2, '0')}`,
    product,
    swVersion: random.weighted(product.versions, product.versions[0][0]),
    groupId,
    city,
    links: planLinks(random, product, city.country),
    fps: random.pick(countries[city.country].frameRates),
    encoderKbps: Math.round(random.between(isSport ? 5000 : 2500, isSport ? 10_000 : 7000)),
    battery: random.chance(0.93) ? 'built-in' : 'none',
    isOff: random.chance(0.1),
    activity: random.weighted(
      [
        [undefined, 94],
        ['store', 2.5],
        ['forward', 2.5],
        ['upgrade', 1],
      ],
      undefined,
    ),
  }
}

/** Golden-ratio steps spread any number of units evenly, and unit n is the same in a fleet of any size. */
function groupOf(index: number): DemoGroupId {
  let left = (index * 0.618033988749895 + 0.1) % 1
  for (const [groupId, share] of groupShares) {
    left -= share
    if (left < 0) return groupId
  }
  return 'london-news'
}

function planLinks(random: Random, product: ProductPlan, country: CountryCode): LinkPlan[] {
  const links: LinkPlan[] = []
  const add = (link: Omit<LinkPlan, 'port' | 'address'>) => {
    const port = links.length
    links.push({ ...link, port, address: `10.${random.whole(16, 127)}.${random.whole(0, 255)}.${10 + port}` })
  }
  if (product.ethernet) {
    add({
      id: 'Ethernet',
      kind: 'ethernet',
      technology: '1000BASE-T',
      capacityKbps: random.between(8000, 40_000),
      rttMs: random.between(8, 25),
      lossPercent: 0.02,
      rsrpDbm: 0,
    })
  }
  add({
    id: 'Wi-Fi',
    kind: 'wifi',
    technology: '802.11ac',
    capacityKbps: random.between(2000, 12_000),
    rttMs: random.between(12, 40),
    lossPercent: 0.3,
    rsrpDbm: 0,
  })
  const carriers = countries[country].carriers
  for (let modem = 1; modem <= product.modems; modem++) {
    const roaming = random.chance(0.03)
    const carrier = carriers[(modem - 1 + random.whole(0, 1)) % carriers.length] ?? carriers[0]
    const is5g = product.has5g && random.chance(0.6)
    add({
      id: `Modem ${modem}`,
      kind: 'modem',
      carrier: roaming ? 'Vodafone roam' : carrier,
      technology: is5g ? random.pick(['5G NSA', '5G NSA', '5G SA']) : 'LTE',
      activeSim: random.chance(0.75) ? 'A' : 'B',
      roaming,
      capacityKbps: Math.min(8000, random.between(500, 3500) * (is5g ? 2.2 : 1) * (roaming ? 0.6 : 1)),
      rttMs: random.between(32, 75) + (roaming ? 45 : 0) - (is5g ? 12 : 0),
      lossPercent: random.between(0.1, 0.6),
      rsrpDbm: random.between(-112, -76),
    })
  }
  return links
}

function planServers(seed: number, units: readonly UnitPlan[], least: number): ServerPlan[] {
  const wantedOf = (groupId: string) =>
    Math.max(8, Math.ceil(units.filter((unit) => unit.groupId === groupId).length * channelsPerUnit))
  const groups = demoGroups.slice(0, Math.max(1, Math.min(least, demoGroups.length)))
  const counts = groups.map(({ id }) => ({ id, channels: wantedOf(id), servers: 1 }))
  for (const count of counts) count.servers = Math.ceil(count.channels / slotsPerServer)
  for (let more = least - counts.reduce((sum, { servers }) => sum + servers, 0); more > 0; more--) {
    const fullest = counts.reduce((a, b) => (b.channels / b.servers > a.channels / a.servers ? b : a))
    fullest.servers++
  }
  const plans: ServerPlan[] = []
  for (const { id, channels, servers } of counts) {
    const place = placeName(citiesOfGroup[id][0].name)
    const slots = Math.ceil(channels / servers)
    for (let n = 0; n < servers; n++) {
      const index = plans.length
      const serial = seedOf('server', seed, id, n).toString(16).toUpperCase().padStart(8, '0')
      plans.push({
        index,
        serialNumber: `MMH-${serial}`,
        name: `MCR-${place}${n === 0 ? '' : `-${n + 1}`}`,
        groupId: id,
        swVersion: new Random(seedOf(serial)).pick(['10.1.0', '10.0.4', '9.8.2']),
        host: `198.18.${Math.floor(index / 200)}.${10 + (index % 200)}`,
        channelNames: Array.from({ length: slots }, (_, slot) =>
          slot === slots - 1
            ? `Boss150-${place}${n === 0 ? '' : `-${n + 1}`}`
            : `${place}-${n * slots + slot + 1}`,
        ),
        multiCameraName: `${place}-Multi${n === 0 ? '' : `-${n + 1}`}`,
      })
    }
  }
  return plans
}
