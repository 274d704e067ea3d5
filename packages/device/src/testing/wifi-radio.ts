/**
 * For tests: NetworkManager's side of one Wi-Fi interface, with access points in the air and the right passwords. It keeps
 * profiles, checkpoints and reasons as the real service does; only the radio is not there.
 */
import { Variant } from '@jellybrick/dbus-next'
import { type BusService, offerService } from './bus-service.ts'
import { failures, keepProfiles, type Profile } from './kept-profiles.ts'

const service = 'org.freedesktop.NetworkManager'
const device = '/dev/wlan0'
const none = '/'

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

/** On the bus at this address. */
export async function openWifiRadio(address: string): Promise<WifiRadio> {
  const air: Station[] = []
  const securityPart = '802-11-wireless-security'
  const profiles = keepProfiles({
    device,
    secret: { part: securityPart, name: 'psk' },
    failureOf(profile) {
      const station = stationOf(profile)
      if (!station) return failures.notFound
      const isRight = station.password === profile[securityPart]?.psk?.value
      return isRight ? failures.none : failures.wrongPassword
    },
    onChange: () => refresh(),
  })
  const { kept } = profiles
  let lastScan = 1000n

  const nameIn = (profile: Profile) =>
    Buffer.from((profile['802-11-wireless']?.ssid?.value as Uint8Array) ?? []).toString()
  const stationOf = (profile: Profile) => air.find(({ ssid }) => ssid === nameIn(profile))

  function refresh(): void {
    const station = profiles.active() && stationOf(profiles.active()!.profile)
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
    for (const [path, object] of profiles.objects()) objects.set(path, object)
    objects.set(device, {
      [`${service}.Device`]: {
        ...profiles.deviceProperties(),
        Interface: new Variant('s', 'wlan0'),
        DeviceType: new Variant('u', 2),
        AvailableConnections: new Variant(
          'ao',
          [...kept].flatMap(([path, { profile }]) => (stationOf(profile) ? [path] : [])),
        ),
      },
      [`${service}.Device.Wireless`]: {
        LastScan: new Variant('x', lastScan),
        ActiveAccessPoint: new Variant('o', station ? `/ap/${air.indexOf(station)}` : none),
      },
    })
  }

  const offered = await offerService(address, service, {
    ...profiles.methods,
    'Device.Wireless.GetAllAccessPoints': () => ({
      signature: 'ao',
      body: [[...offered.objects.keys()].filter((path) => path.startsWith('/ap/'))],
    }),
    'Device.Wireless.RequestScan': () => {
      lastScan += 1000n
      refresh()
      return undefined
    },
  })
  refresh()
  return {
    air,
    calls: offered.calls,
    connectedTo: () => profiles.active() && nameIn(profiles.active()!.profile),
    profiles: () =>
      [...kept.values()].map(({ profile, isStored }) => ({
        name: nameIn(profile),
        isStored,
        autoconnect: profile.connection?.autoconnect?.value !== false,
        part: profile,
      })),
    know(ssid, password) {
      profiles.connect({
        connection: { id: new Variant('s', ssid), type: new Variant('s', '802-11-wireless') },
        '802-11-wireless': { ssid: new Variant('ay', Buffer.from(ssid)) },
        [securityPart]: { 'key-mgmt': new Variant('s', 'wpa-psk'), psk: new Variant('s', password) },
      })
    },
  }
}
