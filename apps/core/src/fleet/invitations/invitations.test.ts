import { api } from '@backhaul/contract/api/api'
import { CSRF_COOKIE, pathOf } from '@backhaul/contract/define/endpoint'
import { fault } from '@backhaul/contract/define/errors'
import { invitationPeriodMs } from '@backhaul/contract/nouns/invitations'
import { createLog } from '@backhaul/runtime/log'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { createCore } from '../../program/core.ts'
import { createTestFleet, type TestFleet } from '../../testing/fleet.ts'
import { type Browser, createBrowser } from '../../testing.ts'

describe.each(engines)('invitations on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    nora = await fleet.signedIn('nora')
  })
  afterEach(() => fleet.remove())

  const params = { currentGroup: 'london' }
  const mails = async () => (await nora.call(api.outbox.list, { query: {} })).items

  it('[GROUP-005] admit one unit by the code, for as long as the period', async () => {
    const made = await nora.call(api.invitations.create, { params, body: { period: '3 days' } })
    expect(Date.parse(made.expiresAt)).toBe(fleet.clock.nowMs() + invitationPeriodMs['3 days'])
    const unit = await fleet.unit('LON-09', { registrationKey: made.code })
    const member = () => fleet.core.devices.memberships.groupsOf('unit', unit.id)
    await expect.poll(member).toEqual(['london'])
  })

  it('open by their link without a sign-in, and show when they have expired', async () => {
    const body = { period: '1 day' } as const
    const [used, late] = await Promise.all(
      [1, 2].map(() => nora.call(api.invitations.create, { params, body })),
    )
    if (!used || !late) throw new Error('no codes')
    expect(used.link).toEqual(expect.stringMatching(new RegExp(`^http://[^/]+/join#${used.code}$`)))
    const look = (code: string) => fleet.browser().call(api.invitations.look, { body: { code } })
    const open = { group: 'London-News', state: 'open', expiresAt: used.expiresAt }
    expect(await look(used.code.toLowerCase().replace('-', ' '))).toEqual(open)
    await fleet.unit('LON-11', { registrationKey: used.code })
    expect(await look(used.code)).toEqual({ ...open, state: 'used' })
    const isOver = { expires_ms: fleet.clock.nowMs() }
    await fleet.db.updateTable('pairing_codes').set(isOver).where('used_by_device_id', 'is', null).execute()
    expect(await look(late.code)).toMatchObject({ group: 'London-News', state: 'expired' })
  })

  it('cannot be guessed: an address that fails ten times waits a minute', async () => {
    const { code } = await nora.call(api.invitations.create, { params, body: { period: '1 day' } })
    const look = (body: { code: string }) => fleet.browser().call(api.invitations.look, { body })
    for (let at = 0; at < 10; at += 1)
      await expect(look({ code: `2222-222${at}` })).rejects.toMatchObject({ status: 404 })
    await expect(look({ code })).rejects.toMatchObject({ status: 429, cause: { params: { seconds: 60 } } })
    // Another core of the same database counts them too.
    const { db, clock, settings } = fleet
    const log = createLog({ name: 'core', format: 'json', level: 'silent' })
    const other = await createCore({ secretKey: 'k'.repeat(32), settings, db, clock, log, version: '0.1.0' })
    const refused = createBrowser(other).call(api.invitations.look, { body: { code } })
    await expect(refused).rejects.toMatchObject({ status: 429 })
    await other.close()
    // A minute of waiting, also when the machine's clock is set back meanwhile.
    fleet.clock.stepWall(-3_600_000)
    await fleet.pass(61_000)
    expect(await look({ code })).toMatchObject({ state: 'open' })
    const statusFrom = (remoteAddress: string, given: string) =>
      fleet
        .browser()
        .send({
          method: 'POST',
          url: pathOf(api.invitations.look, {}),
          payload: { code: given },
          headers: { 'application-id': 'test' },
          remoteAddress,
        })
        .then(({ statusCode }) => statusCode)
    for (let at = 0; at < 10; at += 1)
      expect(await statusFrom(`2001:db8::${at + 1}:0:0:1`, `2222-222${at}`)).toBe(404)
    expect(await statusFrom('2001:db8:0:0:9:9:9:9', code)).toBe(429)
    expect(await statusFrom('2001:db8:0:1::1', code)).toBe(200)
  })

  it('[GROUP-005] are sent by SMS, short, to numbers in any notation', async () => {
    const recipients = ['+44 7700-900001', '+447700900001', '+4915112345678']
    await nora.call(api.invitations.sms, { params, body: { recipients, period: '1 day', text: '' } })
    const sent = await mails()
    expect(sent.map(({ kind, recipient }) => [kind, recipient]).toSorted()).toEqual([
      ['sms', '+447700900001'],
      ['sms', '+4915112345678'],
    ])
    const [, code = '', link = ''] =
      /^London-News: code (\S+) until .* UTC\. (\S+)$/.exec(sent[0]?.text ?? '') ?? []
    expect(link).toMatch(new RegExp(`/join#${code}$`))
    await fleet.unit('LON-12', { registrationKey: code })
  })

  it('link to the public address, regardless of the host in the request', async () => {
    const elsewhere = await createTestFleet(engine, { publicUrl: 'https://tv.example' })
    const chief = await elsewhere.signedIn('nora')
    const send = (call: string, payload: object) =>
      chief.send({
        method: 'POST',
        url: pathOf(api.invitations[call as 'email'], params),
        headers: {
          host: 'evil.example',
          'x-forwarded-host': 'evil.example',
          'application-id': 'test',
          'x-csrf-token': chief.cookies.get(CSRF_COOKIE) ?? '',
        },
        payload,
      })
    const made = (await send('create', { period: '1 day' })).json() as { data: { link: string } }
    expect(made.data.link).toMatch(/^https:\/\/tv\.example\/join#/)
    await send('email', { recipients: ['crew@north.example'], period: '1 day' })
    await send('sms', { recipients: ['+447700900001'], period: '1 day' })
    const { items } = await chief.call(api.outbox.list, { query: {} })
    expect(items).toHaveLength(2)
    for (const { text } of items) {
      expect(text).toContain('https://tv.example/join#')
      expect(text).not.toContain('evil')
    }
    await elsewhere.remove()
  })

  it('are refused at the first invalid number', async () => {
    for (const number of ['07700900001', '+44', '+44 7700 ABC', '+0123456789'])
      await expect(
        nora.call(api.invitations.sms, {
          params,
          body: { recipients: ['+447700900001', number], period: '1 day', text: '' },
        }),
      ).rejects.toMatchObject({
        status: 400,
        fields: [{ field: 'recipients.1', cause: { code: 'phone.invalid' } }],
      })
    const tooMany = Array.from({ length: 51 }, (_, at) => `+4477009000${String(at).padStart(2, '0')}`)
    await expect(
      nora.call(api.invitations.sms, { params, body: { recipients: tooMany, period: '1 day', text: '' } }),
    ).rejects.toMatchObject({ fields: [{ field: 'recipients', message: 'Select at most 50 items.' }] })
    expect(await mails()).toEqual([])
  })

  it('[GROUP-005] are sent by e-mail, with a separate code for each recipient, below the text of the sender', async () => {
    const recipients = ['crew@north.example', 'van@north.example', 'crew@north.example']
    const body = { recipients, period: '1 week' as const, text: 'See you in Leeds.' }
    await nora.call(api.invitations.email, { params, body })
    const sent = await mails()
    expect(sent.map(({ recipient }) => recipient).toSorted()).toEqual([...new Set(recipients)].toSorted())
    const codes = sent.map(({ text }) => /Pairing code: (\S+)/.exec(text)?.[1] ?? '')
    expect(new Set(codes).size).toBe(2)
    expect(sent[0]).toMatchObject({
      subject: 'Invitation to London-News',
      state: 'waiting',
      text: expect.stringMatching(/^See you in Leeds\.\n/),
    })
    await fleet.unit('LON-10', { registrationKey: codes[0] ?? '' })
  })

  it('are refused with the field and the rule, and nothing is sent', async () => {
    const send = (changes: object) =>
      nora.call(api.invitations.email, {
        params,
        body: { recipients: ['crew@north.example'], period: '1 day', text: '', ...changes },
      })
    await expect(send({ recipients: ['crew@north.example', 'no-address'] })).rejects.toMatchObject({
      status: 400,
      fields: [fault('recipients.1', 'address.email')],
    })
    await expect(send({ recipients: [] })).rejects.toMatchObject({
      fields: [fault('recipients', 'field.required')],
    })
    await expect(send({ period: 'for ever' })).rejects.toMatchObject({
      status: 400,
      fields: [{ field: 'period' }],
    })
    const elsewhere = { params: { currentGroup: 'cairo' }, body: { period: '1 day' as const } }
    await expect(nora.call(api.invitations.create, elsewhere)).rejects.toMatchObject({ status: 404 })
    expect(await mails()).toEqual([])
  })
})
