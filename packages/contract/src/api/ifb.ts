/** The IFB of a unit: how its crew hears the sound that belongs to its channel. */
import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { IfbDelay, UnitIfb } from '../nouns/interfaces.ts'

const id = z.object({ id: z.string().min(1).max(64) })

export const ifb = {
  read: endpoint({
    method: 'POST',
    path: '/devices/{id}/commands/get_ifb_delay',
    summary: 'How the crew of a unit hears its IFB',
    permission: 'viewUnits',
    params: id,
    body: z.union([z.strictObject({}), z.undefined()]),
    response: UnitIfb,
    errors: [404],
    example: { delay: 700, alwaysOn: false },
    rows: ['EP-UCMD-19'],
  }),
  setDelay: endpoint({
    method: 'POST',
    path: '/devices/{id}/commands/set_ifb_delay',
    summary: 'Sets how long a unit collects the sound of its IFB before it plays it: 300 or 700 ms',
    permission: 'operateUnits',
    params: id,
    body: z.strictObject({ delay: IfbDelay }),
    response: UnitIfb,
    errors: [404, 409],
    example: { delay: 300, alwaysOn: false },
    rows: ['EP-UCMD-20', 'CO-ADMIN-09', 'CO-ADMIN-10'],
  }),
  setAlwaysOn: endpoint({
    method: 'POST',
    path: '/devices/{id}/commands/set_ifb_always_on',
    summary: 'Sets whether the crew of a unit hears its IFB also while it is not live',
    permission: 'operateUnits',
    params: id,
    body: z.strictObject({ enabled: z.boolean() }),
    response: UnitIfb,
    errors: [404, 409],
    example: { delay: 700, alwaysOn: true },
    rows: ['EP-UCMD-21'],
  }),
}
