/** The destination of a unit, in one record by its machine uid, which is the id of the unit (EN-UNIT-75 to -77, GAP-API-17). */
import { z } from 'zod'

const Id = z.string().max(64)

export const SettingsConfiguration = z.strictObject({
  outputChannel: Id.describe('The channel that the unit has selected; empty: none'),
  multiChannel: Id.describe('The point-to-multipoint machine that it sends to in addition; empty: none'),
  machineUid: Id.min(1),
})
export type SettingsConfiguration = z.infer<typeof SettingsConfiguration>
