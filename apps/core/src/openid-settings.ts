// The operator's settings of a sign-in provider, read from the environment; none without an issuer.
import { readFileSync } from 'node:fs'
import { UserType } from '@backhaul/contract/define/role-schemas'
import { readSettings, SettingsError } from '@backhaul/runtime/settings'
import { z } from 'zod'
import type { OpenidSettings } from './people/openid/openid.ts'

const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)

const issuer = z.string().refine((text) => {
  const url = URL.parse(text)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))
}, 'must start with https://; http:// does on this machine alone')

/** `value=meaning` with semicolons between; the last `=` divides, so that a value may be a group's name in a directory. */
const meanings = z
  .string()
  .refine((text) => partsOf(text).every((part) => part.length === 2), 'must be value=meaning;value=meaning')
  .transform((text) => partsOf(text).map(([value = '', meaning = '']) => [value, meaning] as const))

function partsOf(text: string): string[][] {
  const parts = text.split(';').map((part) => part.trim())
  return parts.filter((part) => part !== '').map((part) => /^(.+)=([^=]+)$/.exec(part)?.slice(1) ?? [])
}

const isUserType = (name: string): boolean => UserType.safeParse(name).success

const schema = z.object({
  BACKHAUL_OIDC_ISSUER: issuer.optional(),
  BACKHAUL_OIDC_CLIENT_ID: z.string().optional(),
  BACKHAUL_OIDC_CLIENT_SECRET: z.string().optional(),
  BACKHAUL_OIDC_CLIENT_SECRET_FILE: z.string().optional(),
  BACKHAUL_OIDC_NAME: z.string().max(60).default('single sign-on'),
  BACKHAUL_OIDC_SCOPE: z.string().default('openid profile email'),
  BACKHAUL_OIDC_CREATE: z.enum(['0', '1']).default('0'),
  BACKHAUL_OIDC_ROLE_CLAIM: z.string().optional(),
  BACKHAUL_OIDC_ROLES: meanings
    .refine((all) => all.every(([, name]) => isUserType(name)), `must name ${UserType.options.join(', ')}`)
    .default([]),
  BACKHAUL_OIDC_CUSTOMER_CLAIM: z.string().optional(),
  BACKHAUL_OIDC_CUSTOMERS: meanings.default([]),
  BACKHAUL_OIDC_GROUP_CLAIM: z.string().optional(),
  BACKHAUL_OIDC_GROUPS: meanings.default([]),
})

type Given = z.infer<typeof schema>

/** Throws SettingsError. */
export function readOpenidSettings(
  env: Readonly<Record<string, string | undefined>>,
): OpenidSettings | undefined {
  const given = readSettings(env, schema)
  if (given.BACKHAUL_OIDC_ISSUER === undefined) return undefined
  const problems = problemsOf(given)
  if (problems.length > 0) throw new SettingsError(problems)
  return {
    issuer: given.BACKHAUL_OIDC_ISSUER,
    clientId: given.BACKHAUL_OIDC_CLIENT_ID ?? '',
    clientSecret: secretOf(given),
    scope: given.BACKHAUL_OIDC_SCOPE,
    name: given.BACKHAUL_OIDC_NAME,
    addsUsers: given.BACKHAUL_OIDC_CREATE === '1',
    mappings: {
      roles: { claim: given.BACKHAUL_OIDC_ROLE_CLAIM, entries: given.BACKHAUL_OIDC_ROLES },
      customers: { claim: given.BACKHAUL_OIDC_CUSTOMER_CLAIM, entries: given.BACKHAUL_OIDC_CUSTOMERS },
      groups: { claim: given.BACKHAUL_OIDC_GROUP_CLAIM, entries: given.BACKHAUL_OIDC_GROUPS },
    },
  }
}

function problemsOf(given: Given): string[] {
  const isAdding = given.BACKHAUL_OIDC_CREATE === '1'
  return [
    ...(given.BACKHAUL_OIDC_CLIENT_ID ? [] : ['BACKHAUL_OIDC_CLIENT_ID: is not set']),
    ...(['BACKHAUL_OIDC_ROLES', 'BACKHAUL_OIDC_CUSTOMERS'] as const)
      .filter((name) => isAdding && given[name].length === 0)
      .map((name) => `${name}: is not set, but BACKHAUL_OIDC_CREATE=1 creates users with it`),
  ]
}

function secretOf(given: Given): string | undefined {
  const file = given.BACKHAUL_OIDC_CLIENT_SECRET_FILE
  if (file === undefined) return given.BACKHAUL_OIDC_CLIENT_SECRET
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new SettingsError([`BACKHAUL_OIDC_CLIENT_SECRET_FILE: cannot be read (given "${file}")`])
  }
}
