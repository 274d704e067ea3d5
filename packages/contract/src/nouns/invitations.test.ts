import { expect, test } from 'vitest'
import { AdhocMode, InvitationPeriod, invitationPeriodMs } from './invitations.ts'

test('[GROUP-004] a group invites for 1 day, 3 days, 1 week or 1 month, by link, e-mail, SMS or not at all', () => {
  const days = InvitationPeriod.options.map((period) => [period, invitationPeriodMs[period] / 86_400_000])
  expect(days).toEqual([
    ['1 day', 1],
    ['3 days', 3],
    ['1 week', 7],
    ['1 month', 30],
  ])
  expect(AdhocMode.options).toEqual(['off', 'link', 'email', 'sms'])
})
