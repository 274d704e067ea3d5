import { api as contract } from '@backhaul/contract/api/api'
import { CSRF_COOKIE, SIGN_IN_COOKIE } from '@backhaul/contract/define/endpoint'
import { fault } from '@backhaul/contract/define/errors'
import { createLog } from '@backhaul/runtime/log'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { createCore } from '../../program/core.ts'
import { until } from '../../testing/wait.ts'
import { type Browser, createBrowser, createTestCore, password, type TestCore } from '../../testing.ts'

const hourMs = 3_600_000

describe.each(engines)('signing in on %s', (engine) => {
  let test: TestCore
  beforeEach(async () => {
    test = await createTestCore(engine)
  })
  afterEach(() => test.remove())

  const tryTo = (browser: Browser, username: string, given: string, address = '192.0.2.1') =>
    browser.send({
      method: 'POST',
      url: '/login',
      payload: { username, password: given },
      headers: { 'x-forwarded-for': address },
    })
  const whoAmI = (browser: Browser) => browser.call(contract.client.currentUser, {})
  const lines = () =>
    test.db
      .selectFrom('audit')
      .select(['user_id', 'username', 'action', 'address', 'result'])
      .orderBy('at_ms')
      .execute()

  it('signs in a user by name and password, regardless of the case of the name', async () => {
    const browser = test.browser()
    const response = await tryTo(browser, 'Olivia', password)
    expect(response.statusCode).toBe(200)
    expect(response.json().data).toEqual({ userId: 'us-olivia', csrfToken: browser.cookies.get(CSRF_COOKIE) })
    const [session, csrf] = response.cookies
    expect(session).toMatchObject({ name: SIGN_IN_COOKIE, httpOnly: true, sameSite: 'Lax', path: '/' })
    expect(csrf).toMatchObject({ name: CSRF_COOKIE, sameSite: 'Lax', path: '/' })
    expect(csrf?.httpOnly).toBeUndefined()
    expect((await whoAmI(browser)).username).toBe('olivia')
    expect(await lines()).toEqual([
      {
        user_id: 'us-olivia',
        username: 'olivia',
        action: 'signIns.signIn',
        address: '192.0.2.1',
        result: 'done',
      },
    ])
  })

  it('marks its cookies secure behind TLS', async () => {
    const response = await test.browser().send({
      method: 'POST',
      url: '/login',
      payload: { username: 'olivia', password },
      headers: { 'x-forwarded-proto': 'https' },
    })
    expect(response.cookies.map((cookie) => cookie.secure)).toEqual([true, true, true])
  })

  it('answers a wrong password, an unknown name and a closed account alike', async () => {
    await test.db.updateTable('users').set({ active: 0 }).where('id', '=', 'us-sam').execute()
    const cause = { code: 'signIn.incorrect', params: {} }
    const refused = { code: 401, message: 'Incorrect username or password.', cause }
    for (const [username, given] of [
      ['olivia', 'wrong'],
      ['unknown', password],
      ['sam', password],
    ] as const) {
      const response = await tryTo(test.browser(), username, given)
      expect([response.statusCode, response.json(), response.cookies]).toEqual([401, refused, []])
    }
    expect((await lines()).map(({ username, result }) => [username, result])).toEqual([
      ['olivia', refused.message],
      ['unknown', refused.message],
      ['sam', refused.message],
    ])
  })

  it('refuses an incomplete form', async () => {
    const response = await test
      .browser()
      .send({ method: 'POST', url: '/login', payload: { username: 'olivia' } })
    expect([response.statusCode, response.json().fields]).toEqual([
      400,
      [fault('password', 'field.required')],
    ])
  })

  it('accepts five wrong passwords a minute for one account from one address, existing or not, then refuses the correct one too', async () => {
    for (const username of ['olivia', 'unknown']) {
      for (let attempt = 0; attempt < 5; attempt++) {
        expect((await tryTo(test.browser(), username, 'wrong')).statusCode).toBe(401)
        test.clock.advance(1000)
      }
      const late = await tryTo(test.browser(), username, password)
      expect([late.statusCode, late.headers['retry-after']]).toEqual([429, '55'])
      expect(late.json()).toEqual({
        code: 429,
        message: 'Too many attempts, try again in 55 s.',
        cause: { code: 'request.tooMany', params: { seconds: 55 } },
        params: [55],
      })
    }
    test.clock.advance(60_000)
    expect((await tryTo(test.browser(), 'olivia', password)).statusCode).toBe(200)
  })

  it('blocks no user because an attacker guesses from elsewhere', async () => {
    for (let attempt = 0; attempt < 8; attempt++) await tryTo(test.browser(), 'olivia', 'wrong', '192.0.2.66')
    expect((await tryTo(test.browser(), 'olivia', 'wrong', '192.0.2.66')).statusCode).toBe(429)
    expect((await tryTo(test.browser(), 'olivia', password, '192.0.2.99')).statusCode).toBe(200)
  })

  it('accepts twenty wrong passwords a minute for one account from all addresses, and still a browser that it knows', async () => {
    const known = test.browser()
    const first = await tryTo(known, 'olivia', password, '192.0.2.200')
    expect(first.cookies.find(({ name }) => name.startsWith('backhaul_known_'))).toMatchObject({
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
    })
    const ofSam = test.browser()
    await tryTo(ofSam, 'sam', password, '192.0.2.201')
    for (let attempt = 0; attempt < 20; attempt++)
      expect((await tryTo(test.browser(), 'olivia', 'wrong', `192.0.2.${attempt}`)).statusCode).toBe(401)
    expect((await tryTo(test.browser(), 'olivia', password, '192.0.2.99')).statusCode).toBe(429)
    expect((await tryTo(ofSam, 'olivia', password, '192.0.2.201')).statusCode).toBe(429)
    for (const { name, value } of (await tryTo(ofSam, 'sam', password)).cookies) {
      const olivias = first.cookies.find((one) => one.name.startsWith('backhaul_known_'))?.name ?? ''
      if (name.startsWith('backhaul_known_')) ofSam.cookies.set(olivias, value)
    }
    expect((await tryTo(ofSam, 'olivia', password, '192.0.2.201')).statusCode).toBe(429)
    // Also from an address at which an attacker has used up the limit.
    for (let attempt = 0; attempt < 20; attempt++)
      await tryTo(test.browser(), `guess${attempt}`, 'wrong', '192.0.2.98')
    expect((await tryTo(known, 'olivia', password, '192.0.2.98')).statusCode).toBe(200)
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await tryTo(known, 'olivia', 'wrong', `192.0.2.${attempt}`)).statusCode).toBe(401)
    expect((await tryTo(known, 'olivia', password, '192.0.2.97')).statusCode).toBe(429)
  })

  it('counts in another core of the database too, and makes no user wait for a clock that was set back', async () => {
    for (let attempt = 0; attempt < 5; attempt++) await tryTo(test.browser(), 'olivia', 'wrong')
    const { db, clock, settings } = test
    const log = createLog({ name: 'core', format: 'json', level: 'silent' })
    const other = await createCore({ secretKey: 'k'.repeat(32), settings, db, clock, log, version: '0.1.0' })
    expect((await tryTo(createBrowser(other), 'olivia', password)).statusCode).toBe(429)
    await other.close()
    await db
      .updateTable('attempts')
      .set((eb) => ({ at_ms: eb('at_ms', '+', hourMs) }))
      .execute()
    expect((await tryTo(test.browser(), 'olivia', password)).statusCode).toBe(200)
    expect(await db.selectFrom('attempts').selectAll().execute()).toEqual([])
  })

  it('accepts twenty wrong passwords a minute from one address, which can be a whole IPv6 network', async () => {
    const address = (attempt: number) => `2001:db8:1:2::${attempt}`
    for (let attempt = 0; attempt < 20; attempt++) {
      expect((await tryTo(test.browser(), `guess${attempt}`, 'wrong', address(attempt))).statusCode).toBe(401)
    }
    expect((await tryTo(test.browser(), 'olivia', password, address(99))).statusCode).toBe(429)
    expect((await tryTo(test.browser(), 'olivia', password, '2001:db8:1:3::1')).statusCode).toBe(200)
    for (let attempt = 0; attempt < 20; attempt++)
      await tryTo(test.browser(), `other${attempt}`, 'wrong', `2001:db8::${attempt + 1}:0:0:1`)
    expect((await tryTo(test.browser(), 'olivia', password, '2001:db8::9')).statusCode).toBe(429)
  })

  it('accepts five guesses at the old password of a signed-in user, and no more', async () => {
    const browser = await test.signedIn('olivia')
    const change = (oldPassword: string) => {
      const body = { oldPassword, password: 'Another-one-8', passwordConfirmation: 'Another-one-8' }
      return browser.call(contract.users.changePassword, { body })
    }
    for (let attempt = 0; attempt < 5; attempt++) {
      await expect(change('Wrong-one-1')).rejects.toMatchObject({
        status: 400,
        fields: [fault('oldPassword', 'password.oldWrong')],
      })
    }
    await expect(change(password)).rejects.toMatchObject({ status: 429 })
    expect((await tryTo(test.browser(), 'olivia', password, '127.0.0.1')).statusCode).toBe(429)
    test.clock.advance(60_000)
    await change(password)
    // A fault in the new password alone is not a guess.
    for (let attempt = 0; attempt < 7; attempt++)
      await expect(change('Another-one-8')).rejects.toMatchObject({ fields: [{ field: 'password' }] })
  })

  it('does not count sign-ins with the correct password', async () => {
    for (let attempt = 0; attempt < 30; attempt++) {
      expect((await tryTo(test.browser(), 'olivia', password)).statusCode).toBe(200)
    }
  })

  it('makes new secrets at each sign-in and ends the one that the browser held', async () => {
    const browser = await test.signedIn('olivia')
    const before = new Map(browser.cookies)
    const ended: string[] = []
    test.core.events.on('signInEnded', ({ userId }) => ended.push(userId))
    await tryTo(browser, 'olivia', password)
    expect(browser.cookies.get(SIGN_IN_COOKIE)).not.toBe(before.get(SIGN_IN_COOKIE))
    expect(browser.cookies.get(CSRF_COOKIE)).not.toBe(before.get(CSRF_COOKIE))
    expect(ended).toEqual(['us-olivia'])
    const old = test.browser()
    old.cookies.set(SIGN_IN_COOKIE, before.get(SIGN_IN_COOKIE) ?? '')
    await expect(whoAmI(old)).rejects.toMatchObject({ code: 401 })
  })

  it('ends only this sign-in at sign-out, and removes the cookies', async () => {
    const [here, there] = [await test.signedIn('olivia'), await test.signedIn('olivia')]
    const copy = new Map(here.cookies)
    await expect(test.browser().call(contract.signIns.signOut, {})).rejects.toMatchObject({ code: 401 })
    await here.call(contract.signIns.signOut, {})
    // The cookie that is left only recognises the browser.
    expect([...here.cookies.keys()]).toEqual([expect.stringMatching(/^backhaul_known_/)])
    for (const [name, value] of copy) here.cookies.set(name, value)
    await expect(whoAmI(here)).rejects.toMatchObject({ code: 401 })
    expect((await whoAmI(there)).username).toBe('olivia')
  })

  it('lists where users are signed in, and ends one of them elsewhere or all', async () => {
    const [here, there] = [await test.signedIn('olivia'), await test.signedIn('olivia')]
    const other = await test.signedIn('sam')
    test.clock.advance(120_000)
    const own = await here.call(contract.signIns.own, {})
    expect(own.map(({ isThis }) => isThis)).toEqual([true, false])
    expect(own[0]).toMatchObject({ address: '127.0.0.1', agent: 'lightMyRequest' })
    expect(own[0]!.lastSeenMs - own[0]!.createdMs).toBe(120_000)
    const [others] = await other.call(contract.signIns.own, {})
    for (const id of [others!.id, 'si-nothing']) {
      await expect(here.call(contract.signIns.end, { params: { id } })).rejects.toMatchObject({
        code: 404,
        message: 'Sign-in not found.',
      })
    }
    const ended: string[] = []
    test.core.events.on('signInEnded', ({ signInId }) => ended.push(signInId))
    await here.call(contract.signIns.end, { params: { id: own[1]!.id } })
    expect(ended).toEqual([own[1]!.id])
    await expect(whoAmI(there)).rejects.toMatchObject({ code: 401 })

    const more = [await test.signedIn('olivia'), await test.signedIn('olivia')]
    expect(await here.call(contract.signIns.endOthers, {})).toEqual({ ended: 2 })
    for (const browser of more) await expect(whoAmI(browser)).rejects.toMatchObject({ code: 401 })
    expect((await here.call(contract.signIns.own, {})).map(({ isThis }) => isThis)).toEqual([true])
    expect((await whoAmI(other)).username).toBe('sam')
    const written = (await lines()).filter(({ action }) => action !== 'signIns.signIn')
    expect(written.map(({ action, username, result }) => [action, username, result]).toSorted()).toEqual([
      ['signIns.end', 'olivia', 'Sign-in not found.'],
      ['signIns.end', 'olivia', 'Sign-in not found.'],
      ['signIns.end', 'olivia', 'done'],
      ['signIns.endOthers', 'olivia', 'done'],
    ])
  })

  it('expires a sign-in that was not used for a day, and any after two weeks', async () => {
    const browser = await test.signedIn('olivia')
    for (let day = 0; day < 13; day++) {
      test.clock.pause(23 * hourMs)
      expect((await whoAmI(browser)).username).toBe('olivia')
    }
    const idle = await test.signedIn('sam')
    test.clock.pause(24 * hourMs)
    await expect(whoAmI(idle)).rejects.toMatchObject({ code: 401 })
    await expect(whoAmI(browser)).rejects.toMatchObject({ code: 401 })
    expect(await test.db.selectFrom('sign_ins').select('id').execute()).toEqual([])
    const worker = await test.signedIn('olivia')
    for (let hour = 0; hour < 14 * 24 - 12; hour += 12) {
      test.clock.pause(12 * hourMs)
      await whoAmI(worker)
    }
    test.clock.pause(12 * hourMs)
    await expect(whoAmI(worker)).rejects.toMatchObject({ code: 401 })
  })

  it('keeps the age of sign-ins when the clock is set, and shows their times by the new one', async () => {
    const browser = await test.signedIn('olivia')
    const beganMs = test.clock.nowMs()
    for (const stepMs of [24 * hourMs, -24 * hourMs, 400 * 24 * hourMs, -800 * 24 * hourMs]) {
      test.clock.stepWall(stepMs)
      expect((await whoAmI(browser)).username).toBe('olivia')
    }
    const aheadMs = -400 * 24 * hourMs
    expect(await browser.call(contract.signIns.own, {})).toMatchObject([
      { createdMs: beganMs + aheadMs, lastSeenMs: beganMs + aheadMs },
    ])
    test.clock.pause(24 * hourMs)
    await expect(whoAmI(browser)).rejects.toMatchObject({ code: 401 })
  })

  it('keeps ages across a restart, and prolongs none when the clock was set back meanwhile', async () => {
    const { db, clock, settings } = test
    const log = createLog({ name: 'core', format: 'json', level: 'silent' })
    const browser = await test.signedIn('olivia')
    const beganMs = clock.nowMs()
    const afterStart = async () => {
      const other = await createCore({
        secretKey: 'k'.repeat(32),
        settings,
        db,
        clock,
        log,
        version: '0.1.0',
      })
      await other.start()
      const again = createBrowser(other)
      for (const [name, value] of browser.cookies) again.cookies.set(name, value)
      expect((await whoAmI(again)).username).toBe('olivia')
      await other.close()
      const { created_ms, last_seen_ms, expires_ms } = await db
        .selectFrom('sign_ins')
        .selectAll()
        .executeTakeFirstOrThrow()
      return [created_ms, last_seen_ms, expires_ms]
    }
    await clock.advanceAsync(hourMs)
    await whoAmI(browser)
    clock.stepWall(-hourMs / 2)
    const expiresMs = beganMs + 14 * 24 * hourMs
    expect(await afterStart()).toEqual([beganMs, beganMs + hourMs / 2, expiresMs])
    clock.stepWall(-400 * 24 * hourMs)
    const nowMs = clock.nowMs()
    expect(await afterStart()).toEqual([nowMs, nowMs, nowMs + 14 * 24 * hourMs])
  })

  it('ends what has expired even without a request', async () => {
    await test.signedIn('olivia')
    const ended: string[] = []
    test.core.events.on('signInEnded', ({ userId }) => ended.push(userId))
    await test.clock.advanceAsync(24 * hourMs)
    await test.core.start()
    await test.clock.advanceAsync(hourMs)
    await expect.poll(() => ended).toEqual(['us-olivia'])
    expect(await test.db.selectFrom('sign_ins').select('id').execute()).toEqual([])
  })

  it('refuses a user whose account was closed meanwhile', async () => {
    const browser = await test.signedIn('olivia')
    await test.db.updateTable('users').set({ active: 0 }).where('id', '=', 'us-olivia').execute()
    await expect(whoAmI(browser)).rejects.toMatchObject({ code: 401 })
  })

  it('refuses an old password whose check was under way when the new one was set', async () => {
    const slow = await createTestCore(engine, { hashing: { memoryKib: 8192, passes: 3 } })
    const root = await slow.signedIn('root')
    const body = { password: 'Another-horse-8', passwordConfirmation: 'Another-horse-8' }
    let isSet = false
    const letIn: Browser[] = []
    const set = async () => {
      await until(() => letIn.length > 0)
      await root.call(contract.users.setPassword, { params: { id: 'us-olivia' }, body })
      isSet = true
    }
    const knock = async () => {
      while (!isSet)
        letIn.push(
          ...(await slow.signedIn('olivia').then(
            (browser) => [browser],
            () => [],
          )),
        )
    }
    await Promise.all([set(), ...[1, 2, 3, 4].map(knock)])
    for (const browser of letIn)
      await expect.poll(() => whoAmI(browser).catch((error: unknown) => error)).toMatchObject({ code: 401 })
    await slow.remove()
  })

  it('stores no secret that could be used', async () => {
    const browser = await test.signedIn('olivia')
    const row = await test.db.selectFrom('sign_ins').selectAll().executeTakeFirstOrThrow()
    const kept = JSON.stringify(row)
    expect(kept).not.toContain(browser.cookies.get(SIGN_IN_COOKIE))
    expect(kept).not.toContain(browser.cookies.get(CSRF_COOKIE))
  })

  it('recognises the caller of a socket by its cookie, unless a page of another site opened it', async () => {
    const browser = await test.signedIn('olivia')
    const cookie = `other=1; ${SIGN_IN_COOKIE}=${browser.cookies.get(SIGN_IN_COOKIE)}`
    const callerOf = (headers: Record<string, string>) =>
      test.core.api.callerOfUpgrade({
        headers: { host: 'backhaul.example', ...headers },
        socket: {},
      } as never)
    expect((await callerOf({ cookie }))?.username).toBe('olivia')
    expect((await callerOf({ cookie, origin: 'https://backhaul.example' }))?.username).toBe('olivia')
    expect(await callerOf({ cookie, origin: 'https://evil.example' })).toBeUndefined()
    expect(await callerOf({ cookie, origin: 'null' })).toBeUndefined()
    expect(await callerOf({})).toBeUndefined()
    expect(await callerOf({ cookie: `${SIGN_IN_COOKIE}=guessed` })).toBeUndefined()
  })
})
