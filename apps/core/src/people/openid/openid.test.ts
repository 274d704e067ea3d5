import { api as contract } from '@backhaul/contract/api/api'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { client, type OpenidProvider, startOpenidProvider } from '../../testing/openid-provider.ts'
import { type Browser, createTestCore, password, type TestCore } from '../../testing.ts'
import type { OpenidSettings } from './openid.ts'

const publicUrl = 'http://backhaul.test'
const ann = {
  preferred_username: 'ann',
  given_name: 'Ann',
  family_name: 'Editor',
  email: 'ann@north.example',
  email_verified: true,
  groups: ['/editors'],
  company: 'n',
}

/** Goes through the provider's pages as a browser would; answers the last redirect. */
async function throughProvider(address: string, account: string): Promise<string> {
  const cookies = new Map<string, string>()
  const visit = async (url: string, init: RequestInit = {}): Promise<string> => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(url, { redirect: 'manual', ...init, headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split(/=(.*)/s) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${response.status} ${await response.text()}`)
    return new URL(location, url).href
  }
  const page = await visit(address)
  const afterPage = await visit(page, { method: 'POST', body: new URLSearchParams({ account }) })
  return await visit(afterPage)
}

describe.each(enginesOfNight)('signing in at a provider on %s', (engine) => {
  let provider: OpenidProvider
  let test: TestCore

  const settings = (more: Partial<OpenidSettings> = {}): OpenidSettings => ({
    issuer: provider.issuer,
    clientId: client.id,
    clientSecret: client.secret,
    scope: 'openid profile email',
    name: 'Newsroom account',
    addsUsers: true,
    mappings: {
      roles: {
        claim: 'groups',
        entries: [
          ['/chiefs', 'admin'],
          ['/editors', 'regular'],
        ],
      },
      customers: {
        claim: 'company',
        entries: [
          ['n', 'north'],
          ['n', 'nowhere'],
          ['s', 'south'],
        ],
      },
      groups: {
        claim: undefined,
        entries: [
          ['*', 'london'],
          ['*', 'cairo'],
        ],
      },
    },
    ...more,
  })
  const reopen = async (more: Partial<OpenidSettings>) => {
    await test.remove()
    test = await createTestCore(engine, { openid: settings(more), publicUrl })
  }

  beforeAll(async () => {
    provider = await startOpenidProvider(publicUrl, new Map())
  })
  afterAll(() => provider.close())
  beforeEach(async () => {
    provider.accounts.clear()
    provider.accounts.set('a-1', ann)
    test = await createTestCore(engine, { openid: settings(), publicUrl })
  })
  afterEach(() => test.remove())

  const begin = async (browser: Browser, next = '/unit/u-7') => {
    const { headers } = await browser.send({ url: `/login/openid?next=${encodeURIComponent(next)}` })
    return String(headers.location)
  }
  const reRegister = async (browser: Browser, address: string) => {
    const { pathname, search } = new URL(address)
    const { statusCode, headers } = await browser.send({ url: pathname + search })
    expect(statusCode).toBe(302)
    return String(headers.location)
  }
  /** The whole sign-in; answers where the browser lands. */
  const signIn = async (account: string, browser = test.browser(), next?: string) =>
    reRegister(browser, await throughProvider(await begin(browser, next), account))
  const signedIn = async (account: string) => {
    const browser = test.browser()
    expect(await signIn(account, browser)).toBe('/unit/u-7?ignoreRouteDefault=1')
    return browser
  }
  const whoAmI = (browser: Browser) => browser.call(contract.client.currentUser, {})
  const lines = () =>
    test.db
      .selectFrom('audit')
      .select(['username', 'result'])
      .where('action', '=', 'signIns.openid')
      .orderBy('at_ms')
      .execute()
  /** An enterprise user who was added before. */
  const addEnterprise = (username: string) =>
    test.db.updateTable('users').set({ sso: 1 }).where('username', '=', username).execute()

  it('adds an unknown user with the mapped type, customer and groups, and lands on the requested page', async () => {
    const browser = await signedIn('a-1')
    expect(await whoAmI(browser)).toMatchObject({
      username: 'ann',
      email: 'ann@north.example',
      firstName: 'Ann',
      lastName: 'Editor',
      SSO: true,
      userType: 'regular',
      roles: ['luc_regular'],
      inventories: ['north'],
      groups: ['london'],
    })
    expect(await lines()).toEqual([{ username: 'ann', result: 'done' }])
    await signedIn('a-1')
    expect(
      await test.db.selectFrom('users').select('id').where('username', '=', 'ann').execute(),
    ).toHaveLength(1)
    for (const given of ['', 'ann', password])
      await expect(
        test.browser().call(contract.signIns.signIn, { body: { username: 'ann', password: given || ' ' } }),
      ).rejects.toMatchObject({ code: 401 })
  })

  it('requests a code with state, nonce and PKCE for exactly one redirect address', async () => {
    const { searchParams, origin } = new URL(await begin(test.browser()))
    expect(origin).toBe(provider.issuer)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      client_id: client.id,
      redirect_uri: `${publicUrl}/login/openid/callback`,
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^.{40,}$/),
      nonce: expect.stringMatching(/^.{40,}$/),
    })
    await test.remove()
    test = await createTestCore(engine, { openid: settings() })
    const { headers } = await test.browser().send({
      url: '/login/openid',
      headers: { host: 'tv.example', 'x-forwarded-proto': 'https' },
    })
    expect(new URL(String(headers.location)).searchParams.get('redirect_uri')).toBe(
      'https://tv.example/login/openid/callback',
    )
    expect(headers['set-cookie']).toMatch(/^backhaul_openid=.*HttpOnly; Secure; SameSite=Lax$/)
  })

  it('redirects only into the console', async () => {
    for (const next of ['//evil.example', 'https://evil.example/', '/login/openid', '/\t/evil.example'])
      expect(await signIn('a-1', test.browser(), next)).toBe('/')
  })

  it('refuses a wrong state, a wrong nonce, a replayed code, and a browser that did not begin', async () => {
    const [stateless, nonceless, replaying] = [test.browser(), test.browser(), test.browser()]
    const back = new URL(await throughProvider(await begin(stateless), 'a-1'))
    back.searchParams.set('state', 'guessed')
    expect(await reRegister(stateless, back.href)).toBe('/login?fault=failed')

    const address = new URL(await begin(nonceless))
    address.searchParams.set('nonce', 'another')
    expect(await reRegister(nonceless, await throughProvider(address.href, 'a-1'))).toBe(
      '/login?fault=failed',
    )

    const once = await throughProvider(await begin(replaying), 'a-1')
    const kept = replaying.cookies.get('backhaul_openid') ?? ''
    expect(await reRegister(test.browser(), once)).toBe('/login?fault=stale')
    expect(await reRegister(replaying, once)).toBe('/unit/u-7?ignoreRouteDefault=1')
    expect(await reRegister(replaying, once)).toBe('/login?fault=stale')
    const copy = test.browser()
    copy.cookies.set('backhaul_openid', kept)
    expect(await reRegister(copy, once)).toBe('/login?fault=failed')
    copy.cookies.set('backhaul_openid', `${kept.slice(0, -2)}AA`)
    expect(await reRegister(copy, once)).toBe('/login?fault=stale')
    for (const browser of [stateless, nonceless, copy])
      await expect(whoAmI(browser)).rejects.toMatchObject({ code: 401 })
  })

  it('drops an attempt after ten minutes, and limits failures from one address to twenty a minute', async () => {
    const browser = test.browser()
    const kept = await throughProvider(await begin(browser), 'a-1')
    test.clock.stepWall(24 * 3_600_000)
    expect(await reRegister(browser, kept)).toBe('/unit/u-7?ignoreRouteDefault=1')
    const back = await throughProvider(await begin(browser), 'a-1')
    test.clock.advance(11 * 60_000)
    test.clock.stepWall(-24 * 3_600_000)
    expect(await reRegister(browser, back)).toBe('/login?fault=stale')
    for (let attempt = 1; attempt < 20; attempt++) await reRegister(test.browser(), back)
    expect(await reRegister(test.browser(), back)).toBe('/login?fault=tooMany')
  })

  it('shows the reason to a user who cancelled at the provider', async () => {
    expect(await signIn('')).toBe('/login?fault=refused')
  })

  it("recognises an enterprise user by the verified address at first, then by the provider's subject", async () => {
    await reopen({ addsUsers: false })
    await addEnterprise('olivia')
    provider.accounts.set('o-1', { ...ann, email: 'Olivia@north.example' })
    expect((await whoAmI(await signedIn('o-1'))).id).toBe('us-olivia')
    provider.accounts.set('o-1', { ...ann, email: 'new@north.example', email_verified: false })
    expect(await whoAmI(await signedIn('o-1'))).toMatchObject({
      id: 'us-olivia',
      email: 'Olivia@north.example',
    })
    // The address was given to another identity.
    provider.accounts.set('o-2', { ...ann, email: 'olivia@north.example' })
    expect(await signIn('o-2')).toBe('/login?fault=unknown')
  })

  it('recognises an account that was made again once an administrator has activated the user again', async () => {
    const { id } = await whoAmI(await signedIn('a-1'))
    provider.accounts.set('a-2', ann)
    expect(await signIn('a-2')).toBe('/login?fault=unknown')
    const nora = await test.signedIn('nora')
    const activate = (active: boolean) =>
      nora.call(contract.users.change, { params: { id }, body: { active } })
    // Activating an account that is active changes nothing.
    await activate(true)
    expect(await signIn('a-2')).toBe('/login?fault=unknown')
    await activate(false)
    expect(await signIn('a-2')).toBe('/login?fault=unknown')
    await activate(true)
    provider.accounts.set('a-2', { ...ann, email_verified: false })
    expect(await signIn('a-2')).toBe('/login?fault=unverified')
    provider.accounts.set('a-2', ann)
    expect(await whoAmI(await signedIn('a-2'))).toMatchObject({ id, username: 'ann' })
    expect(await signIn('a-1')).toBe('/login?fault=unknown')
  })

  it('refuses an unverified address, an account with a password, and unknown users unless it may add users', async () => {
    provider.accounts.set('u-1', { ...ann, email_verified: false })
    provider.accounts.set('n-1', { ...ann, email: 'nora@north.example' })
    provider.accounts.set('t-1', { ...ann, preferred_username: 'Olivia', email: 'x@north.example' })
    expect(await signIn('u-1')).toBe('/login?fault=unverified')
    expect(await signIn('n-1')).toBe('/login?fault=local')
    expect(await signIn('t-1')).toBe('/login?fault=unknown')
    await reopen({ addsUsers: false })
    expect(await signIn('a-1')).toBe('/login?fault=unknown')
    expect(await lines()).toEqual([
      { username: 'ann', result: 'The sign-in at the provider failed (unknown).' },
    ])
  })

  it('refuses users whose account is closed or for whom no licence is left', async () => {
    await signedIn('a-1')
    await test.db.updateTable('users').set({ active: 0 }).where('username', '=', 'ann').execute()
    expect(await signIn('a-1')).toBe('/login?fault=closed')
    await test.db
      .insertInto('organizations')
      .values({ id: 'o', name: 'O', external_uid: 'o', default_role: null, max_users: 1 })
      .execute()
    await test.db
      .insertInto('organization_inventories')
      .values({ organization_id: 'o', inventory_id: 'north' })
      .execute()
    provider.accounts.set('b-1', { ...ann, preferred_username: 'bob', email: 'bob@north.example' })
    expect(await signIn('b-1')).toBe('/login?fault=licence')
    expect(await test.db.selectFrom('openid_identities').select('subject').execute()).toEqual([
      { subject: 'a-1' },
    ])
  })

  it('takes the rights of a user from the provider, and ends their earlier sign-ins with other rights', async () => {
    const before = await signedIn('a-1')
    provider.accounts.set('a-1', { ...ann, groups: ['/editors', '/chiefs'], company: 's' })
    const after = await signedIn('a-1')
    expect(await whoAmI(after)).toMatchObject({
      userType: 'admin',
      roles: ['luc_admin'],
      inventories: ['south'],
      groups: ['cairo'],
    })
    await expect(whoAmI(before)).rejects.toMatchObject({ code: 401 })
    provider.accounts.set('a-1', { ...ann, groups: 'visitors' })
    expect((await whoAmI(await signedIn('a-1'))).roles).toEqual([])
    await expect(whoAmI(after)).rejects.toMatchObject({ code: 401 })
  })

  it('ends a sign-in after a day of work, and answers where it ends at the provider', async () => {
    const browser = await signedIn('a-1')
    const { providerUrl = '' } = await browser.call(contract.signIns.signOut, {})
    const end = new URL(providerUrl)
    expect(end.origin + end.pathname).toBe(`${provider.issuer}/session/end`)
    expect(end.searchParams.get('post_logout_redirect_uri')).toBe(`${publicUrl}/login`)
    expect(await fetch(providerUrl).then(({ status }) => status)).toBe(200)
    const local = await test.signedIn('olivia')
    expect(await local.call(contract.signIns.signOut, {})).toEqual({ done: true })
    const idle = await signedIn('a-1')
    test.clock.advance(12 * 3_600_000)
    await expect(whoAmI(idle)).rejects.toMatchObject({ code: 401 })
  })

  it('starts without its provider, reports that it is down, and finds it once it is back', async () => {
    const port = Number(new URL(provider.issuer).port)
    const ways = () => test.browser().call(contract.signIns.ways, {})
    await provider.close()
    expect(await ways()).toEqual({ openid: { name: 'Newsroom account', isReachable: false } })
    expect(await begin(test.browser())).toBe('/login?fault=unreachable&next=%2Funit%2Fu-7')
    expect(await begin(test.browser(), '//evil.example')).toBe('/login?fault=unreachable')
    provider = await startOpenidProvider(publicUrl, new Map([['a-1', ann]]), port)
    test.clock.advance(5_000)
    expect(await ways()).toEqual({ openid: { name: 'Newsroom account', isReachable: true } })
    const browser = test.browser()
    const back = await throughProvider(await begin(browser), 'a-1')
    await provider.close()
    expect(await reRegister(browser, back)).toBe('/login?fault=unreachable')
    test.clock.advance(30_000)
    expect(await ways()).toEqual({ openid: { name: 'Newsroom account', isReachable: false } })
    provider = await startOpenidProvider(publicUrl, new Map(), port)
  })

  it('does not exist without the setting', async () => {
    await test.remove()
    test = await createTestCore(engine)
    expect(await test.browser().call(contract.signIns.ways, {})).toEqual({ openid: null })
    for (const url of ['/login/openid', '/login/openid/callback?code=1'])
      expect((await test.browser().send({ url })).statusCode).toBe(404)
  })
})
