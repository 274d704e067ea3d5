/** Pairing of a machine with a unit: the unit's own pairing code, and the end of the pairing. */
import { z } from 'zod'
import { Done } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { PairingCodeMode, UnitPairing } from '../nouns/unit-pairing.ts'

const params = z.object({ id: z.string().min(1).max(64) })
const path = '/v2/units/{id}/settings/pairingCode'

const code = {
  path,
  permission: 'operateUnits',
  // A reader of it could register a machine long after the API key has expired.
  closedToKeys: true,
  params,
  response: UnitPairing,
  example: { mode: 'permanent', code: 'K7QM-3XHT' } as const,
} as const

export const unitPairing = {
  code: endpoint({
    ...code,
    method: 'GET',
    summary:
      'The code by which the machine with the serial number of the unit becomes this unit while no other machine is it',
    errors: [404],
    rows: ['EP-USET-42', 'GAP-CONF-14'],
  }),
  setMode: endpoint({
    ...code,
    method: 'PUT',
    summary: 'Sets how often the code admits the machine; another mode makes a new code',
    body: z.strictObject({ mode: PairingCodeMode }),
    errors: [404],
    rows: ['EP-USET-43', 'GAP-CONF-14'],
  }),
  renew: endpoint({
    ...code,
    method: 'POST',
    summary: 'Makes a new code; the previous one admits no machine any more',
    errors: [404, 409],
    rows: ['EP-USET-44', 'GAP-CONF-14'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/v2/units/{id}/pairing',
    summary:
      'Ends the pairing of a unit that is not busy: its machine is unknown from now on, and comes back with a pairing code alone',
    permission: 'powerUnits',
    params,
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['EP-POWER-02', 'GAP-STRM-08'],
  }),
}
