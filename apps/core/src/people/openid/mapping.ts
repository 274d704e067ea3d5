// Maps the claims of a provider about a user, pure: names, user type, customers, groups.
import { UserType } from '@backhaul/contract/define/role-schemas'
import { Username } from '@backhaul/contract/nouns/users'
import type { EnterprisePerson } from '../users/users.ts'

export type Claims = Readonly<Record<string, unknown>>

/** The meanings of the values of a claim; `*` is for all users. Without entries the provider does not decide it. */
export interface Mapping {
  /** Dots lead into objects: `realm_access.roles`. */
  claim: string | undefined
  entries: readonly (readonly [value: string, meaning: string])[]
}

export interface Mappings {
  /** Meanings are user types; the first matching entry counts; a user without a match may do nothing here. */
  roles: Mapping
  /** Meanings are ids of inventories. */
  customers: Mapping
  /** Meanings are ids of groups. */
  groups: Mapping
}

const longestText = 255

/** The user as the provider describes them. `email` only where the provider has verified it. */
export function personOf(claims: Claims, mappings: Mappings): EnterprisePerson {
  const text = (name: string) => {
    const value = claims[name]
    return typeof value === 'string' ? value.trim().slice(0, longestText) : ''
  }
  const email = text('email')
  const usernames = [text('preferred_username'), email]
  const username = usernames.find((name) => Username.safeParse(name).success)
  const [firstWord = '', ...otherWords] = text('name').split(/\s+/)
  const [userType] = meanings(mappings.roles, claims)
  return {
    username,
    email: claims.email_verified === true && email !== '' ? email : undefined,
    firstName: text('given_name') || firstWord || username || '',
    lastName: text('family_name') || otherWords.join(' '),
    userType: mappings.roles.entries.length === 0 ? undefined : (UserType.safeParse(userType).data ?? null),
    inventories: wanted(mappings.customers, claims),
    groups: wanted(mappings.groups, claims),
  }
}

const wanted = (mapping: Mapping, claims: Claims): string[] | undefined =>
  mapping.entries.length === 0 ? undefined : [...new Set(meanings(mapping, claims))]

/** The values in the order in which the operator wrote them. */
function meanings({ claim, entries }: Mapping, claims: Claims): string[] {
  const values = new Set(claim === undefined ? [] : valuesOf(claims, claim))
  return entries.filter(([value]) => value === '*' || values.has(value)).map(([, meaning]) => meaning)
}

/** A claim with dots in its own name, such as an address, comes before a path. */
function valuesOf(claims: Claims, claim: string): string[] {
  const found = Object.hasOwn(claims, claim)
    ? claims[claim]
    : claim.split('.').reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), claims)
  return (Array.isArray(found) ? found : [found]).filter((value) => typeof value === 'string')
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
