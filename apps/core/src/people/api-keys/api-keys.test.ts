import { api as contract } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import type { Role, UserType } from '@backhaul/contract/define/roles'
import { API_KEYS_AT_MOST } from '@backhaul/contract/nouns/api-keys'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hashSecret } from '../../database/secrets.ts'
import { engines } from '../../database/testing.ts'
import { createTestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import { type Browser, createTestCore, type TestCore } from '../../testing.ts'

const { create, list, remove } = contract.apiKeys
const hourMs = 3_600_000
const wrong = { code: 401, message: 'The API key is unknown or has expired.' }
const notAllowed = { code: 403, message: 'Not available for your user type' }
const notFound = { code: 404 }

describe.each(engines)('API keys on %s', (engine) => {
  let test: TestCore
  let nora: Browser
  beforeEach(async () => {
    test = await createTestCore(engine)
    nora = await test.signedIn('nora')
  })
  afterEach(() => test.remove())

  const make = async (role: string, more: object = {}, browser = nora) =>
    await browser.call(create, {
      body: { name: 'Planner', inventory: 'north', role: role as never, ...more },
    })
  const groupsOf = async (browser: Browser) =>
    (await browser.call(contract.client.lightGroups, {})).map(({ uid }) => uid).toSorted()
  const rolesOf = async (browser: Browser) =>
    (await browser.call(contract.client.configuration, {})).loggedUserRoles
  const setType = async (userId: string, userType: UserType) => {
    const root = await test.signedIn('root')
    await root.call(contract.users.change, { params: { id: userId }, body: { userType } })
  }

  it('are shown once, stored as a hash, and recognised by their first characters', async () => {
    const made = await make('luc_read')
    expect(made).toMatchObject({ name: 'Planner', role: 'luc_read', username: 'nora', lastUsedOn: null })
    expect(made.key).toMatch(/^bk_[\w-]{43}$/)
    expect(made.key.startsWith(made.prefix)).toBe(true)
    const { key, ...shown } = made
    expect((await nora.call(list, { query: {} })).items).toEqual([shown])
    const row = await test.db.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow()
    expect(row.secret_hash).toBe(hashSecret(key))
    expect(JSON.stringify(row)).not.toContain(key)
    expect((await make('luc_read')).key).not.toBe(key)
  })

  it('call without cookie and CSRF token, with the rights of their role, not of their maker', async () => {
    const reader = test.program((await make('luc_read')).key)
    expect(await rolesOf(reader)).toEqual(['luc_read'])
    expect(await groupsOf(reader)).toEqual(['leeds', 'london'])
    await expect(reader.call(contract.users.list, { query: {} })).rejects.toMatchObject(notAllowed)
    const admin = test.program((await make('luc_admin')).key)
    await admin.call(contract.groupAdministration.change, {
      params: { id: 'london' },
      body: { name: 'London-Planned' },
    })
    expect((await nora.call(contract.groupAdministration.one, { params: { id: 'london' } })).name).toBe(
      'London-Planned',
    )
  })

  it('are used even where cookies are sent too; the authorization header of a proxy is not a key', async () => {
    const { key } = await make('luc_read')
    const request = { url: '/luc/luc-core-web/rest/users/fetch_current_user_details' }
    const send = async (authorization: string) => {
      const headers = { 'application-id': 'test', authorization }
      return (await nora.send({ ...request, headers })).statusCode
    }
    expect(await send(`Bearer ${key}x`)).toBe(401)
    expect(await send(`bearer ${key}`)).toBe(200)
    expect(await send('Basic bm9yYTpub3Jh')).toBe(200)
    expect(await send('Bearer of-another-user')).toBe(200)
  })

  it('do no more than their maker may now', async () => {
    const made = await make('luc_admin')
    const program = test.program(made.key)
    await setType('us-nora', 'regular')
    expect(await rolesOf(program)).toEqual(['luc_regular'])
    expect(await groupsOf(program)).toEqual([])
    await expect(program.call(contract.users.list, { query: {} })).rejects.toMatchObject(notAllowed)
    await test.core.groups.addMember('leeds', 'user', 'us-nora')
    expect(await groupsOf(program)).toEqual(['leeds'])
    await test.db
      .updateTable('user_inventories')
      .set({ inventory_id: 'south' })
      .where('user_id', '=', 'us-nora')
      .execute()
    expect(await program.call(contract.groups.inventories, { query: {} })).toEqual([])
  })

  it('of a super user reach the customer that they were made for, as an administrator of it', async () => {
    const root = await test.signedIn('root')
    const made = await make('luc_admin', { inventory: 'south' }, root)
    expect(await groupsOf(test.program(made.key))).toEqual(['cairo'])
    await expect(make('super_user', {}, root)).rejects.toMatchObject({ code: 400 })
    await test.db.updateTable('api_keys').set({ role: 'super_user' }).execute()
    const forged = test.program(made.key)
    expect(await rolesOf(forged)).toEqual([])
    await expect(forged.call(contract.inventories.enhanced, { query: {} })).rejects.toMatchObject(notAllowed)
  })

  it('end when they expire, when they are revoked, and with the account of their maker', async () => {
    const expiresOn = new Date(test.clock.nowMs() + hourMs).toISOString()
    const short = test.program((await make('luc_read', { expiresOn })).key)
    const long = await make('luc_read')
    const program = test.program(long.key)
    await rolesOf(short)
    test.clock.advance(hourMs)
    await expect(rolesOf(short)).rejects.toMatchObject(wrong)
    await nora.call(remove, { params: { id: long.id } })
    await expect(rolesOf(program)).rejects.toMatchObject(wrong)
    await expect(nora.call(remove, { params: { id: long.id } })).rejects.toMatchObject(notFound)

    const another = test.program((await make('luc_read')).key)
    const root = await test.signedIn('root')
    const setActive = (active: boolean) =>
      root.call(contract.users.change, { params: { id: 'us-nora' }, body: { active } })
    await setActive(false)
    await expect(rolesOf(another)).rejects.toMatchObject(wrong)
    await setActive(true)
    await rolesOf(another)
    await root.call(contract.users.remove, { params: { id: 'us-nora' } })
    await expect(rolesOf(another)).rejects.toMatchObject(wrong)
    expect(await test.db.selectFrom('api_keys').select('id').execute()).toEqual([])
  })

  it('get no role that their maker may not give, no expiry in the past, no customer out of scope', async () => {
    const refused = { code: 403, fields: [fault('role', 'role.notAllowed')] }
    await expect(make('luc_media_group_admin')).rejects.toMatchObject(refused)
    const expiresOn = new Date(test.clock.nowMs()).toISOString()
    await expect(make('luc_read', { expiresOn })).rejects.toMatchObject({
      code: 400,
      fields: [fault('expiresOn', 'date.inFuture')],
    })
    await expect(make('luc_read', { inventory: 'south' })).rejects.toMatchObject(notFound)
  })

  it('are listed and revoked by every administrator of their customer, and by none of another', async () => {
    const made = await make('luc_read', {}, await test.signedIn('root'))
    await setType('us-sam', 'admin')
    const sam = await test.signedIn('sam')
    expect((await sam.call(list, { query: {} })).items).toEqual([])
    await expect(sam.call(remove, { params: { id: made.id } })).rejects.toMatchObject(notFound)
    expect((await nora.call(list, { query: { search: 'plan' } })).items.map(({ id }) => id)).toEqual([
      made.id,
    ])
    await nora.call(remove, { params: { id: made.id } })
    expect((await nora.call(list, { query: {} })).total).toBe(0)
  })

  it('cannot make keys or change a way to sign in', async () => {
    const program = test.program((await make('luc_admin')).key)
    const closed = { code: 403, message: 'Not open to API keys.' }
    const params = { id: 'us-olivia' }
    const body = { password: 'Fresh-one-7', passwordConfirmation: 'Fresh-one-7' }
    await expect(make('luc_read', {}, program)).rejects.toMatchObject(closed)
    await expect(program.call(contract.users.setPassword, { params, body })).rejects.toMatchObject(closed)
    await expect(program.call(contract.secondFactors.reset, { params })).rejects.toMatchObject(closed)
    await expect(program.call(contract.signIns.endOthers, {})).rejects.toMatchObject(closed)
  })

  it('change nothing of a user that would outlast the key, and refuse the whole call that tries', async () => {
    const program = test.program((await make('luc_admin')).key)
    const params = { id: 'us-olivia' }
    const before = await nora.call(contract.users.one, { params })
    const fields = { userType: 'admin', roles: ['luc_admin'], ODA: true, active: false } as const
    const way = { email: 'mine@else.example', passwordExpirationPolicy: '30' } as const
    for (const [field, value] of Object.entries({ ...fields, ...way })) {
      const body = { label: 'Night desk', [field]: value }
      await expect(program.call(contract.users.change, { params, body })).rejects.toMatchObject({
        code: 403,
        message: 'Not open to API keys.',
        fields: [fault(field, 'apiKey.closed')],
      })
    }
    await expect(program.call(contract.users.remove, { params })).rejects.toMatchObject({ code: 403 })
    expect(await nora.call(contract.users.one, { params })).toEqual(before)
    const body = { label: 'Night desk' }
    expect((await program.call(contract.users.change, { params, body })).label).toBe('Night desk')
  })

  it('cannot see or renew a permanent registration key, but make a pairing code that expires', async () => {
    const program = test.program((await make('luc_admin')).key)
    const params = { currentGroup: 'london' }
    const closed = { code: 403, message: 'Not open to API keys.' }
    const { permanent, setPermanent } = contract.invitations
    await expect(program.call(permanent, { params, query: {} })).rejects.toMatchObject(closed)
    await expect(
      program.call(setPermanent, { params, query: {}, body: { regenerate: true } }),
    ).rejects.toMatchObject(closed)
    expect((await nora.call(permanent, { params, query: {} })).key).toBe('key-london')
    expect(await program.call(contract.groups.pairingCode, { params: { id: 'london' } })).toHaveProperty(
      'code',
    )
  })

  it('are in the audit log with the user for whom they act', async () => {
    const made = await make('luc_admin', {}, await test.signedIn('root'))
    const program = test.program(made.key)
    await program.call(contract.groupAdministration.change, {
      params: { id: 'london' },
      body: { name: 'London-Planned' },
    })
    const { items } = await nora.call(contract.audit.list, { query: {} })
    const name = `Planner (${made.prefix}…)`
    expect(items[0]).toMatchObject({ username: 'root', apiKey: name, action: 'groupAdministration.change' })
    expect(items.find(({ action }) => action === 'apiKeys.create')).toMatchObject({
      apiKey: null,
      objectName: 'Planner',
      details: { role: 'luc_admin', prefix: made.prefix },
    })
    expect(JSON.stringify(items)).not.toContain(made.key)
    expect(await nora.call(contract.audit.export, { query: {} })).toContain(`,${name}\r\n`)
  })

  it('record their last use to the hour', async () => {
    const made = await make('luc_read')
    const program = test.program(made.key)
    const lastUsedOn = async () => (await nora.call(list, { query: {} })).items[0]?.lastUsedOn
    const first = test.clock.nowMs()
    await rolesOf(program)
    test.clock.advance(hourMs - 1)
    await rolesOf(program)
    expect(await lastUsedOn()).toBe(new Date(first).toISOString())
    test.clock.advance(1)
    await rolesOf(program)
    expect(await lastUsedOn()).toBe(new Date(first + hourMs).toISOString())
  })

  it('that are wrong are refused alike after the same work, twenty times a minute from one address', async () => {
    const made = await make('luc_read')
    const over = await make('luc_read', { expiresOn: new Date(test.clock.nowMs() + 1).toISOString() })
    test.clock.advance(1)
    const lookups = vi.spyOn(test.core.users, 'person')
    for (const key of [over.key, 'bk_guess', `${made.key}x`]) {
      lookups.mockClear()
      await expect(rolesOf(test.program(key))).rejects.toMatchObject(wrong)
      expect(lookups).toHaveBeenCalledTimes(1)
    }
    lookups.mockRestore()
    for (let tries = 3; tries < 20; tries++)
      await expect(rolesOf(test.program('bk_guess'))).rejects.toMatchObject(wrong)
    await expect(rolesOf(test.program('bk_guess'))).rejects.toMatchObject({
      code: 429,
      cause: { params: { seconds: 60 } },
    })
    // It blocks neither another program behind the same address nor users at the login page.
    await rolesOf(test.program(made.key))
    await test.signedIn('olivia')
    test.clock.advance(60_000)
    await expect(rolesOf(test.program('bk_guess'))).rejects.toMatchObject(wrong)
  })

  it(`are at most ${API_KEYS_AT_MOST} of one inventory`, async () => {
    await make('luc_read')
    const row = await test.db.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow()
    const more = Array.from({ length: API_KEYS_AT_MOST - 1 }, (_, at) => ({
      ...row,
      id: `key-${at}`,
      secret_hash: `hash-${at}`,
    }))
    await test.db.insertInto('api_keys').values(more).execute()
    await expect(make('luc_read')).rejects.toMatchObject({
      code: 409,
      cause: { code: 'apiKey.tooMany', params: { most: 100 } },
    })
  })
})

describe('a socket with an API key', () => {
  it('follows what its role may see, and closes when the key is revoked, over, or its maker has other rights', async () => {
    const fleet = await createTestFleet('sqlite')
    const unit = await fleet.unit('U-1')
    await fleet.pass()
    const nora = await fleet.signedIn('nora')
    const root = await fleet.signedIn('root')
    const make = (role: Role, expiresOn: string | null = null) =>
      nora.call(create, { body: { name: 'Wall', inventory: 'north', role: role as never, expiresOn } })
    const topic = `unit.${unit.id}`
    const signedOut = fleet.browser()
    const follow = async (key: string) => {
      const follower = await fleet.follow(signedOut, [topic], key)
      const closed = new Promise((resolve) => follower.socket.on('close', resolve))
      return { follower, closed }
    }

    const reader = await make('luc_read')
    const first = await follow(reader.key)
    await until(() => first.follower.messages.some((message) => message.topic === topic))
    await nora.call(remove, { params: { id: reader.id } })
    expect(await first.closed).toBe(4401)
    await expect(fleet.follow(signedOut, [], reader.key)).rejects.toThrow('HTTP 401')

    const short = await make('luc_read', new Date(fleet.clock.nowMs() + 1000).toISOString())
    const second = await follow(short.key)
    await fleet.pass(600_000)
    expect(await second.closed).toBe(4401)

    const third = await follow((await make('luc_read')).key)
    await root.call(contract.users.change, { params: { id: 'us-nora' }, body: { userType: 'ingest' } })
    expect(await third.closed).toBe(4401)
    await fleet.remove()
  })
})
