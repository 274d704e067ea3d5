import { api as contract } from '@backhaul/contract/api/api'
import type { CallInput } from '@backhaul/contract/define/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { engines } from '../../database/testing.ts'
import { type Browser, createTestCore, password, type TestCore } from '../../testing.ts'

const { list, create, one, change, remove, setPassword, changePassword, updateOwn } = contract.users
const dayMs = 86_400_000

describe.each(engines)('administering users on %s', (engine) => {
  let test: TestCore
  let nora: Browser
  let root: Browser
  beforeEach(async () => {
    test = await createTestCore(engine)
    nora = await test.signedIn('nora')
    root = await test.signedIn('root')
  })
  afterEach(() => test.remove())

  type Creation = CallInput<typeof create>['body']
  const zoe: Creation = {
    username: 'zoe',
    password,
    passwordConfirmation: password,
    firstName: 'Zoe',
    lastName: 'Hart',
    email: 'zoe@north.example',
    userType: 'regular',
    inventories: ['north'],
    groups: ['london'],
  }
  const add = (more: Partial<Creation> = {}, by = nora) => by.call(create, { body: { ...zoe, ...more } })
  const alter = (id: string, body: CallInput<typeof change>['body'], by = nora) =>
    by.call(change, { params: { id }, body })
  const names = async (query: CallInput<typeof list>['query'], by = nora) =>
    (await by.call(list, { query })).items.map(({ username }) => username)
  const isSignedIn = async (browser: Browser) =>
    await browser.call(contract.client.contact, {}).then(
      () => true,
      () => false,
    )
  const fieldsOf = async (promise: Promise<unknown>) =>
    await promise.then(
      () => [],
      (error: { fields: { field: string; message: string }[] }) =>
        error.fields.map((f) => [f.field, f.message]),
    )

  it("[USER-001] lists the users of the caller's customers, page by page, searched and sorted", async () => {
    expect(await names({})).toEqual(['nora', 'olivia', 'reed', 'root', 'vera'])
    expect(await names({}, root)).toEqual(['nora', 'olivia', 'reed', 'root', 'sam', 'vera'])
    expect(await nora.call(list, { query: { limit: 2, offset: 1, sort: 'name,desc' } })).toMatchObject({
      items: [{ username: 'root' }, { username: 'reed' }],
      total: 5,
      offset: 1,
      limit: 2,
    })
    expect(await names({ searchValue: 'OLI' })).toEqual(['olivia'])
    expect(await names({ searchKey: 'email', searchValue: 'ree' })).toEqual(['reed'])
    expect(await names({ searchKey: 'label', searchValue: '%' })).toEqual([])
    expect(await names({ sortBy: 'userType' })).toEqual(['nora', 'reed', 'olivia', 'root', 'vera'])
    expect(await names({ inventory: 'south' }, root)).toEqual(['sam'])
    await expect(names({ inventory: 'south' })).rejects.toMatchObject({ code: 404 })
    await expect(names({ sortBy: 'password_hash' })).rejects.toMatchObject({ code: 400 })
    expect(JSON.stringify(await root.call(list, { query: {} }))).not.toContain('argon2')
  })

  it('[USER-001] adds a user who can sign in, and records who did, without the password', async () => {
    const user = await add({ label: 'Duty', ODA: true, passwordExpirationPolicy: '30' })
    expect(user).toMatchObject({
      username: 'zoe',
      roles: ['luc_regular'],
      label: 'Duty',
      active: true,
      SSO: false,
      ODA: true,
      inventories: ['north'],
      groups: ['london'],
      passwordExpirationDate: new Date(test.clock.nowMs() + 30 * dayMs).toISOString(),
    })
    expect(await isSignedIn(await test.signedIn('Zoe'))).toBe(true)
    const line = await test.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'users.create')
      .executeTakeFirstOrThrow()
    expect(line).toMatchObject({
      user_id: 'us-nora',
      object_id: user.id,
      inventory_id: 'north',
      result: 'done',
    })
    expect(line.details).not.toContain(password)
  })

  it('[SHELL-029] [USER-001] refuses a field that breaks its rule, and names it', async () => {
    const tooShort = 'Must have at least 3 characters'
    const weak = 'Must contain a capital, a lowercase letter and a digit or punctuation'
    const cases: [Partial<Creation>, string, string][] = [
      [{ username: 'ab' }, 'username', tooShort],
      [{ username: 'a'.repeat(256) }, 'username', 'Must have at most 255 characters'],
      [{ username: 'zoe hart' }, 'username', 'Must match the pattern'],
      [{ lastName: 'H' }, 'lastName', 'Must be between 2 and 255 characters'],
      [{ lastName: 'H'.repeat(256) }, 'lastName', 'Must be between 2 and 255 characters'],
      [{ firstName: '' }, 'firstName', 'This field is required'],
      [{ firstName: 'zoe' }, 'firstName', 'First name must start uppercase.'],
      [{ password: 'Ab-1', passwordConfirmation: 'Ab-1' }, 'password', 'Must have at least 8 characters'],
      [{ password: 'lowercase-1', passwordConfirmation: 'lowercase-1' }, 'password', weak],
      [{ password: 'NoDigitHere', passwordConfirmation: 'NoDigitHere' }, 'password', weak],
      [
        { passwordConfirmation: 'Other-horse-8' },
        'passwordConfirmation',
        'Password and confirmation must match.',
      ],
      [{ label: 'x'.repeat(31) }, 'label', 'Must have at most 30 characters'],
      [{ email: 'zoe' }, 'email', 'Invalid email format'],
      [{ phone: '+44' }, 'phone', 'Must only contain numeric characters'],
      [{ inventories: [] }, 'inventories', 'A user must belong to at least one inventory.'],
    ]
    for (const [more, field, message] of cases) expect(await fieldsOf(add(more))).toEqual([[field, message]])
    expect(await names({ searchValue: 'zoe' })).toEqual([])
  })

  it('[USER-001] refuses a name or an address that is taken, also of two requests at the same time', async () => {
    expect(await fieldsOf(add({ username: 'OLIVIA' }))).toEqual([['username', 'User already exists.']])
    expect(await fieldsOf(add({ email: 'SAM@north.example' }))).toEqual([
      ['email', 'Email used by a different user.'],
    ])
    expect(await fieldsOf(alter('us-reed', { email: 'nora@north.example' }))).toEqual([
      ['email', 'Email used by a different user.'],
    ])
    const results = await Promise.allSettled([add(), add({ email: '' }), add({ email: 'z@north.example' })])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  })

  it('[USER-001] keeps the limit of users of an organization', async () => {
    await test.db
      .insertInto('organizations')
      .values({ id: 'o', name: 'North', external_uid: '', default_role: null, max_users: 6 })
      .execute()
    await test.db
      .insertInto('organization_inventories')
      .values({ organization_id: 'o', inventory_id: 'north' })
      .execute()
    const additions = ['zoe1', 'zoe2', 'zoe3'].map((username) => add({ username, email: '' }))
    const results = await Promise.allSettled(additions)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(add()).rejects.toMatchObject({ code: 409, message: 'No available user license.' })
    await expect(alter('us-sam', { inventories: ['south', 'north'] }, root)).rejects.toMatchObject({
      code: 409,
    })
    expect((await root.call(one, { params: { id: 'us-sam' } })).inventories).toEqual(['south'])
    expect(await add({ inventories: ['south'], groups: [] }, root)).toMatchObject({ username: 'zoe' })
  })

  it('gives no more rights than the caller has, and changes no user with more rights', async () => {
    for (const userType of ['superuser', 'media group admin', 'contractor', 'partner'] as const)
      expect(await fieldsOf(add({ userType }))).toEqual([['userType', 'Not available for your user type']])
    expect(await fieldsOf(add({ roles: ['luc_studio', 'super_user'] }))).toEqual([
      ['roles', 'Not available for your user type'],
    ])
    expect(await fieldsOf(alter('us-olivia', { userType: 'superuser' }))).toEqual([
      ['userType', 'Not available for your user type'],
    ])
    const params = { id: 'us-root' }
    const body = { password: 'Another-horse-8', passwordConfirmation: 'Another-horse-8' }
    for (const refused of [
      () => alter('us-root', { label: 'x' }),
      () => nora.call(remove, { params }),
      () => nora.call(setPassword, { params, body }),
    ])
      await expect(refused()).rejects.toMatchObject({ code: 403 })
    await add({ username: 'carl', email: '', userType: 'contractor' }, root)
    const carl = await test.signedIn('carl')
    expect(await fieldsOf(add({ userType: 'read only', ODA: true }, carl))).toEqual([
      ['ODA', 'Not available for your user type'],
    ])
    expect(await add({ userType: 'read only' }, carl)).toMatchObject({ roles: ['luc_read'] })
    expect((await alter('us-olivia', { userType: 'superuser' }, root)).roles).toEqual(['super_user'])
  })

  it('[ACCESS-007] lets luc_admin and super users give the permission for activation, only to users of their inventories', async () => {
    expect(await alter('us-olivia', { ODA: true })).toMatchObject({ ODA: true })
    expect(await alter('us-olivia', { ODA: false }, root)).toMatchObject({ ODA: false })
    await expect(alter('us-sam', { ODA: true })).rejects.toMatchObject({ code: 404 })
    for (const userType of ['contractor', 'partner', 'media group admin'] as const) {
      const username = userType.replaceAll(' ', '-')
      await add({ username, email: '', userType }, root)
      const other = await test.signedIn(username)
      expect(
        await fieldsOf(add({ username: `new-${username}`, userType: 'read only', ODA: true }, other)),
      ).toEqual([['ODA', 'Not available for your user type']])
    }
  })

  it("gives no customer and no group out of the caller's scope", async () => {
    await expect(add({ inventories: ['north', 'south'] })).rejects.toMatchObject({ code: 404 })
    await expect(add({ groups: ['cairo'] })).rejects.toMatchObject({ code: 404 })
    expect(await fieldsOf(add({ inventories: ['south'], groups: ['london'] }, root))).toEqual([
      ['groups', 'London-News belongs to another inventory.'],
    ])
    const both = await add({ inventories: ['north', 'south'], groups: ['london', 'cairo'] }, root)
    const seen = await nora.call(one, { params: { id: both.id } })
    expect([seen.inventories, seen.groups]).toEqual([['north'], ['london']])
    await expect(alter(both.id, { label: 'x' })).rejects.toMatchObject({
      code: 403,
      message: 'The user also belongs to another customer.',
    })
    const left = await alter(both.id, { inventories: ['south'] }, root)
    expect([left.inventories, left.groups]).toEqual([['south'], ['cairo']])
    await expect(nora.call(one, { params: { id: both.id } })).rejects.toMatchObject({ code: 404 })
  })

  it('[USER-001] changes the named fields only', async () => {
    const before = await nora.call(one, { params: { id: 'us-olivia' } })
    const after = await alter('us-olivia', { label: 'Night', groups: ['leeds'], roles: ['luc_studio'] })
    expect(after).toEqual({
      ...before,
      label: 'Night',
      groups: ['leeds'],
      roles: ['luc_regular', 'luc_studio'],
    })
    expect((await alter('us-olivia', { userType: 'read only' })).roles).toEqual(['luc_read', 'luc_studio'])
    expect((await alter('us-olivia', { passwordExpirationPolicy: '60' })).passwordExpirationDate).toBe(
      new Date(test.clock.nowMs() + 60 * dayMs).toISOString(),
    )
  })

  it('ends the sign-ins of a user whose rights, password or account changed', async () => {
    const ended: string[] = []
    test.core.events.on('signInEnded', ({ userId }) => ended.push(userId))
    const given = { password: 'Another-horse-8', passwordConfirmation: 'Another-horse-8' }
    const cases: [string, () => Promise<unknown>][] = [
      ['olivia', () => alter('us-olivia', { userType: 'read only' })],
      ['reed', () => alter('us-reed', { active: false })],
      ['vera', () => nora.call(setPassword, { params: { id: 'us-vera' }, body: given })],
    ]
    for (const [username, shutOut] of cases) {
      const browser = await test.signedIn(username)
      await alter(`us-${username}`, { label: 'still here' })
      expect(await isSignedIn(browser)).toBe(true)
      await shutOut()
      await expect.poll(() => ended).toContain(`us-${username}`)
      expect(await isSignedIn(browser)).toBe(false)
    }
    await expect(test.signedIn('reed')).rejects.toMatchObject({ code: 401 })
  })

  it('[USER-001] deletes a user with their data, but not the caller', async () => {
    const olivia = await test.signedIn('olivia')
    const lost: string[] = []
    test.core.events.on('userScopeChanged', ({ userId }) => lost.push(userId))
    await nora.call(remove, { params: { id: 'us-olivia' } })
    expect(lost).toContain('us-olivia')
    expect(await isSignedIn(olivia)).toBe(false)
    await expect(nora.call(one, { params: { id: 'us-olivia' } })).rejects.toMatchObject({ code: 404 })
    await expect(nora.call(remove, { params: { id: 'us-nora' } })).rejects.toMatchObject({
      code: 409,
      message: 'You cannot delete your own account.',
    })
    await expect(alter('us-nora', { active: false })).rejects.toMatchObject({ code: 409 })
    expect(await add({ username: 'olivia', email: 'olivia@north.example' })).toMatchObject({
      username: 'olivia',
    })
  })

  it('[ACCESS-012] leaves enterprise users to their IT administrator in every call that changes one', async () => {
    const olivia = await test.signedIn('olivia')
    await test.db.updateTable('users').set({ sso: 1 }).where('id', '=', 'us-olivia').execute()
    const params = { id: 'us-olivia' }
    const given = { password: 'Another-horse-8', passwordConfirmation: 'Another-horse-8' }
    const contact = { firstName: 'Olga', lastName: 'Tester', email: '', phone: '' }
    for (const refused of [
      () => alter('us-olivia', { label: 'x' }, root),
      () => root.call(remove, { params }),
      () => root.call(setPassword, { params, body: given }),
      () => olivia.call(changePassword, { body: { oldPassword: password, ...given } }),
      () => olivia.call(updateOwn, { body: { firstName: 'Olga' } }),
      () => olivia.call(contract.client.saveContact, { body: contact }),
    ])
      await expect(refused()).rejects.toMatchObject({
        code: 403,
        message: 'Managed by your IT administrator.',
      })
    expect((await nora.call(one, { params })).SSO).toBe(true)
  })

  it('closes and opens the account of an enterprise user immediately, but changes nothing else with it', async () => {
    const olivia = await test.signedIn('olivia')
    await test.db.updateTable('users').set({ sso: 1 }).where('id', '=', 'us-olivia').execute()
    const managed = { code: 403, message: 'Managed by your IT administrator.' }
    await expect(alter('us-olivia', { active: false, label: 'x' })).rejects.toMatchObject(managed)
    await expect(alter('us-olivia', {})).rejects.toMatchObject(managed)
    const before = await nora.call(one, { params: { id: 'us-olivia' } })
    expect(await alter('us-olivia', { active: false })).toEqual({ ...before, active: false })
    await expect.poll(() => isSignedIn(olivia)).toBe(false)
    expect(await alter('us-olivia', { active: true })).toEqual(before)
  })

  it("[USER-001] changes a user's own password by the old one, and ends the other sign-ins", async () => {
    const [here, there] = [await test.signedIn('olivia'), await test.signedIn('olivia')]
    const own = (oldPassword: string, next: string) =>
      here.call(changePassword, { body: { oldPassword, password: next, passwordConfirmation: next } })
    expect(await fieldsOf(own('wrong', 'Another-horse-8'))).toEqual([
      ['oldPassword', "Old password doesn't match."],
    ])
    await own(password, 'Another-horse-8')
    await expect.poll(() => isSignedIn(there)).toBe(false)
    expect(await isSignedIn(here)).toBe(true)
    await expect(test.signedIn('olivia')).rejects.toMatchObject({ code: 401 })
    const details = await test.db
      .selectFrom('audit')
      .select('details')
      .where('action', '=', 'users.changePassword')
      .execute()
    expect(JSON.stringify(details)).not.toContain('horse')
  })

  it('[USER-001] refuses the last five passwords', async () => {
    const set = (next: string) =>
      nora.call(setPassword, {
        params: { id: 'us-olivia' },
        body: { password: next, passwordConfirmation: next },
      })
    const recent = [['password', 'This password was used recently.']]
    expect(await fieldsOf(set(password))).toEqual(recent)
    for (const number of [1, 2, 3, 4]) {
      test.clock.advance(1000)
      await set(`Another-horse-${number}`)
    }
    for (const next of [password, 'Another-horse-1', 'Another-horse-4'])
      expect(await fieldsOf(set(next))).toEqual(recent)
    test.clock.advance(1000)
    await set('Another-horse-5')
    await set(password)
    const kept = await test.db.selectFrom('past_passwords').selectAll().execute()
    expect(kept).toHaveLength(4)
  })

  it('[USER-001] [USER-002] lets users update their own data, field by field', async () => {
    const olivia = await test.signedIn('olivia')
    const user = await olivia.call(updateOwn, {
      body: { phone: '4420', updateConsent: { termsOfUse: true } },
    })
    expect(user).toMatchObject({
      firstName: 'Olivia',
      phone: '4420',
      contact: { phone: '4420' },
      updateConsent: { termsOfUse: true },
      updateConsentDates: { termsOfUse: new Date(test.clock.nowMs()).toISOString() },
      roles: ['luc_regular'],
    })
    expect(await fieldsOf(olivia.call(updateOwn, { body: { email: 'sam@north.example' } }))).toEqual([
      ['email', 'Email used by a different user.'],
    ])
    const forbidden = { userType: 'superuser' } as object
    expect(await fieldsOf(olivia.call(updateOwn, { body: forbidden }))).toEqual([
      ['(body)', 'Unknown field: userType.'],
    ])
  })

  it('[USER-001] keeps when a user gave or withdrew each consent, and shows it to administrators', async () => {
    const olivia = await test.signedIn('olivia')
    const decide = (updateConsent: CallInput<typeof updateOwn>['body']['updateConsent']) =>
      olivia.call(updateOwn, { body: { updateConsent } })
    const dateNow = () => new Date(test.clock.nowMs()).toISOString()
    expect(await olivia.call(contract.client.currentUser, {})).toMatchObject({
      updateConsent: {},
      updateConsentDates: {},
    })
    const given = dateNow()
    await decide({ termsOfUse: true })
    test.clock.advance(60_000)
    const refused = dateNow()
    // The same again is no new decision.
    await decide({ termsOfUse: true, marketing: false })
    const dates = { termsOfUse: given, marketing: refused }
    expect(await olivia.call(contract.client.currentUser, {})).toMatchObject({ updateConsentDates: dates })
    await alter('us-olivia', { label: 'Duty' })
    test.clock.advance(60_000)
    await decide({ termsOfUse: false })
    expect(await nora.call(one, { params: { id: 'us-olivia' } })).toMatchObject({
      updateConsent: { termsOfUse: false, marketing: false },
      updateConsentDates: { ...dates, termsOfUse: dateNow() },
    })
  })

  it('[USER-002] [ACCESS-012] lets enterprise users decide on their consents, and on none of their other data', async () => {
    const olivia = await test.signedIn('olivia')
    // Their provider has given them no role.
    const enterprise = { sso: 1, roles: '[]' } as const
    await test.db.updateTable('users').set(enterprise).where('id', '=', 'us-olivia').execute()
    const own = (body: CallInput<typeof updateOwn>['body']) => olivia.call(updateOwn, { body })
    const given = {
      updateConsent: { termsOfUse: true },
      updateConsentDates: { termsOfUse: new Date(test.clock.nowMs()).toISOString() },
    }
    expect(await own({ updateConsent: { termsOfUse: true } })).toMatchObject({ ...given, roles: [] })
    await expect(own({ updateConsent: { marketing: true }, phone: '4420' })).rejects.toMatchObject({
      code: 403,
      message: 'Managed by your IT administrator.',
    })
    expect(await own({})).toMatchObject({ ...given, phone: '', roles: [] })
    for (const active of [false, true])
      expect(await alter('us-olivia', { active }, root)).toMatchObject({ ...given, roles: [] })
  })

  it('keeps the removal of rights while the user changes their own data at the same time', async () => {
    const olivia = await test.signedIn('olivia')
    const begin = test.db.transaction.bind(test.db)
    // Between the read of their own data and the write.
    vi.spyOn(test.db, 'transaction').mockImplementationOnce(() => {
      const builder = begin()
      const execute = builder.execute.bind(builder)
      builder.execute = async (write) => {
        await alter('us-olivia', { userType: 'read only', active: false })
        return await execute(write)
      }
      return builder
    })
    await olivia.call(updateOwn, { body: { phone: '44' } })
    expect(await root.call(one, { params: { id: 'us-olivia' } })).toMatchObject({
      phone: '44',
      active: false,
      roles: ['luc_read'],
    })
  })

  it('keeps rights that were given while the user changes their own data at the same time', async () => {
    let isOver = false
    const changeUntilSeen = async () => {
      while (!isOver) await alter('us-olivia', { userType: 'regular' }).catch(() => {})
    }
    const given = alter('us-olivia', { userType: 'superuser' }, root).finally(() => {
      isOver = true
    })
    await Promise.all([given, ...[1, 2, 3, 4].map(changeUntilSeen)])
    expect((await root.call(one, { params: { id: 'us-olivia' } })).roles).toEqual(['super_user'])
  })

  it('keeps the last super user', async () => {
    const last = { code: 409, message: 'At least one super user must remain.' }
    await expect(alter('us-root', { userType: 'regular' }, root)).rejects.toMatchObject(last)
    await add({ userType: 'superuser' }, root)
    const zoe = await test.signedIn('zoe')
    const zoes = (await root.call(list, { query: { search: 'zoe' } })).items[0]?.id ?? ''
    await alter(zoes, { active: false }, root)
    await expect(alter('us-root', { userType: 'regular' }, root)).rejects.toMatchObject(last)
    await alter(zoes, { active: true }, root)
    const refused = () => zoe.call(list, { query: {} }).catch((error: unknown) => error)
    await expect.poll(refused).toMatchObject({ code: 401 })
    const again = await test.signedIn('zoe')
    const outcomes = await Promise.allSettled([
      root.call(remove, { params: { id: zoes } }),
      again.call(remove, { params: { id: 'us-root' } }),
    ])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})
