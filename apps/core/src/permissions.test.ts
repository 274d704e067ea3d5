// Every endpoint that core serves, tried by everyone who must not use it.
import { allEndpoints } from '@backhaul/contract/api/api'
import { APPLICATION_ID_HEADER, CSRF_COOKIE, CSRF_HEADER, pathOf } from '@backhaul/contract/define/endpoint'
import { mayDo } from '@backhaul/contract/nouns/actions'
import { Role, roleOfUserType, UserType } from '@backhaul/contract/nouns/roles'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, createTestCore, password, type TestCore } from './testing.ts'

const guarded = allEndpoints().filter(({ endpoint }) => endpoint.permission !== 'anyone')
const application = { [APPLICATION_ID_HEADER]: 'test' }

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
  ) => {
    const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
    const url = pathOf(endpoint, Object.fromEntries(names.map((name) => [name, 'some'])))
    return browser.send({ method: endpoint.method, url, headers })
  }

  it.each(guarded)('$name is there, and is closed to whoever has not signed in', async (named) => {
    const response = await send(test.browser(), named, application)
    expect(response.json()).toEqual({ code: 401, message: 'Sign in first' })
  })

  it.each(guarded.filter(({ endpoint }) => endpoint.method !== 'GET'))(
    '$name is not done without the CSRF token',
    async (named) => {
      const response = await send(byRole.get('super_user') as Browser, named, application)
      expect([response.statusCode, response.json().message]).toEqual([
        403,
        'The CSRF token is missing or wrong',
      ])
    },
  )

  it.each(guarded)('$name is closed to every role that the table does not name', async (named) => {
    const { permission } = named.endpoint
    for (const [role, browser] of byRole) {
      if (permission === 'signedIn' || permission === 'anyone' || mayDo([role], permission)) continue
      const headers = { ...application, [CSRF_HEADER]: browser.cookies.get(CSRF_COOKIE) ?? '' }
      const response = await send(browser, named, headers)
      expect([role, response.json()]).toEqual([
        role,
        { code: 403, message: 'Not available for your user type' },
      ])
    }
  })

  it('was tried by every role that a user type gives', () => {
    expect([...byRole.keys()].toSorted()).toEqual(Role.options.filter((role) => role !== 'staff').toSorted())
  })
})
