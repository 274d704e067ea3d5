import { describe, expect, test } from 'vitest'
import { Role } from '../define/role-schemas.ts'
import {
  accessStateOf,
  isAccessOpen,
  isOfVendor,
  needsAccessApproval,
  SUPPORT_ACCESS_MS,
} from './access-approvals.ts'

describe('support access', () => {
  const startMs = 1_795_000_000_000
  const endMs = startMs + SUPPORT_ACCESS_MS

  test('is active for eight hours, expired after them, and used from the first act on', () => {
    expect(SUPPORT_ACCESS_MS).toBe(8 * 3_600_000)
    expect(accessStateOf({ endMs, usedMs: null }, startMs)).toBe('active')
    expect(accessStateOf({ endMs, usedMs: null }, endMs - 1)).toBe('active')
    expect(accessStateOf({ endMs, usedMs: null }, endMs)).toBe('expired')
    for (const nowMs of [startMs + 1, endMs, endMs + 1])
      expect(accessStateOf({ endMs, usedMs: startMs + 1 }, nowMs)).toBe('used')
  })

  test('counts until its end, used or not', () => {
    const end = new Date(endMs).toISOString()
    expect([startMs, endMs - 1, endMs].map((nowMs) => isAccessOpen({ end }, nowMs))).toEqual([
      true,
      true,
      false,
    ])
  })

  test('is needed by contractors and partners, and used by them and by super users', () => {
    const needing = Role.options.filter((role) => needsAccessApproval([role]))
    expect(needing).toEqual(['luc_contractor', 'luc_partner'])
    expect(needsAccessApproval(['luc_contractor', 'luc_admin'])).toBe(false)
    expect(needsAccessApproval(['luc_contractor', 'luc_regular'])).toBe(true)
    expect(Role.options.filter((role) => isOfVendor([role]))).toEqual([
      'super_user',
      'luc_contractor',
      'luc_partner',
    ])
  })
})
