// Invitations of a group, and its permanent key: by the calls, at the gateway, and by the clock.

import { api } from '@backhaul/contract/api/api'
import {
  APPLICATION_ID_HEADER,
  CSRF_COOKIE,
  CSRF_HEADER,
  REST_BASE,
} from '@backhaul/contract/define/endpoint'
import { fault } from '@backhaul/contract/define/errors'
import { keyPeriodMs } from '@backhaul/contract/nouns/registration-keys'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestFleet } from '../../testing/fleet.ts'
import type { Browser } from '../../testing.ts'
import { checkPeriodMs } from './due-jobs.ts'

describe.each(enginesOfNight)('registration keys on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  beforeAll(async () => {
    fleet = await createTestFleet(engine)
    nora = await fleet.signedIn('nora')
  })
  afterAll(() => fleet.remove())

  const params = { currentGroup: 'london' }
  const key = () => nora.call(api.invitations.permanent, { params, query: {} })
  type Change = { regenerate?: true | 'never' | 'daily' | 'weekly' | 'monthly' }
  const change = (body: Change) => nora.call(api.invitations.setPermanent, { params, query: {}, body })
  const madeMs = (ms: number) =>
    fleet.db.updateTable('groups').set({ key_made_ms: ms }).where('id', '=', 'london').execute()

  const turns = () =>
    fleet.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'groups.turnRegistrationKey')
      .orderBy('at_ms')
      .execute()

  async function refused(name: string, registrationKey: string): Promise<string | undefined> {
    const device = await fleet.dial()
    const identity = { kind: 'unit', product: 'LU-600', serialNumber: `sn-${name}`, name, swVersion: '7.3.0' }
    device.send({ type: 'register', protocol: 1, ...identity, registrationKey })
    await device.gone()
    return device.newest('refused')?.message
  }

  it('[GROUP-004] are renewed immediately, and the old key admits no device from then on', async () => {
    const before = await key()
    expect(before).toMatchObject({ key: 'key-london', regenerate: 'never', endsAt: null })
    await fleet.unit('LON-20', { registrationKey: before.key })
    const after = await change({ regenerate: true })
    expect(after.key).not.toBe(before.key)
    expect(await refused('LON-21', before.key)).toBe('registrationKey: Unknown registration key.')
    await fleet.unit('LON-21', { registrationKey: after.key })
    const lines = await fleet.db.selectFrom('audit').select('details').execute()
    expect(JSON.stringify(lines)).not.toContain(after.key)
  })

  it.each(['daily', 'weekly', 'monthly'] as const)(
    '[GROUP-004] are renewed %s by core itself, once, with a line in the audit log',
    async (schedule) => {
      const linesBefore = (await turns()).length
      const before = await change({ regenerate: schedule })
      const { key_made_ms: since } = await fleet.db
        .selectFrom('groups')
        .select('key_made_ms')
        .where('id', '=', 'london')
        .executeTakeFirstOrThrow()
      expect(before.endsAt).toBe(new Date(since + keyPeriodMs[schedule]).toISOString())
      await madeMs(fleet.clock.nowMs() - keyPeriodMs[schedule] + checkPeriodMs / 2)
      await fleet.unit(`LON-${schedule}`, { registrationKey: before.key })
      fleet.clock.advance(checkPeriodMs)
      const stored = async () =>
        (await fleet.core.groups.find('london'))?.registrationKey === before.key ? 'old' : 'new'
      await expect.poll(stored).toBe('new')
      expect(await refused('LON-23', before.key)).toBe('registrationKey: Unknown registration key.')
      const { key: after } = await key()
      fleet.clock.advance(checkPeriodMs)
      expect((await key()).key).toBe(after)
      await expect.poll(async () => (await turns()).length - linesBefore).toBe(1)
      expect((await turns()).at(-1)).toMatchObject({
        object_id: 'london',
        inventory_id: 'north',
        result: 'done',
      })
    },
  )

  it('[GROUP-004] are refused as soon as they expire, before core renews them', async () => {
    const before = await change({ regenerate: 'daily' })
    await madeMs(fleet.clock.nowMs() - keyPeriodMs.daily)
    expect(await refused('LON-24', before.key)).toBe('registrationKey: Unknown registration key.')
    const { key: after } = await key()
    expect(after).not.toBe(before.key)
    await fleet.unit('LON-24', { registrationKey: after })
  })

  it('[GROUP-004] are renewed at the start of core when they came due while it was down', async () => {
    const before = await change({ regenerate: 'weekly' })
    await madeMs(fleet.clock.nowMs() - keyPeriodMs.weekly)
    await fleet.restart()
    const stored = async () => (await fleet.core.groups.find('london'))?.registrationKey
    await expect.poll(stored).not.toBe(before.key)
    nora = await fleet.signedIn('nora')
  })

  it('[GROUP-004] start a schedule with the present key, unless it is older than the schedule allows', async () => {
    await change({ regenerate: 'never' })
    const young = await change({ regenerate: true })
    expect((await change({ regenerate: 'monthly' })).key).toBe(young.key)
    await madeMs(fleet.clock.nowMs() - keyPeriodMs.weekly)
    expect((await change({ regenerate: 'monthly' })).key).toBe(young.key)
    expect((await change({ regenerate: 'weekly' })).key).not.toBe(young.key)
  })

  it('[GROUP-004] are changed by query or body, and a read makes no new one', async () => {
    const send = async (method: 'GET' | 'PUT', path: string, payload?: object) => {
      const headers = {
        [APPLICATION_ID_HEADER]: 'test',
        [CSRF_HEADER]: nora.cookies.get(CSRF_COOKIE) ?? '',
      }
      const url = `${REST_BASE}/groups/london/${path}`
      const response = await nora.send({ method, url, headers, ...(payload && { payload }) })
      return response.json()
    }
    expect(await send('PUT', 'permanent?regenerate=weekly')).toMatchObject({ data: { regenerate: 'weekly' } })
    const { key: before } = await key()
    expect((await send('PUT', 'permanent?regenerate=true', { regenerate: 'monthly' })).data).toMatchObject({
      key: expect.not.stringMatching(before),
      regenerate: 'monthly',
    })
    expect(await send('GET', 'permanent?regenerate=true')).toMatchObject({
      code: 400,
      fields: [{ field: 'regenerate' }],
    })
    expect(await send('PUT', 'permanent', {})).toMatchObject({
      code: 400,
      fields: [fault('regenerate', 'field.required')],
    })
    expect(await send('PUT', 'permanent', { regenerate: 'hourly' })).toMatchObject({ code: 400 })
    expect(await send('PUT', 'adhoc?mode=sms')).toMatchObject({ data: { mode: 'sms', isConnected: false } })
    expect(await send('GET', 'adhoc?mode=link')).toMatchObject({ data: { mode: 'sms', isConnected: true } })
    expect(await send('PUT', 'adhoc', {})).toMatchObject({ fields: [{ field: 'mode' }] })
    expect(await send('PUT', 'adhoc', { mode: 'pigeon' })).toMatchObject({ code: 400 })
  })

  it('[GROUP-004] leave invitations to the mode of the group, which refuses all of them where it is off', async () => {
    const group = (id = 'london') => nora.call(api.groupAdministration.one, { params: { id } })
    expect((await group('leeds')).adhocInvitation).toEqual({ mode: 'link' })
    await nora.call(api.invitations.setAdhoc, { params, query: {}, body: { mode: 'off' } })
    expect(await group()).toMatchObject({ adhocInvitation: { mode: 'off' } })
    const invitation = { period: '1 day', text: '' } as const
    for (const call of [
      () => nora.call(api.invitations.create, { params, body: { period: '1 day' } }),
      () =>
        nora.call(api.invitations.email, { params, body: { ...invitation, recipients: ['a@b.example'] } }),
      () =>
        nora.call(api.invitations.sms, { params, body: { ...invitation, recipients: ['+447700900001'] } }),
    ])
      await expect(call()).rejects.toMatchObject({ status: 409, cause: { code: 'invitation.off' } })
    await nora.call(api.invitations.setAdhoc, { params, query: {}, body: { mode: 'email' } })
    await nora.call(api.invitations.create, { params, body: { period: '3 days' } })
  })
})
