/**
 * For tests: NetworkManager's side of one Wi-Fi interface, with access points in the air and the right passwords. It keeps
 * profiles, checkpoints and reasons as the real service does; only the radio is not there.
 */
import { Variant } from '@jellybrick/dbus-next'
import { type BusService, busError, offerService } from './bus-service.ts'

const service = 'org.freedesktop.NetworkManager'
const device = '/dev/wlan0'
const none = '/'

type Profile = Record<string, Record<string, Variant>>

interface Station {
  ssid: string
  /** Undefined for an open network. */
  password?: string
  strength: number
  /** Bits of RsnFlags; a pre-shared key where nothing else is given. */
  rsn?: number
  isHidden?: boolean
}

export interface WifiRadio {
  readonly air: Station[]
  /** Name of the network that the interface is connected to. */
  connectedTo(): string | undefined
  /** Profiles by name: whether each is stored, and joined by itself. */
  profiles(): { name: string; isStored: boolean; autoconnect: boolean; part: Profile }[]
  /** Adds a stored profile, as an owner of the machine has made it. */
  know(ssid: string, password: string): void
  readonly calls: BusService['calls']
}

interface Kept {
  profile: Profile
  isStored: boolean
}

/** On the bus at this address. */
export async function openWifiRadio(address: string): Promise<WifiRadio> {
  const air: Station[] = []
  const kept = new Map<string, Kept>()
  const checkpoints = new Map<string, { active: string | undefined; paths: string[] }>()
  let active: string | undefined
  let failure = 0
  let made = 0
  let lastScan = 1000n

  const textOf = (profile: Profile, part: string, name: string) =>
    profile[part]?.[name]?.value as string | undefined
  const nameIn = (profile: Profile) =>
    Buffer.from((profile['802-11-wireless']?.ssid?.value as Uint8Array) ?? []).toString()
  const stationOf = (path: string) => air.find(({ ssid }) => ssid === nameIn(kept.get(path)!.profile))

  function refresh(): void {
    const station = active === undefined ? undefined : stationOf(active)
    const { objects } = offered
    objects.clear()
    for (const [at, one] of air.entries())
      if (!one.isHidden || one === station)
        objects.set(`/ap/${at}`, {
          [`${service}.AccessPoint`]: {
            Ssid: new Variant('ay', Buffer.from(one.ssid)),
            Strength: new Variant('y', one.strength),
            Flags: new Variant('u', one.password === undefined && one.rsn === undefined ? 0 : 1),
            WpaFlags: new Variant('u', 0),
            RsnFlags: new Variant('u', one.rsn ?? (one.password === undefined ? 0 : 0x188)),
          },
        })
    objects.set('/active', {
      [`${service}.Connection.Active`]: {
        State: new Variant('u', active ? 2 : 4),
        Connection: new Variant('o', active ?? none),
      },
    })
    objects.set(device, {
      [`${service}.Device`]: {
        Interface: new Variant('s', 'wlan0'),
        Managed: new Variant('b', true),
        DeviceType: new Variant('u', 2),
        State: new Variant('u', active ? 100 : 30),
        StateReason: new Variant('(uu)', [active ? 100 : 30, failure]),
        ActiveConnection: new Variant('o', active ? '/active' : none),
        AvailableConnections: new Variant(
          'ao',
          [...kept.keys()].filter((path) => stationOf(path)),
        ),
      },
      [`${service}.Device.Wireless`]: {
        LastScan: new Variant('x', lastScan),
        ActiveAccessPoint: new Variant('o', station ? `/ap/${air.indexOf(station)}` : none),
      },
    })
  }

  const add = (profile: Profile, isStored: boolean): string => {
    const path = `/profile/${++made}`
    kept.set(path, { profile, isStored })
    return path
  }
  const change = (path: string, next: Partial<Kept>) => {
    const before = kept.get(path)
    if (!before) throw busError('org.freedesktop.DBus.Error.UnknownObject', path)
    kept.set(path, { ...before, ...next })
    refresh()
  }

  const offered = await offerService(address, service, {
    GetPermissions: () => ({
      signature: 'a{ss}',
      body: [
        Object.fromEntries(
          ['network-control', 'settings.modify.system', 'checkpoint-rollback'].map((name) => [
            `${service}.${name}`,
            'yes',
          ]),
        ),
      ],
    }),
    GetDevices: () => ({ signature: 'ao', body: [[device]] }),
    'Device.Wireless.GetAllAccessPoints': () => ({
      signature: 'ao',
      body: [[...offered.objects.keys()].filter((path) => path.startsWith('/ap/'))],
    }),
    'Device.Wireless.RequestScan': () => {
      lastScan += 1000n
      refresh()
      return undefined
    },
    'Device.Disconnect': () => {
      active = undefined
      refresh()
      return undefined
    },
    'Settings.AddConnectionUnsaved': (_, profile: Profile) => ({
      signature: 'o',
      body: [add(profile, false)],
    }),
    'Settings.Connection.GetSettings': (path) => {
      const { psk: _, ...security } = kept.get(path)?.profile['802-11-wireless-security'] ?? {}
      const profile = { ...kept.get(path)?.profile }
      if (profile['802-11-wireless-security']) profile['802-11-wireless-security'] = security
      return { signature: 'a{sa{sv}}', body: [profile] }
    },
    'Settings.Connection.GetSecrets': (path, part: string) => {
      const { psk } = kept.get(path)?.profile[part] ?? {}
      return { signature: 'a{sa{sv}}', body: [{ [part]: psk ? { psk } : {} }] }
    },
    'Settings.Connection.Update2': (path, profile: Profile, flags: number) => {
      change(path, { profile, ...(flags === 1 && { isStored: true }) })
      return { signature: 'a{sv}', body: [{}] }
    },
    'Settings.Connection.Save': (path) => {
      change(path, { isStored: true })
      return undefined
    },
    'Settings.Connection.Delete': (path) => {
      kept.delete(path)
      refresh()
      return undefined
    },
    ActivateConnection: (_, path: string) => {
      const { profile } = kept.get(path)!
      const station = stationOf(path)
      const isRight = station?.password === textOf(profile, '802-11-wireless-security', 'psk')
      active = station && isRight ? path : undefined
      failure = station ? (isRight ? 0 : 7) : 53
      refresh()
      return { signature: 'o', body: ['/active'] }
    },
    CheckpointCreate: () => {
      const path = `/checkpoint/${++made}`
      checkpoints.set(path, { active, paths: [...kept.keys()] })
      return { signature: 'o', body: [path] }
    },
    CheckpointDestroy: (_, path: string) => {
      checkpoints.delete(path)
      return undefined
    },
    CheckpointRollback: (_, path: string) => {
      const noted = checkpoints.get(path)
      for (const one of kept.keys()) if (!noted?.paths.includes(one)) kept.delete(one)
      active = noted?.active
      refresh()
      return { signature: 'a{su}', body: [{}] }
    },
  })
  refresh()
  return {
    air,
    calls: offered.calls,
    connectedTo: () => (active === undefined ? undefined : nameIn(kept.get(active)!.profile)),
    profiles: () =>
      [...kept.values()].map(({ profile, isStored }) => ({
        name: nameIn(profile),
        isStored,
        autoconnect: profile.connection?.autoconnect?.value !== false,
        part: profile,
      })),
    know(ssid, password) {
      const path = add(
        {
          connection: { id: new Variant('s', ssid), type: new Variant('s', '802-11-wireless') },
          '802-11-wireless': { ssid: new Variant('ay', Buffer.from(ssid)) },
          '802-11-wireless-security': {
            'key-mgmt': new Variant('s', 'wpa-psk'),
            psk: new Variant('s', password),
          },
        },
        true,
      )
      active = path
      refresh()
    },
  }
}
