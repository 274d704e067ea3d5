/** For tests: ModemManager's side of a modem with two SIMs, which comes back as another object when it changes between them. */
import { Variant } from '@jellybrick/dbus-next'
import { busError, offerService } from './bus-service.ts'

const service = 'org.freedesktop.ModemManager1'
export const twoSimImei = '490154203237526'
const sims = [
  { path: '/sim/A', iccid: '8944054001020304678', eid: '' },
  { path: '/sim/B', iccid: '8944054001020304679', eid: '89049032000000000000000000000001' },
]

export interface TwoSims {
  slot(): number
  isEnabled(): boolean
  /** The path of its object. */
  path(): string
  /** Allowed and preferred technologies. */
  modes(): readonly [number, number]
}

/** On the bus at this address. */
export async function openTwoSims(address: string): Promise<TwoSims> {
  let [slot, at, isEnabled] = [1, 0, true]
  let modes: [number, number] = [28, 16]
  const path = () => `/modem/${at}`

  function refresh(): void {
    offered.objects.clear()
    for (const sim of sims)
      offered.objects.set(sim.path, {
        [`${service}.Sim`]: {
          SimIdentifier: new Variant('s', sim.iccid),
          Eid: new Variant('s', sim.eid),
        },
      })
    offered.objects.set(path(), {
      [`${service}.Modem`]: {
        EquipmentIdentifier: new Variant('s', twoSimImei),
        Manufacturer: new Variant('s', 'Maker'),
        Model: new Variant('s', 'Two'),
        State: new Variant('i', isEnabled ? 8 : 3),
        SimSlots: new Variant('ao', [sims[0]!.path, sims[1]!.path]),
        Sim: new Variant('o', sims[slot - 1]!.path),
        PrimarySimSlot: new Variant('u', slot),
        CurrentModes: new Variant('(uu)', modes),
        SupportedModes: new Variant('a(uu)', [
          [28, 16],
          [12, 8],
          [8, 0],
        ]),
      },
      [`${service}.Modem.Modem3gpp`]: { OperatorName: new Variant('s', slot === 1 ? 'One' : 'Other') },
    })
  }

  const offered = await offerService(address, service, {
    'Modem.SetPrimarySimSlot': (from, wanted: number) => {
      if (from !== path()) throw busError('org.freedesktop.DBus.Error.UnknownObject', from)
      offered.objects.clear()
      setTimeout(() => {
        ;[slot, at, isEnabled] = [wanted, at + 1, false]
        refresh()
      }, 300)
      return undefined
    },
    'Modem.SetCurrentModes': (_, wanted: [number, number]) => {
      modes = wanted
      refresh()
      return undefined
    },
    'Modem.Enable': () => {
      isEnabled = true
      refresh()
      return undefined
    },
  })
  refresh()
  return { slot: () => slot, isEnabled: () => isEnabled, path, modes: () => modes }
}
