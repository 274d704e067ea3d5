import { users } from '@backhaul/contract/api/users'
import { User } from '@backhaul/contract/nouns/users'
import i18next from 'i18next'
import { expect, test } from 'vitest'
import { english } from '../../texts/en/en.ts'
import { spanish } from '../../texts/es/es.ts'
import { textFilter } from '../../ui/text-filter.ts'
import { consentWords, readOnlyFor, searched } from './users.ts'

const nora = User.parse(users.one.example)

test('a user is found by any of their names, their address, label and type', () => {
  for (const text of ['NORA', 'nora lind', 'north.example', 'duty', 'admin', ' '])
    expect([text, textFilter(text, searched)?.(nora) ?? true]).toEqual([text, true])
  expect(textFilter('sam', searched)?.(nora)).toBe(false)
})

test('an enterprise user is shown only, and so is one who may do more', () => {
  expect(readOnlyFor(['luc_admin'], nora)).toBeUndefined()
  expect(readOnlyFor(['super_user'], { ...nora, SSO: true })).toBe('enterprise')
  expect(readOnlyFor(['luc_admin'], { ...nora, roles: ['super_user'] })).toBe('rights')
})

test('a consent that is older than the dates shows that its date is not known, in each language', async () => {
  await i18next.init({ lng: 'en', resources: { en: english, es: spanish } })
  const older = { updateConsent: { termsOfUse: true, marketing: false }, updateConsentDates: {} }
  for (const [language, given, withdrawn, none] of [
    ['en', 'Agreed, date not known', 'Withdrawn, date not known', 'Not agreed'],
    ['es', 'Aceptado, fecha desconocida', 'Retirado, fecha desconocida', 'Sin aceptar'],
  ] as const) {
    const t = i18next.getFixedT(language, 'users')
    expect(consentWords(older, 'termsOfUse', t)).toBe(given)
    expect(consentWords(older, 'marketing', t)).toBe(withdrawn)
    expect(consentWords({ updateConsent: {}, updateConsentDates: {} }, 'marketing', t)).toBe(none)
  }
})
