// Every endpoint of core: without a sign-in, without the CSRF token, with an API key, and with fields that it does not know.
// The calls and objects that each role may use are tested in tenancy.test.ts.
import { allEndpoints } from '@backhaul/contract/api/api'
import { apiKeys } from '@backhaul/contract/api/api-keys'
import { client } from '@backhaul/contract/api/client'
import { type Action, rolesOfAction } from '@backhaul/contract/define/actions'
import { APPLICATION_ID_HEADER, CSRF_COOKIE, CSRF_HEADER, pathOf } from '@backhaul/contract/define/endpoint'
import { nothing } from '@backhaul/contract/define/nothing'
import { Role, UserType } from '@backhaul/contract/define/role-schemas'
import { roleOfUserType } from '@backhaul/contract/define/roles'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Browser, createTestCore, password, type TestCore } from './testing.ts'

const guarded = allEndpoints().filter(({ endpoint }) => endpoint.permission !== 'anyone')
const application = { [APPLICATION_ID_HEADER]: 'test' }

/** Making, finding or changing a way to sign in, and users' own data. */
const personal = [
  ...['create', 'list', 'remove'].map((name) => `apiKeys.${name}`),
  ...['own', 'end', 'endOthers', 'signOut'].map((name) => `signIns.${name}`),
  ...[
    'own',
    'offerTotp',
    'confirmTotp',
    'offerPasskey',
    'confirmPasskey',
    'renewRecoveryCodes',
    'remove',
    'reset',
  ].map((name) => `secondFactors.${name}`),
  ...['create', 'remove', 'setPassword', 'changePassword', 'updateOwn'].map((name) => `users.${name}`),
  'client.saveContact',
  // These would give access after the key has ended.
  'invitations.permanent',
  'invitations.setPermanent',
  'channelAdministration.renewInputKey',
  'deviceAdministration.deleteCertificate',
  'remoteActions.act',
  ...['code', 'setMode', 'renew'].map((name) => `unitPairing.${name}`),
  ...['list', 'create', 'change'].map((name) => `videoReturnLinks.${name}`),
]

/** The required fields alone, so that the extra one is the fault. */
function validBodyOf(schema: z.ZodType): object {
  if (!(schema instanceof z.ZodObject)) return {}
  const needed = Object.entries(schema.shape).filter(
    ([, field]) => !(field as z.ZodType).safeParse(undefined).success,
  )
  return Object.fromEntries(needed.map(([name]) => [name, 'some']))
}

/** Objects inside a schema that would take a field they do not name. */
function looseParts(schema: unknown, path: string): string[] {
  const definition = (schema as z.ZodType | undefined)?._zod?.def as unknown as Readonly<
    Record<string, unknown>
  >
  if (!definition || schema === nothing) return []
  const inside = ['element', 'innerType', 'in', 'out', 'valueType'].flatMap((part) =>
    looseParts(definition[part], path),
  )
  const options = ((definition.options as unknown[]) ?? []).flatMap((option) => looseParts(option, path))
  if (!(schema instanceof z.ZodObject)) return [...inside, ...options]
  const isStrict = schema._zod.def.catchall instanceof z.ZodNever
  const fields = Object.entries(schema.shape).flatMap(([name, field]) => looseParts(field, `${path}.${name}`))
  return [...(isStrict ? [] : [path]), ...fields]
}

