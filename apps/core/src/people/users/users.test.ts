import { api as contract } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { ensureInstallation } from '../../program/installation.ts'
import { createTestCore, password, type TestCore } from '../../testing.ts'

const { currentUser, contact, saveContact } = contract.client

describe.each(engines)('users on %s', (engine) => {
  let test: TestCore
  beforeEach(async () => {
    test = await createTestCore(engine)
  })
  afterEach(() => test.remove())

  it('[USER-001] [USER-002] shows users their own data, without the password', async () => {
    const olivia = await test.signedIn('olivia')
    const user = await olivia.call(currentUser, {})
    expect(user).toMatchObject({
      id: 'us-olivia',
      username: 'olivia',
      firstName: 'Olivia',
      userType: 'regular',
      roles: ['luc_regular'],
      active: true,
      inventories: ['north'],
      groups: ['london'],
    })
    expect(JSON.stringify(user)).not.toContain('argon2')
  })

  it('[USER-002] lets users change their contact data, and records who did', async () => {
    const olivia = await test.signedIn('olivia')
    const body = { email: 'o.hart@north.example', phone: '442071234567', firstName: 'Éva', lastName: 'Hart' }
    expect(await olivia.call(saveContact, { body })).toEqual(body)
    expect(await olivia.call(contact, {})).toEqual(body)
    const line = await test.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'client.saveContact')
      .executeTakeFirstOrThrow()
    expect(line).toMatchObject({
      user_id: 'us-olivia',
      username: 'olivia',
      object_kind: 'users',
      object_id: 'us-olivia',
      address: '127.0.0.1',
      result: 'done',
      at_ms: test.clock.nowMs(),
    })
    expect(JSON.parse(line.details)).toEqual(body)
  })

  it('refuses an address that another user has, and records that too', async () => {
    const olivia = await test.signedIn('olivia')
    const body = { email: 'SAM@north.example', phone: '', firstName: 'Olivia', lastName: 'Hart' }
    await expect(olivia.call(saveContact, { body })).rejects.toMatchObject({
      code: 409,
      message: 'Email used by a different user.',
      fields: [fault('email', 'user.emailTaken')],
    })
    const line = await test.db
      .selectFrom('audit')
      .select(['result', 'cause'])
      .where('action', '=', 'client.saveContact')
      .executeTakeFirstOrThrow()
    expect(line.result).toBe('Email used by a different user.')
    expect(JSON.parse(line.cause ?? '')).toEqual({ code: 'user.emailTaken', params: {} })
  })

  it('[USER-002] leaves enterprise users to their IT administrator', async () => {
    const olivia = await test.signedIn('olivia')
    await test.db.updateTable('users').set({ sso: 1 }).where('id', '=', 'us-olivia').execute()
    const body = { email: '', phone: '', firstName: 'Olivia', lastName: 'Hart' }
    await expect(olivia.call(saveContact, { body })).rejects.toMatchObject({ code: 403 })
  })

  it('adds a user once, also with two requests at the same time', async () => {
    const user = {
      username: 'Zoe',
      password,
      userType: 'regular',
      firstName: 'Zoe',
      lastName: 'Hart',
    } as const
    const add = (id: string) =>
      test.core.users.ensure({ ...user, id, inventories: ['north'], groups: ['london'] })
    const added = await Promise.all([add('us-z1'), add('us-z2'), add('us-z3')])
    expect(added.filter(Boolean)).toHaveLength(1)
    expect(await test.core.users.withPassword('zoe', password)).toMatchObject({ username: 'Zoe' })
  })

  it('applies the extra roles of a user', async () => {
    const [firstName, lastName] = ['Zoe', 'Hart']
    const user = {
      id: 'us-zoe',
      username: 'zoe',
      password,
      firstName,
      lastName,
      inventories: ['north'],
      groups: [],
    }
    await test.core.users.ensure({ ...user, userType: 'regular', extraRoles: ['luc_admin'] })
    const zoe = await test.signedIn('zoe')
    expect((await zoe.call(currentUser, {})).roles).toEqual(['luc_regular', 'luc_admin'])
    expect((await zoe.call(contract.client.lightGroups, {})).map(({ uid }) => uid)).toEqual([
      'leeds',
      'london',
    ])
  })

  it('sets up a new installation once', async () => {
    const given = { adminPassword: undefined, setupCode: undefined }
    expect(await ensureInstallation(test.core, { ...given, demo: 0 })).toEqual({})
    for (const table of ['user_groups', 'user_inventories', 'users', 'groups', 'inventories'] as const) {
      await test.db.deleteFrom(table).execute()
    }
    const { madePassword = '' } = await ensureInstallation(test.core, { ...given, demo: 1 })
    expect(madePassword).toMatch(/^\w{20}$/)
    expect(await test.core.users.withPassword('admin', madePassword)).toMatchObject({ roles: ['super_user'] })
    expect(await ensureInstallation(test.core, { ...given, adminPassword: 'another', demo: 0 })).toEqual({})
    expect(await test.core.users.withPassword('admin', 'another')).toBeUndefined()
  })
})
