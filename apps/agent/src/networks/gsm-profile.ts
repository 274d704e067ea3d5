// The profile of NetworkManager by which a modem joins the network of its carrier, translated in both directions.
import type { ModemAccess, UnitModemChanges } from '@backhaul/contract/nouns/unit-networks'
import { Variant } from '@jellybrick/dbus-next'
import { type Properties, plain } from './bus.ts'
import type { Profile, ProfilePart } from './profiles.ts'

type AuthProtocol = ModemAccess['authProtocol']

/** Every protocol is allowed unless it is refused. */
const refusedBy: Readonly<Record<AuthProtocol, readonly string[]>> = {
  both: [],
  PAP: ['chap'],
  CHAP: ['pap'],
  none: ['pap', 'chap'],
}
const protocols = ['pap', 'chap']
/** Never used. */
const others = ['eap', 'mschap', 'mschapv2']

function authProtocolOf(ppp: Properties): AuthProtocol {
  const refused = protocols.filter((name) => ppp[`refuse-${name}`] === true)
  const [known] = Object.entries(refusedBy).find(([, names]) => names.join() === refused.join()) ?? []
  return (known as AuthProtocol | undefined) ?? 'both'
}

export interface GsmAccess extends Omit<ModemAccess, 'dialInString'> {
  /** The network that the modem is to use; '' lets it choose. */
  network: string
}

/** The access of a modem without a profile of its own. */
export const firstAccess: GsmAccess = {
  username: '',
  authProtocol: 'both',
  automaticApn: true,
  apn: '',
  hasPassword: false,
  network: '',
}

export function accessOf(profile: Profile, hasPassword: boolean): GsmAccess {
  const gsm = plain(profile.gsm ?? {}) as Properties
  const text = (name: string) => String(gsm[name] ?? '')
  return {
    username: text('username'),
    authProtocol: authProtocolOf(plain(profile.ppp ?? {}) as Properties),
    automaticApn: gsm['auto-config'] === true || text('apn') === '',
    apn: gsm['auto-config'] === true ? '' : text('apn'),
    hasPassword,
    network: text('network-id'),
  }
}

export type AccessChanges = Pick<UnitModemChanges, 'username' | 'authProtocol' | 'automaticApn' | 'apn'> & {
  password?: string | undefined
  network?: string | undefined
}

/** The profile with these changes; everything else of it is kept. */
export function withAccess(profile: Profile, changes: AccessChanges): Profile {
  const before = accessOf(profile, false)
  const next = { ...before, ...changes }
  const set = (part: ProfilePart, name: string, value: string) => {
    if (value === '') delete part[name]
    else part[name] = new Variant('s', value)
  }
  const gsm: ProfilePart = { ...profile.gsm }
  gsm['auto-config'] = new Variant('b', next.automaticApn)
  set(gsm, 'apn', next.automaticApn ? '' : next.apn)
  set(gsm, 'username', next.username)
  set(gsm, 'network-id', next.network)
  if (changes.password !== undefined) set(gsm, 'password', changes.password)
  const refused = refusedBy[next.authProtocol]
  const ppp: ProfilePart = {
    ...profile.ppp,
    ...Object.fromEntries(
      [...protocols, ...others].map((name) => [
        `refuse-${name}`,
        new Variant('b', others.includes(name) || refused.includes(name)),
      ]),
    ),
  }
  return { ...profile, gsm, ...(changes.authProtocol !== undefined && { ppp }) }
}

/** A profile for this modem only, at any port; `deviceId` is that of ModemManager. */
export const newProfile = (id: string, deviceId: string): Profile => ({
  connection: {
    id: new Variant('s', id),
    type: new Variant('s', 'gsm'),
    autoconnect: new Variant('b', true),
  },
  gsm: {
    'auto-config': new Variant('b', true),
    ...(deviceId && { 'device-id': new Variant('s', deviceId) }),
  },
  ipv4: { method: new Variant('s', 'auto') },
})
