/** A support case about a unit: what its operators saw, for the support of the installation (GAP-SCR-20). */
import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import type { PlainCode } from '../define/refusals.ts'
import { isBusy, isOffline } from './unit-status.ts'
import type { Unit } from './units.ts'

export const CASE_TEXT_MAX = 4000

export const SupportCase = z.object({
  id: z.string().describe('Its number, as the e-mail to the support says it'),
  unit: z.string(),
  unitName: z.string(),
  description: z.string(),
  by: z.string().describe('Name of the user who opened it'),
  email: z.string().describe('Their address, to which the support answers'),
  withLogs: z.boolean().describe('The logs of the unit were requested with it'),
  openedAt: IsoTime,
})
export type SupportCase = z.infer<typeof SupportCase>

/** Why a user with this address may not open a case about the unit now (RO-PERM-42). */
export function caseRefusal(
  unit: Pick<Unit, 'status' | 'applications' | 'transmission'>,
  email: string,
): PlainCode | undefined {
  if (email === '') return 'supportCase.noEmail'
  const isIdle = !isOffline(unit) && !isBusy(unit) && unit.transmission === null
  return isIdle ? undefined : 'supportCase.onlyIdle'
}
