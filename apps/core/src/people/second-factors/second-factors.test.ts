import { api as contract } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { type Browser, createTestCore, password, type TestCore } from '../../testing.ts'

const { own, offerTotp, confirmTotp, renewRecoveryCodes, remove, reset, offerPasskey } =
  contract.secondFactors
const { signIn, secondStep } = contract.signIns

describe.each(enginesOfNight)('second factors on %s', (engine) => {
  let test: TestCore
  beforeEach(async () => {
    test = await createTestCore(engine)
  })
  afterEach(() => test.remove())

  const codeOf = (secret: string, stepsAway = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: test.clock.nowMs() + stepsAway * 30_000,
    })
  const nextStep = () => test.clock.advance(30_000)

  async function withApp(username = 'olivia') {
    const browser = await test.signedIn(username)
    const { enrolment, secret, uri } = await browser.call(offerTotp, { body: { password } })
    const code = codeOf(secret)
    const enrolled = await browser.call(confirmTotp, { body: { enrolment, name: 'Phone', code } })
    return { browser, secret, uri, codes: enrolled.recoveryCodes ?? [] }
  }
  async function challenge(browser: Browser, username = 'olivia') {
    const answer = await browser.call(signIn, { body: { username, password } })
    if (!('secondFactor' in answer)) throw new Error('no second factor was required')
    return answer.secondFactor
  }
  const step = (browser: Browser, named: string, code: string, kind: 'totp' | 'recoveryCode' = 'totp') =>
    browser.call(secondStep, { body: { challenge: named, proof: { kind, code } } })
  const isIn = (browser: Browser) =>
    browser.call(contract.client.currentUser, {}).then(
      () => true,
      () => false,
    )
  const lines = async (action: string) =>
    await test.db.selectFrom('audit').select(['username', 'result']).where('action', '=', action).execute()

  it('requires the code of an authenticator app as well as the password', async () => {
    const { secret, uri } = await withApp()
    expect(uri).toMatch(/^otpauth:\/\/totp\/Backhaul:olivia\?/)
    nextStep()
    const browser = test.browser()
    const required = await challenge(browser)
    expect(required).toMatchObject({ kinds: ['totp', 'recoveryCode'], passkeyOptions: null })
    expect([browser.cookies.size, await isIn(browser)]).toEqual([0, false])
    expect(await step(browser, required.challenge, codeOf(secret))).toMatchObject({ userId: 'us-olivia' })
    expect(await isIn(browser)).toBe(true)
    const { factors } = await browser.call(own, {})
    expect(factors).toMatchObject([{ kind: 'totp', name: 'Phone', lastUsedMs: test.clock.nowMs() }])
  })

  it('accepts a code of a clock that is one step off, and no other', async () => {
    const { secret } = await withApp()
    test.clock.advance(300_000)
    const { challenge: named } = await challenge(test.browser())
    for (const away of [-2, 2])
      await expect(step(test.browser(), named, codeOf(secret, away))).rejects.toMatchObject({ code: 401 })
    await step(test.browser(), named, codeOf(secret, -1))
    const again = await challenge(test.browser())
    await step(test.browser(), again.challenge, codeOf(secret, 1))
  })

  it('accepts no code twice, neither that of the enrolment nor two at the same time', async () => {
    const { secret } = await withApp()
    const first = await challenge(test.browser())
    await expect(step(test.browser(), first.challenge, codeOf(secret))).rejects.toMatchObject({ code: 401 })
    nextStep()
    const two = [await challenge(test.browser()), await challenge(test.browser())]
    const results = await Promise.allSettled(
      two.map(({ challenge: named }) => step(test.browser(), named, codeOf(secret))),
    )
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const third = await challenge(test.browser())
    await expect(step(test.browser(), third.challenge, codeOf(secret, -1))).rejects.toMatchObject({
      code: 401,
    })
  })

  it('ends a challenge by its use, by five wrong codes, by time and by another password', async () => {
    const { secret } = await withApp()
    const over = { code: 401, message: 'This sign-in took too long. Start again.' }
    nextStep()
    const used = await challenge(test.browser())
    await step(test.browser(), used.challenge, codeOf(secret))
    nextStep()
    await expect(step(test.browser(), used.challenge, codeOf(secret))).rejects.toMatchObject(over)

    const guessed = await challenge(test.browser())
    for (let attempt = 0; attempt < 5; attempt++)
      await expect(step(test.browser(), guessed.challenge, '000000')).rejects.toMatchObject({
        code: 401,
        message: 'Wrong code.',
      })
    const fresh = await challenge(test.browser())
    await expect(step(test.browser(), fresh.challenge, codeOf(secret))).rejects.toMatchObject({ code: 429 })
    test.clock.advance(60_000)
    await expect(step(test.browser(), guessed.challenge, codeOf(secret))).rejects.toMatchObject(over)
    await step(test.browser(), fresh.challenge, codeOf(secret))

    const kept = await challenge(test.browser())
    test.clock.stepWall(24 * 3_600_000)
    await step(test.browser(), kept.challenge, codeOf(secret))

    const late = await challenge(test.browser())
    test.clock.advance(5 * 60_000)
    test.clock.stepWall(-24 * 3_600_000)
    await expect(step(test.browser(), late.challenge, codeOf(secret))).rejects.toMatchObject(over)

    const before = await challenge(test.browser())
    test.core.events.emit('userShutOut', { userId: 'us-olivia' })
    await expect(step(test.browser(), before.challenge, codeOf(secret))).rejects.toMatchObject(over)
    expect((await lines('signIns.secondStep')).filter(({ result }) => result === 'Wrong code.')).toHaveLength(
      5,
    )
  })

  it('accepts a recovery code while an attacker who has the password guesses codes elsewhere', async () => {
    const { browser, codes } = await withApp()
    const from = async (address: string, named: string, code: string, kind: string, who = test.browser()) => {
      const { statusCode } = await who.send({
        method: 'POST',
        url: '/login/second_factor',
        headers: { 'x-forwarded-for': address },
        payload: { challenge: named, proof: { kind, code } },
      })
      return statusCode
    }
    for (let guess = 0; guess < 10; guess++) {
      const { challenge: named } = await challenge(test.browser())
      expect(await from(`192.0.2.${guess}`, named, '000000', 'totp')).toBe(401)
    }
    const required = await challenge(test.browser())
    expect(await from('192.0.2.98', required.challenge, '000000', 'totp')).toBe(429)
    expect(await from('192.0.2.99', required.challenge, codes[0] ?? '', 'recoveryCode')).toBe(200)
    // A browser that has signed in before is not limited by it.
    const again = await challenge(browser)
    expect(await from('192.0.2.98', again.challenge, '000000', 'totp', browser)).toBe(401)
  })

  it('does not restore a challenge that is being answered while the password is reset', async () => {
    const { codes } = await withApp()
    const { challenge: named } = await challenge(test.browser())
    const { person } = test.core.users
    test.core.users.person = async (id) => {
      test.core.users.person = person
      const found = await person(id)
      const nora = await test.signedIn('nora')
      const fresh = { password: 'Another-one-8', passwordConfirmation: 'Another-one-8' }
      await nora.call(contract.users.setPassword, { params: { id: 'us-olivia' }, body: fresh })
      await expect.poll(() => test.db.selectFrom('challenges').selectAll().execute()).toEqual([])
      return found
    }
    const over = { code: 401, message: 'This sign-in took too long. Start again.' }
    await expect(step(test.browser(), named, 'AAAA-AAAA-AA', 'recoveryCode')).rejects.toMatchObject(over)
    await expect(step(test.browser(), named, codes[0] ?? '', 'recoveryCode')).rejects.toMatchObject(over)
  })

  it('accepts each recovery code once, however it is typed', async () => {
    const { codes } = await withApp()
    expect(new Set(codes).size).toBe(10)
    const [code = ''] = codes
    const first = await challenge(test.browser())
    await step(test.browser(), first.challenge, ` ${code.toUpperCase().replaceAll('-', ' ')}`, 'recoveryCode')
    const second = await challenge(test.browser())
    await expect(step(test.browser(), second.challenge, code, 'recoveryCode')).rejects.toMatchObject({
      code: 401,
    })
    const browser = test.browser()
    await step(browser, second.challenge, codes[1] ?? '', 'recoveryCode')
    expect((await browser.call(own, {})).recoveryCodesLeft).toBe(8)
    const { recoveryCodes } = await browser.call(renewRecoveryCodes, { body: { password } })
    expect(recoveryCodes.filter((one) => codes.includes(one))).toEqual([])
    const third = await challenge(test.browser())
    await expect(step(test.browser(), third.challenge, codes[2] ?? '', 'recoveryCode')).rejects.toMatchObject(
      {
        code: 401,
      },
    )
  })

  it('stores no secret in clear, and none in the audit log', async () => {
    const { secret, codes } = await withApp()
    const kept = JSON.stringify([
      await test.db.selectFrom('second_factors').selectAll().execute(),
      await test.db.selectFrom('recovery_codes').selectAll().execute(),
      await test.db.selectFrom('audit').selectAll().execute(),
    ])
    for (const secretText of [secret, password, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(kept).not.toContain(secretText)
    expect(kept).toContain('secondFactors.confirmTotp')
  })

  it('requires the password before any change, at most five times a minute', async () => {
    const { browser, secret } = await withApp()
    const [factor] = (await browser.call(own, {})).factors
    const params = { id: factor!.id }
    const wrong = { password: 'guess' }
    for (const refused of [
      () => browser.call(offerTotp, { body: wrong }),
      () => browser.call(offerPasskey, { body: wrong }),
      () => browser.call(renewRecoveryCodes, { body: wrong }),
      () => browser.call(remove, { params, body: wrong }),
    ])
      await expect(refused()).rejects.toMatchObject({ code: 400, fields: [{ field: 'password' }] })
    await expect(browser.call(offerTotp, { body: wrong })).rejects.toMatchObject({ code: 400 })
    await expect(browser.call(remove, { params, body: { password } })).rejects.toMatchObject({ code: 429 })
    test.clock.advance(60_000)
    const sam = await test.signedIn('sam')
    await expect(sam.call(remove, { params, body: { password } })).rejects.toMatchObject({ code: 404 })
    await browser.call(remove, { params, body: { password } })
    expect(await browser.call(own, {})).toEqual({ factors: [], recoveryCodesLeft: 0 })
    expect(await test.browser().call(signIn, { body: { username: 'olivia', password } })).toMatchObject({
      userId: 'us-olivia',
    })
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  })

  it('stores an app only with a correct code, and only for the user to whom it was offered', async () => {
    const [olivia, sam] = [await test.signedIn('olivia'), await test.signedIn('sam')]
    const { enrolment, secret } = await olivia.call(offerTotp, { body: { password } })
    const body = { enrolment, name: 'Phone', code: '000000' }
    await expect(olivia.call(confirmTotp, { body })).rejects.toMatchObject({
      fields: [fault('code', 'secondFactor.wrongCode')],
    })
    const right = { ...body, code: codeOf(secret) }
    await olivia.call(confirmTotp, { body: right })
    await expect(olivia.call(confirmTotp, { body: right })).rejects.toMatchObject({ code: 409 })
    const other = await olivia.call(offerTotp, { body: { password } })
    await expect(
      sam.call(confirmTotp, { body: { ...right, enrolment: other.enrolment } }),
    ).rejects.toMatchObject({ code: 409 })
    expect((await olivia.call(own, {})).factors).toHaveLength(1)
    test.clock.advance(60_000)
    const guess = { ...body, enrolment: (await olivia.call(offerTotp, { body: { password } })).enrolment }
    for (let attempt = 0; attempt < 5; attempt++)
      await expect(olivia.call(confirmTotp, { body: guess })).rejects.toMatchObject({ code: 400 })
    await expect(olivia.call(confirmTotp, { body: guess })).rejects.toMatchObject({ code: 429 })
  })

  it('leaves the second factors of enterprise users to their provider', async () => {
    const olivia = await test.signedIn('olivia')
    await test.db.updateTable('users').set({ sso: 1 }).where('id', '=', 'us-olivia').execute()
    await expect(olivia.call(offerTotp, { body: { password } })).rejects.toMatchObject({ code: 403 })
  })

  it('lets an administrator remove those of users with fewer rights, within their customers, and signs them out', async () => {
    const { browser: lost } = await withApp()
    await withApp('sam')
    await withApp('root')
    const [nora, reed] = [await test.signedIn('nora'), await test.signedIn('reed')]
    const resetOf = (id: string, browser = nora) => browser.call(reset, { params: { id } })
    await expect(resetOf('us-olivia', reed)).rejects.toMatchObject({ code: 403 })
    await expect(resetOf('us-sam')).rejects.toMatchObject({ code: 404 })
    await expect(resetOf('us-root')).rejects.toMatchObject({ code: 403 })
    await expect(resetOf('us-nora')).rejects.toMatchObject({ code: 409 })
    const waiting = await challenge(test.browser())
    expect(await isIn(lost)).toBe(true)
    expect(await resetOf('us-olivia')).toEqual({ removed: 1 })
    await expect.poll(() => isIn(lost)).toBe(false)
    await expect(step(test.browser(), waiting.challenge, '123456')).rejects.toMatchObject({ code: 401 })
    expect(await isIn(await test.signedIn('olivia'))).toBe(true)
    const done = (await lines('secondFactors.reset')).filter(({ result }) => result === 'done')
    expect(done).toEqual([{ username: 'nora', result: 'done' }])
    const codes = await test.db.selectFrom('recovery_codes').select('user_id').distinct().execute()
    expect(codes.map(({ user_id }) => user_id).toSorted()).toEqual(['us-root', 'us-sam'])
  })

  it("refuses a browser's answer that matches no challenge", async () => {
    const browser = await test.signedIn('olivia')
    const { enrolment, options } = await browser.call(offerPasskey, { body: { password } })
    expect(options).toMatchObject({ rp: { id: 'localhost' }, user: { name: 'olivia' } })
    const body = { enrolment, name: 'Key', response: { id: 'made-up' } }
    const { enrolment: other } = await browser.call(offerPasskey, { body: { password } })
    const sam = await test.signedIn('sam')
    await expect(
      sam.call(contract.secondFactors.confirmPasskey, { body: { ...body, enrolment: other } }),
    ).rejects.toMatchObject({ code: 409 })
    await expect(browser.call(contract.secondFactors.confirmPasskey, { body })).rejects.toMatchObject({
      code: 400,
      fields: [{ field: 'response' }],
    })
    await withApp()
    const { challenge: named } = await challenge(test.browser())
    const proof = { kind: 'passkey', response: { id: 'made-up' } } as const
    await expect(
      test.browser().call(secondStep, { body: { challenge: named, proof } }),
    ).rejects.toMatchObject({ code: 401 })
  })
})
