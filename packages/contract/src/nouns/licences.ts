/** Licences of units: the stock of a customer, and the licences of each unit (GAP-SVC-04). */
import { z } from 'zod'
import { unitLicences } from './gates.ts'

/** Hours are bought in amounts; every other licence is either assigned or not. */
export const Licence = z.enum([...unitLicences, 'raHours', 'rlHours'])
export type Licence = z.infer<typeof Licence>

export const HOURS_MAX = 100_000

const hours = z.number().int().min(0).max(HOURS_MAX)

export const UnitLicences = z.strictObject({
  video: z.boolean(),
  pro4k: z.boolean(),
  multiCamera: z.boolean(),
  databridge: z.boolean(),
  ai: z.boolean(),
  videoReturn: z.boolean(),
  raHours: hours,
  rlHours: hours,
})
export type UnitLicences = z.infer<typeof UnitLicences>

export const noLicences: UnitLicences = {
  video: false,
  pro4k: false,
  multiCamera: false,
  databridge: false,
  ai: false,
  videoReturn: false,
  raHours: 0,
  rlHours: 0,
}

/** The part of the stock that a licence uses. */
export const amountOf = (licences: UnitLicences, licence: Licence): number => Number(licences[licence])

/** Fields that are not given keep their value; from the first assigned licence on a unit only has its licences. */
export const LicenceChange = UnitLicences.partial()
export type LicenceChange = z.infer<typeof LicenceChange>

/** A release without an assignment does not count as the first licence of a unit. */
export const givesAny = (change: LicenceChange): boolean => Object.values(change).some(Boolean)

export const LicenceStock = z.strictObject({
  licence: Licence,
  total: z.number().int().min(0).max(10_000_000),
})
export type LicenceStock = z.infer<typeof LicenceStock>

/** A licence with the amount that is assigned to units. */
export const HeldLicence = LicenceStock.extend({ assigned: z.number().int() })
export type HeldLicence = z.infer<typeof HeldLicence>

export const LicensedUnit = z.object({
  uid: z.string(),
  name: z.string(),
  type: z.string(),
  serialNumber: z.string(),
  isLicensed: z
    .boolean()
    .describe(
      'False: not limited, nothing is withheld from it. So it begins, and so it is again when its limit is removed',
    ),
  licences: UnitLicences,
})
export type LicensedUnit = z.infer<typeof LicensedUnit>

export const Licences = z.object({
  stock: z.array(HeldLicence),
  units: z.array(LicensedUnit),
})
export type Licences = z.infer<typeof Licences>

/** Activation requires its own permission in addition to the role (RO-PERM-33). */
export const mayActivate = (who: { roles: readonly string[]; ODA: boolean }): boolean =>
  who.ODA && who.roles.includes('luc_admin')
