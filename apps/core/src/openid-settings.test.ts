import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SettingsError } from '@backhaul/runtime/settings'
import { expect, test } from 'vitest'
import { readOpenidSettings } from './openid-settings.ts'

const least = { BACKHAUL_OIDC_ISSUER: 'https://id.example/realms/tv', BACKHAUL_OIDC_CLIENT_ID: 'backhaul' }

test('there is no provider without an issuer, regardless of the other settings', () => {
  expect(readOpenidSettings({ BACKHAUL_OIDC_CLIENT_ID: 'backhaul' })).toBeUndefined()
})

test('mappings are read in their order, and the last equals sign divides', () => {
  const settings = readOpenidSettings({
    ...least,
    BACKHAUL_OIDC_ROLE_CLAIM: 'groups',
    BACKHAUL_OIDC_ROLES: 'cn=chiefs,ou=tv=admin; *=read only;',
  })
  expect(settings?.mappings.roles).toEqual({
    claim: 'groups',
    entries: [
      ['cn=chiefs,ou=tv', 'admin'],
      ['*', 'read only'],
    ],
  })
  expect(settings).toMatchObject({
    addsUsers: false,
    clientSecret: undefined,
  })
})

test('the secret may be in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-settings-'))
  const file = join(folder, 'secret')
  writeFileSync(file, 'kept apart\n')
  expect(readOpenidSettings({ ...least, BACKHAUL_OIDC_CLIENT_SECRET_FILE: file })?.clientSecret).toBe(
    'kept apart',
  )
  rmSync(folder, { recursive: true })
  expect(() => readOpenidSettings({ ...least, BACKHAUL_OIDC_CLIENT_SECRET_FILE: file })).toThrow(
    'cannot be read',
  )
})

test('each mistake is named', () => {
  for (const [mistake, message] of [
    [{ BACKHAUL_OIDC_ISSUER: 'http://id.example' }, 'must start with https://'],
    [{ BACKHAUL_OIDC_ISSUER: 'http://127.0.0.1.evil.example' }, 'must start with https://'],
    [{ BACKHAUL_OIDC_CLIENT_ID: '' }, 'BACKHAUL_OIDC_CLIENT_ID: is not set'],
    [{ BACKHAUL_OIDC_ROLES: 'editors=king' }, 'must name superuser'],
    [{ BACKHAUL_OIDC_CUSTOMERS: 'home' }, 'must be value=meaning'],
    [{ BACKHAUL_OIDC_CREATE: '1' }, 'BACKHAUL_OIDC_ROLES: is not set'],
  ] as const) {
    const read = () => readOpenidSettings({ ...least, ...mistake })
    expect(read).toThrow(SettingsError)
    expect(read).toThrow(message)
  }
  expect(readOpenidSettings({ ...least, BACKHAUL_OIDC_ISSUER: 'http://localhost:9000' })).toBeDefined()
})
