/** For tests: NetworkManager's side of a modem that a carrier connects by its APNs alone. */
import { Variant } from '@jellybrick/dbus-next'
import { offerService } from './bus-service.ts'
import { failures, type Kept, keepProfiles, type Profile } from './kept-profiles.ts'

const service = 'org.freedesktop.NetworkManager'
const device = '/dev/modem'

export interface CarrierLine {
  /** The APN that the modem is connected by. */
  connectedBy(): string | undefined
  profiles(): readonly Kept[]
}

const apnOf = (profile: Profile) => profile.gsm?.apn?.value as string | undefined

/** On the bus at this address; `modem` is its object of ModemManager, connected by the first APN. */
export async function openCarrierLine(
  address: string,
  modem: string,
  apns: readonly [string, ...string[]],
): Promise<CarrierLine> {
  const profiles = keepProfiles({
    device,
    secret: { part: 'gsm', name: 'password' },
    failureOf: (profile) => (apns.includes(apnOf(profile) ?? '') ? failures.none : failures.wrongApn),
    onChange: () => refresh(),
  })

  function refresh(): void {
    offered.objects.clear()
    for (const [path, object] of profiles.objects()) offered.objects.set(path, object)
    offered.objects.set(device, {
      [`${service}.Device`]: {
        ...profiles.deviceProperties(),
        Interface: new Variant('s', 'cdc-wdm0'),
        DeviceType: new Variant('u', 8),
        Udi: new Variant('s', modem),
        AvailableConnections: new Variant('ao', [...profiles.kept.keys()]),
      },
      [`${service}.Device.Modem`]: { DeviceId: new Variant('s', 'device-of-the-modem') },
    })
  }

  const offered = await offerService(address, service, profiles.methods)
  profiles.connect({
    connection: { id: new Variant('s', 'Carrier'), type: new Variant('s', 'gsm') },
    gsm: { apn: new Variant('s', apns[0]), password: new Variant('s', 'first-password') },
  })
  return {
    connectedBy: () => profiles.active() && apnOf(profiles.active()!.profile),
    profiles: () => [...profiles.kept.values()],
  }
}
