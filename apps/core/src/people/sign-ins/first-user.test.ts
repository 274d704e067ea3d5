import { api as contract } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { ensureInstallation } from '../../program/installation.ts'
import { createTestCore, password, type TestCore } from '../../testing.ts'

const { firstRun, makeFirstUser, signIn } = contract.signIns
const setupCode = 'Open-sesame-12'
const ada = { setupCode, username: 'ada', password, firstName: 'Ada', lastName: 'First' }

describe.each(engines)('the first user on %s', (engine) => {
  let test: TestCore
  beforeEach(async () => {
    test = await createTestCore(engine)
    for (const table of ['user_groups', 'user_inventories', 'users', 'groups', 'inventories'] as const) {
      await test.db.deleteFrom(table).execute()
    }
  })
  afterEach(() => test.remove())

  const install = (adminPassword?: string) =>
    ensureInstallation(test.core, { adminPassword, setupCode, demo: 0 })
  const make = (more: Partial<typeof ada> = {}) =>
    test.browser().call(makeFirstUser, { body: { ...ada, ...more } })
  const isWanted = async () => (await test.browser().call(firstRun, {})).isWanted

  it('is a super user, admitted by the setup code and signed in immediately', async () => {
    expect(await install()).toEqual({ setupCode })
    expect(await isWanted()).toBe(true)
    const browser = test.browser()
    await browser.call(makeFirstUser, { body: { ...ada, setupCode: ` ${setupCode}\n` } })
    const user = await browser.call(contract.client.currentUser, {})
    expect(user).toMatchObject({ username: 'ada', roles: ['super_user'], inventories: ['home'] })
    await test.signedIn('ada')
    expect(await isWanted()).toBe(false)
    const lines = await test.db.selectFrom('audit').select(['username', 'action', 'result']).execute()
    expect(lines).toContainEqual({ username: 'ada', action: 'signIns.makeFirstUser', result: 'done' })
  })

  it('is refused with a wrong code, and for a minute after five of them', async () => {
    await install()
    const wrong = { code: 400, fields: [fault('setupCode', 'installation.wrongCode')] }
    for (let attempt = 0; attempt < 5; attempt++)
      await expect(make({ setupCode: 'guess' })).rejects.toMatchObject(wrong)
    await expect(make()).rejects.toMatchObject({ code: 429 })
    expect(await test.core.users.hasAny()).toBe(false)
    test.clock.advance(60_000)
    await make()
  })

  it('follows the rules of every user', async () => {
    await install()
    for (const [field, value] of [
      ['username', 'a'],
      ['password', 'Short-1'],
      ['password', 'no-capital-1'],
      ['firstName', 'ada'],
      ['lastName', ''],
    ] as const) {
      await expect(make({ [field]: value })).rejects.toMatchObject({
        code: 400,
        fields: [expect.objectContaining({ field })],
      })
    }
  })

  it('is only one, however many try at the same time', async () => {
    await install()
    const names = ['ada', 'bob', 'cyd', 'dan']
    const results = await Promise.allSettled(names.map((username) => make({ username })))
    expect(results.map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
    ])
    for (const result of results) {
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({
          code: 409,
          message: 'This installation already has its first user.',
        })
    }
    expect(await test.db.selectFrom('users').select('id').execute()).toHaveLength(1)
    await expect(make({ username: 'eve' })).rejects.toMatchObject({ code: 409 })
  })

  it('is admin where the password was given, and the setup page is closed', async () => {
    expect(await install('Given-password-1')).toEqual({})
    expect(await isWanted()).toBe(false)
    await expect(make()).rejects.toMatchObject({ code: 409 })
    await test.browser().call(signIn, { body: { username: 'admin', password: 'Given-password-1' } })
  })
})
