import { api } from '@backhaul/contract/api/api'
import { texts } from '@backhaul/contract/define/texts'
import { invitationPeriodMs } from '@backhaul/contract/nouns/invitations'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { createTestFleet, type TestFleet } from '../../testing/fleet.ts'
import type { Browser } from '../../testing.ts'

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

  it('admit one unit by the code, for as long as the period', async () => {
    const made = await nora.call(api.invitations.create, { params, body: { period: '3 days' } })
    expect(Date.parse(made.expiresAt)).toBe(fleet.clock.nowMs() + invitationPeriodMs['3 days'])
    const unit = await fleet.unit('LON-09', { registrationKey: made.code })
    const member = () => fleet.core.fleet.devices.memberships.groupsOf('unit', unit.id)
    await expect.poll(member).toEqual(['london'])
  })

  it('come by e-mail, a code of his own for each recipient, under the words of who invites', async () => {
    const recipients = ['crew@north.example', 'van@north.example', 'crew@north.example']
    const body = { recipients, period: '1 week' as const, text: 'See you in Leeds.' }
    await nora.call(api.invitations.email, { params, body })
    const letters = await mails()
    expect(letters.map(({ recipient }) => recipient).toSorted()).toEqual([...new Set(recipients)].toSorted())
    const codes = letters.map(({ text }) => /Pairing code: (\S+)/.exec(text)?.[1] ?? '')
    expect(new Set(codes).size).toBe(2)
    expect(letters[0]).toMatchObject({
      subject: 'Invitation to London-News',
      state: 'waiting',
      text: expect.stringMatching(/^See you in Leeds\.\n/),
    })
    await fleet.unit('LON-10', { registrationKey: codes[0] ?? '' })
  })

  it('are refused with the field and the rule, and then nothing is sent', async () => {
    const send = (changes: object) =>
      nora.call(api.invitations.email, {
        params,
        body: { recipients: ['crew@north.example'], period: '1 day', text: '', ...changes },
      })
    await expect(send({ recipients: ['crew@north.example', 'nobody'] })).rejects.toMatchObject({
      status: 400,
      fields: [{ field: 'recipients.1', message: texts.email }],
    })
    await expect(send({ recipients: [] })).rejects.toMatchObject({
      fields: [{ field: 'recipients', message: texts.required }],
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
