import { expect, test } from 'vitest'
import { MembershipDuration, membershipEndMs } from './membership-expiry.ts'

test('[GROUP-004] [GROUP-006] a membership lasts an hour, hours, a day, days or without limit', () => {
  const hours = (duration: string) => {
    const end = membershipEndMs(MembershipDuration.parse(duration), 0)
    return end === null ? null : end / 3_600_000
  }
  expect(['1 hour', '6 hours', '999 hours', '1 day', '14 days', 'unlimited'].map(hours)).toEqual([
    1,
    6,
    999,
    24,
    14 * 24,
    null,
  ])
})

test('a duration that is none of these is refused', () => {
  const isOne = (text: string) => MembershipDuration.safeParse(text).success
  const wrong = ['', '0 hours', '1 hours', '2 hour', '1000 days', '-3 days', '1.5 days', '1 week', 'forever']
  expect(wrong.filter(isOne)).toEqual([])
})
