/** The settings that a simulated unit supports, with factory values at first. */
import { type AudioJack, firstLine } from '@backhaul/contract/nouns/intercom'
import type { Ethernet, UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import type { UnitPlan } from '../fleet/fleet.ts'

const uncapped = { option: 'disabled', customMbps: null } as const

/** A headset at the first, nothing at the second. */
const firstJacks: AudioJack[] = [
  { jack: 1, use: 'intercom1' },
  { jack: 2, use: 'off' },
]

/** Only what has an effect in the simulation, and of that what the product has the function for. */
export function firstSettings({ product, links }: UnitPlan): UnitSettings {
  const { capabilities } = product
  const sockets = links.filter(({ kind }) => kind === 'ethernet')
  return {
    workingMode: 'video',
    videoComplexity: 'standard',
    adaptiveResolution: true,
    shootingMode: 'static',
    audioChannels: 2,
    audioBitrate: 96,
    filenamePrefix: '',
    metadata: {},
    defaultMetadata: {},
    totalLimitKbps: 0,
    cellularLimitKbps: 0,
    leastCostBonding: 'disabled',
    ...(capabilities.xtend && { xtend: true }),
    ...(capabilities.perInterfacePriority && {
      links: Object.fromEntries(links.map(({ port }) => [port, { priority: 1 as const, limitKbps: 0 }])),
    }),
    totalCapping: uncapped,
    cellularCapping: uncapped,
    ...(capabilities.multiCamera && {
      cameraLimitKbps: 0,
      cameraMode: 'single' as const,
      cameraInput: 1,
      multiCameraLabels: [],
      cameraPriorities: [1, 1, 1, 1] as const satisfies UnitSettings['cameraPriorities'],
    }),
    ...(capabilities.intercom && {
      intercoms: capabilities.intercom2 ? [firstLine, firstLine] : [firstLine],
      audioJacks: firstJacks,
    }),
    ...(capabilities.storeAndForward && {
      sendMode: 'live' as const,
      storeAndForwardQuality: { 'H.264/AVC': 'standard' as const, 'H.265/HEVC': 'standard' as const },
      storeAndForwardEncoder: capabilities.hevc ? ('H.265/HEVC' as const) : ('H.264/AVC' as const),
    }),
    ...(sockets.length > 0 && {
      linkMode: 'cellularBonding' as const,
      ipInput: { protocol: 'srt' as const, url: '', port: 9000, enabled: false },
      ethernet: Object.fromEntries(sockets.map(({ port, address }) => [port, firstEthernet(port, address)])),
    }),
  }
}

/** As the socket is after the request: DHCP gives the addresses of the lease again. */
export const joined = (wanted: Ethernet, port: number, leased: string): Ethernet =>
  wanted.dhcp ? { ...firstEthernet(port, leased), powerOverEthernet: wanted.powerOverEthernet } : wanted

/** Its network has 24 bits, and its router is the first address of it. */
export function isJoined({ dhcp, ip, defaultGateway }: Ethernet, leased: string): boolean {
  const network = (address: string) => address.split('.').slice(0, 3).join('.')
  return dhcp || (network(ip) === network(leased) && defaultGateway === `${network(leased)}.1`)
}

/** DHCP, as from the factory; the addresses are those of the lease. */
function firstEthernet(port: number, address: string): Ethernet {
  const network = address.split('.').slice(0, 3).join('.')
  return {
    // Locally administered, as no manufacturer assigned it.
    mac: `02:00:5e:00:53:${port.toString(16).padStart(2, '0')}`,
    dhcp: true,
    ip: address,
    subnetMask: '255.255.255.0',
    defaultGateway: `${network}.1`,
    dns1: `${network}.1`,
    dns2: '',
    powerOverEthernet: false,
  }
}
