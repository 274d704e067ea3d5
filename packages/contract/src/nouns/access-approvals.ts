/** Vendor support access: a customer opens one device for some hours (ST-ACCESS rows, RO-PERM-36, GAP-SCR-08). */
import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import { holdsAny, type Role } from '../define/roles.ts'

/** CO-ADMIN-06, ST-ACCESS-04. */
export const SUPPORT_ACCESS_MS = 8 * 3_600_000

/**
 * 1. active: granted, its time runs, vendor staff has not acted yet;
 * 2. used: vendor staff has acted; it remains valid until its end;
 * 3. expired: its time is over, or it was revoked, without an act of vendor staff.
 */
export const AccessState = z.enum(['active', 'expired', 'used'])
export type AccessState = z.infer<typeof AccessState>

interface Times {
  endMs: number
  usedMs: number | null
}

export function accessStateOf({ endMs, usedMs }: Times, nowMs: number): AccessState {
  if (usedMs !== null) return 'used'
  return nowMs < endMs ? 'active' : 'expired'
}

export const AccessApproval = z.object({
  id: z.string(),
  device: z.string(),
  deviceName: z.string(),
  inventoryId: z.string(),
  inventoryName: z.string(),
  grantedBy: z.string().describe('User name of the grantor'),
  start: IsoTime,
  end: IsoTime.describe('Eight hours after the start, or when it was revoked'),
  state: AccessState,
  usedBy: z.string().nullable().describe('User name of the first member of vendor staff who acted'),
  usedOn: IsoTime.nullable(),
})
export type AccessApproval = z.infer<typeof AccessApproval>

export const isAccessOpen = ({ end }: Pick<AccessApproval, 'end'>, nowMs: number): boolean =>
  nowMs < Date.parse(end)

/** Follows the topic of access in place of a device: what changes at any of them, for those who see all customers. */
export const ALL_DEVICES = 'all'

/** Roles whose acts on a device count as use of the access. */
const vendorRoles: readonly Role[] = ['super_user', 'luc_contractor', 'luc_partner']

export const isOfVendor = (roles: readonly Role[]): boolean => holdsAny(roles, vendorRoles)

/**
 * Contractors and partners may do what remote actions do, and read the logs that devices sent, only while the customer
 * permits it, whichever call they make, unless another role permits it (GAP-SCR-07).
 */
export const needsAccessApproval = (roles: readonly Role[]): boolean =>
  holdsAny(roles, ['luc_contractor', 'luc_partner']) &&
  !holdsAny(roles, ['super_user', 'luc_admin', 'luc_media_group_admin'])