describe('every endpoint', () => {
  let test: TestCore
  const byRole = new Map<Role, Browser>()
  beforeAll(async () => {
    test = await createTestCore('sqlite')
    for (const userType of UserType.options) {
      const username = userType.replaceAll(' ', '.')
      const name = { firstName: 'Some', lastName: 'Body', inventories: ['north'], groups: ['london'] }
      await test.core.users.ensure({ id: username, username, password, userType, ...name })
      byRole.set(roleOfUserType[userType], await test.signedIn(username))
    }
  })
  afterAll(() => test.remove())

  const send = (
    browser: Browser,
    { endpoint }: (typeof guarded)[number],
    headers: Record<string, string>,
    payload?: object,
  ) => {
    const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
    const url = pathOf(endpoint, Object.fromEntries(names.map((name) => [name, 'some'])))
    return browser.send({ method: endpoint.method, url, headers, ...(payload && { payload }) })
  }

  it.each(guarded)('$name exists, and is closed without a sign-in', async (named) => {
    const response = await send(test.browser(), named, application)
    expect(response.json()).toEqual({
      code: 401,
      message: 'Sign in first.',
      cause: { code: 'signIn.required', params: {} },
    })
  })

  it.each(guarded.filter(({ endpoint }) => endpoint.method !== 'GET'))(
    '$name is not done without the CSRF token',
    async (named) => {
      const response = await send(byRole.get('super_user') as Browser, named, application)
      expect([response.statusCode, response.json().message]).toEqual([
        403,
        'The CSRF token is missing or wrong.',
      ])
    },
  )

  it('is closed to API keys where it concerns a user, their way to sign in or a lasting key, and nowhere else', async () => {
    const admin = byRole.get('luc_admin') as Browser
    const body = { name: 'Key', inventory: 'north', role: 'luc_admin' as const }
    const program = test.program((await admin.call(apiKeys.create, { body })).key)
    const closed: string[] = []
    for (const named of guarded) {
      const payload = named.endpoint.method === 'GET' ? undefined : { unheardOf: 1 }
      const response = await send(program, named, application, payload)
      expect([named.name, response.statusCode]).not.toEqual([named.name, 401])
      if (response.statusCode === 403 && response.body.includes('Not open')) closed.push(named.name)
    }
    expect(closed.toSorted()).toEqual(personal.toSorted())
  })

  const writes = allEndpoints().filter(({ endpoint }) => endpoint.method !== 'GET')
  it.each(writes)('$name refuses a field that the contract does not know', async (named) => {
    const { endpoint } = named
    const { permission } = endpoint
    const [role] =
      permission in rolesOfAction ? rolesOfAction[permission as Action] : (['super_user'] as const)
    const browser = byRole.get(role ?? 'super_user') as Browser
    const headers = { ...application, [CSRF_HEADER]: browser.cookies.get(CSRF_COOKIE) ?? '' }
    const response = await send(browser, named, headers, { ...validBodyOf(endpoint.body), unheardOf: 1 })
    expect(response.statusCode).toBe(400)
    if (endpoint.body instanceof z.ZodObject || endpoint.body === nothing) {
      const messages = (response.json().fields as { message: string }[]).map(({ message }) => message)
      expect(messages).toContain('Unknown field: unheardOf.')
    }
  })

  it.each(writes)('$name has no part that takes unknown fields', ({ endpoint }) => {
    expect(looseParts(endpoint.body, '(body)')).toEqual([])
  })

  it('[ACCESS-001] shows a user of every user type the role that it gives, and admits them', async () => {
    for (const [role, browser] of byRole) {
      const { loggedUserRoles } = await browser.call(client.configuration, {})
      expect(loggedUserRoles).toEqual([role])
    }
    expect(byRole.size).toBe(15)
  })

  it('[ACCESS-004] opens the psg area to super users only', async () => {
    const psg = guarded.filter(({ endpoint }) => endpoint.permission === 'administerSystem')
    expect(psg.length).toBeGreaterThan(0)
    for (const named of psg) {
      const answers = [...byRole].map(async ([role, browser]) => {
        const headers = { ...application, [CSRF_HEADER]: browser.cookies.get(CSRF_COOKIE) ?? '' }
        const { statusCode } = await send(browser, named, headers)
        expect([named.name, role, statusCode === 403]).toEqual([named.name, role, role !== 'super_user'])
      })
      await Promise.all(answers)
    }
  })

  it('was called by every role that a user type gives', () => {
    expect([...byRole.keys()].toSorted()).toEqual(Role.options.filter((role) => role !== 'staff').toSorted())
  })
})
