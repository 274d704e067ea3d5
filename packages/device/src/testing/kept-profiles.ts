/**
 * For tests: how NetworkManager keeps the profiles of one device, with checkpoints, permissions and reasons as the real service
 * has them. A rollback restores what was active, and all profiles as they were.
 */
import { Variant } from '@jellybrick/dbus-next'
import { type BusMethod, type BusObject, busError } from './bus-service.ts'

const service = 'org.freedesktop.NetworkManager'
const none = '/'
const activePath = '/active'

export type Profile = Record<string, Record<string, Variant>>

export interface Kept {
  profile: Profile
  isStored: boolean
}

/** Numbers of the service for why a device is not connected. */
export const failures = { none: 0, wrongPassword: 7, wrongApn: 29, notFound: 53 } as const

export interface KeptProfiles {
  /** By path. */
  readonly kept: ReadonlyMap<string, Kept>
  /** The profile by which the device is connected. */
  active(): Kept | undefined
  /** Stores a profile and connects the device by it, as an owner of the machine has done it. */
  connect(profile: Profile): void
  objects(): [path: string, object: BusObject][]
  deviceProperties(): Record<string, Variant>
  readonly methods: Readonly<Record<string, BusMethod>>
}

export interface KeptProfilesOptions {
  device: string
  /** The field of a profile that is not read with the rest. */
  secret: { part: string; name: string }
  /** One of `failures`. */
  failureOf: (profile: Profile) => number
  onChange: () => void
}

const permissions = Object.fromEntries(
  ['network-control', 'settings.modify.system', 'checkpoint-rollback'].map((name) => [
    `${service}.${name}`,
    'yes',
  ]),
)

export function keepProfiles({ device, secret, failureOf, onChange }: KeptProfilesOptions): KeptProfiles {
  const kept = new Map<string, Kept>()
  const checkpoints = new Map<string, { active: string | undefined; kept: ReadonlyMap<string, Kept> }>()
  let active: string | undefined
  let failure: number = failures.none
  let made = 0

  function add(profile: Profile, isStored: boolean): string {
    const path = `/profile/${++made}`
    kept.set(path, { profile, isStored })
    return path
  }
  function change(path: string, next: Partial<Kept>): void {
    const before = kept.get(path)
    if (!before) throw busError('org.freedesktop.DBus.Error.UnknownObject', path)
    kept.set(path, { ...before, ...next })
    onChange()
  }
  function use(path: string | undefined): undefined {
    active = path
    onChange()
    return undefined
  }

  const methods: Record<string, BusMethod> = {
    GetPermissions: () => ({ signature: 'a{ss}', body: [permissions] }),
    GetDevices: () => ({ signature: 'ao', body: [[device]] }),
    'Device.Disconnect': () => use(undefined),
    'Settings.AddConnectionUnsaved': (_, profile: Profile) => ({
      signature: 'o',
      body: [add(profile, false)],
    }),
    'Settings.Connection.GetSettings': (path) => {
      const profile = { ...kept.get(path)?.profile }
      const { [secret.name]: _, ...open } = profile[secret.part] ?? {}
      if (profile[secret.part]) profile[secret.part] = open
      return { signature: 'a{sa{sv}}', body: [profile] }
    },
    'Settings.Connection.GetSecrets': (path, part: string) => {
      const value = kept.get(path)?.profile[part]?.[secret.name]
      return { signature: 'a{sa{sv}}', body: [{ [part]: value ? { [secret.name]: value } : {} }] }
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
      onChange()
      return undefined
    },
    ActivateConnection: (_, path: string) => {
      failure = failureOf(kept.get(path)!.profile)
      use(failure === failures.none ? path : undefined)
      return { signature: 'o', body: [activePath] }
    },
    CheckpointCreate: () => {
      const path = `/checkpoint/${++made}`
      checkpoints.set(path, { active, kept: new Map(kept) })
      return { signature: 'o', body: [path] }
    },
    CheckpointDestroy: (_, path: string) => {
      checkpoints.delete(path)
      return undefined
    },
    CheckpointRollback: (_, path: string) => {
      const noted = checkpoints.get(path)
      if (!noted) throw busError('org.freedesktop.DBus.Error.UnknownObject', path)
      kept.clear()
      for (const [one, entry] of noted.kept) kept.set(one, entry)
      use(noted.active)
      return { signature: 'a{su}', body: [{}] }
    },
  }

  return {
    kept,
    active: () => (active === undefined ? undefined : kept.get(active)),
    connect: (profile) => use(add(profile, true)),
    objects: () => [
      [
        activePath,
        {
          [`${service}.Connection.Active`]: {
            State: new Variant('u', active ? 2 : 4),
            Connection: new Variant('o', active ?? none),
          },
        },
      ],
    ],
    deviceProperties: () => ({
      Managed: new Variant('b', true),
      State: new Variant('u', active ? 100 : 30),
      StateReason: new Variant('(uu)', [active ? 100 : 30, failure]),
      ActiveConnection: new Variant('o', active ? activePath : none),
    }),
    methods,
  }
}
