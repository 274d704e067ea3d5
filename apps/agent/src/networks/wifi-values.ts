// Wi-Fi networks and their profiles, in the words of NetworkManager and in ours.
import {
  isJoinable,
  SSID_BYTES_MAX,
  WIFI_NETWORKS_MAX,
  type WifiJoin,
  type WifiNetwork,
  type WifiSecurity,
} from '@backhaul/contract/nouns/unit-networks'
import { Variant } from '@jellybrick/dbus-next'
import type { Properties } from './bus.ts'
import type { Profile } from './profiles.ts'

/** Bits of an access point. */
const hasPrivacy = 0x1
const keys = { psk: 0x100, enterprise: 0x200, sae: 0x400, owe: 0x800, suiteB: 0x2000 }

/** Undefined for encryption without a password, which the unit does not join. */
export function securityOf({ Flags, WpaFlags, RsnFlags }: Properties): WifiSecurity | undefined {
  const bits = Number(WpaFlags ?? 0) | Number(RsnFlags ?? 0)
  if (bits & keys.psk) return 'wpa'
  if (bits & keys.sae) return 'wpa3'
  if (bits & (keys.enterprise | keys.suiteB)) return 'enterprise'
  if (bits & keys.owe) return undefined
  return Number(Flags ?? 0) & hasPrivacy ? 'wep' : 'open'
}

/** '' for a hidden network, and for a name that is no text. */
export function ssidOf(bytes: unknown): string {
  const name = Buffer.from((bytes ?? []) as Uint8Array)
  const text = name.toString('utf8')
  return name.length <= SSID_BYTES_MAX && Buffer.from(text).equals(name) ? text : ''
}

/** One for each name and security, the strongest first. */
export function networksOf(accessPoints: readonly Properties[], known: ReadonlySet<string>): WifiNetwork[] {
  const found = new Map<string, WifiNetwork>()
  for (const point of accessPoints) {
    const [ssid, security] = [ssidOf(point.Ssid), securityOf(point)]
    const signalPercent = Math.min(100, Number(point.Strength ?? 0))
    const key = `${security} ${ssid}`
    if (ssid === '' || security === undefined) continue
    if ((found.get(key)?.signalPercent ?? -1) >= signalPercent) continue
    found.set(key, { ssid, security, signalPercent, isKnown: isJoinable(security) && known.has(ssid) })
  }
  return [...found.values()]
    .toSorted((a, b) => b.signalPercent - a.signalPercent || a.ssid.localeCompare(b.ssid))
    .slice(0, WIFI_NETWORKS_MAX)
}

const keyManagement = { wpa: 'wpa-psk', wpa3: 'sae' } as const

/** A profile of this interface alone. */
export function wifiProfile(
  interfaceName: string,
  { ssid, security, password, isHidden }: Omit<WifiJoin, 'port'>,
): Profile {
  return {
    connection: {
      id: new Variant('s', ssid),
      type: new Variant('s', '802-11-wireless'),
      'interface-name': new Variant('s', interfaceName),
      autoconnect: new Variant('b', true),
    },
    '802-11-wireless': {
      ssid: new Variant('ay', Buffer.from(ssid)),
      mode: new Variant('s', 'infrastructure'),
      hidden: new Variant('b', isHidden),
    },
    ...(security !== 'open' && {
      '802-11-wireless-security': {
        'key-mgmt': new Variant('s', keyManagement[security]),
        psk: new Variant('s', password ?? ''),
      },
    }),
    ipv4: { method: new Variant('s', 'auto') },
    ipv6: { method: new Variant('s', 'auto') },
  }
}

/** The profile with or without joining by itself, after a restart too. */
export const joinsByItself = (profile: Profile, autoconnect: boolean): Profile => ({
  ...profile,
  connection: { ...profile.connection, autoconnect: new Variant('b', autoconnect) },
})
