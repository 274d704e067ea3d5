/** The pairing of a unit: which machine is this unit, and the unit's own code by which its machine becomes it (GAP-CONF-14). */
import { z } from 'zod'

/** `permanent` admits the machine each time, `one-time` once; `off`: the unit has no code of its own. */
export const PairingCodeMode = z.enum(['off', 'permanent', 'one-time'])
export type PairingCodeMode = z.infer<typeof PairingCodeMode>

export const UnitPairing = z.object({
  mode: PairingCodeMode,
  code: z
    .string()
    .nullable()
    .describe(
      'XXXX-XXXX; goes into registrationKey, in any case, with or without the hyphen. null: none, or used already',
    ),
})
export type UnitPairing = z.infer<typeof UnitPairing>
