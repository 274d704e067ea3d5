import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { english } from '@backhaul/contract/define/refusals'
import { defaultAlertsConfiguration } from '@backhaul/contract/nouns/alert-configuration'
import {
  ALERT_MAIL_DELAY_MS,
  ALERT_MAIL_PAUSE_MS,
  VERIFICATION_LASTS_MS,
} from '@backhaul/contract/nouns/recipients'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, sampleOf, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const calls = api.recipients
const desk = 'desk@north.example'

describe.each(enginesOfNight)('e-mail recipients of a group on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine, { publicUrl: 'https://tv.example' })
    nora = await fleet.signedIn('nora')
  })
  afterEach(() => fleet.remove())

  const params = { id: 'london' }
  const name = async (...emailRecipients: string[]) =>
    (await nora.call(api.groupAdministration.change, { params, body: { emailRecipients } })).emailRecipients
  const recipients = async () => (await nora.call(api.groupAdministration.one, { params })).emailRecipients
  const emails = async (recipient = desk) => {
    const { items } = await nora.call(api.outbox.list, { query: { search: recipient } })
    return items
  }
  const newestToken = async () =>
    /https:\/\/tv\.example\/verify#(\S+)/.exec((await emails())[0]?.text ?? '')?.[1] ?? ''
  const verify = (token: string) => fleet.browser().call(calls.verify, { params: { token } })
  const sendAgain = (email = desk) => nora.call(calls.sendVerification, { params: { ...params, email } })

  it('[ALERT-004] are verified by the link in their e-mail, within 72 hours', async () => {
    expect(VERIFICATION_LASTS_MS).toBe(72 * 3_600_000)
    const linkEndsAt = new Date(fleet.clock.nowMs() + VERIFICATION_LASTS_MS).toISOString()
    expect(await name(desk)).toEqual([{ email: desk, verified: false, linkEndsAt }])
    const [email] = await emails()
    expect(email).toMatchObject({
      subject: 'Alerts of London-News: verify your address',
      text: expect.stringContaining('within 72 hours'),
    })
    const first = await newestToken()
    await expect(verify('guessed')).rejects.toMatchObject({ status: 404, message: 'Link not found.' })

    // An expired link verifies no address; only the newest one does.
    const sentMs = fleet.clock.nowMs() - VERIFICATION_LASTS_MS
    await fleet.db.updateTable('group_recipients').set({ link_sent_ms: sentMs }).execute()
    await expect(verify(first)).rejects.toMatchObject({ status: 409, message: english('recipient.expired') })
    fleet.clock.advance(1000)
    const again = await sendAgain('DESK@north.example')
    expect(again).toMatchObject({ email: desk, verified: false, isConnected: false })
    await expect(sendAgain()).rejects.toMatchObject({ status: 429, cause: { params: { seconds: 60 } } })
    await expect(verify(first)).rejects.toMatchObject({ status: 404 })
    const second = await newestToken()
    expect(await verify(second)).toEqual({ email: desk, group: 'London-News' })
    expect(await verify(second)).toEqual({ email: desk, group: 'London-News' })
    expect(await recipients()).toEqual([{ email: desk, verified: true, linkEndsAt: null }])
    await expect(sendAgain()).rejects.toMatchObject({ status: 409, message: english('recipient.verified') })
    const rows = await fleet.db.selectFrom('audit').selectAll().where('username', '=', desk).execute()
    expect(rows).toMatchObject([{ action: 'recipients.verify', object_id: 'london', inventory_id: 'north' }])
  })

  it('[ALERT-004] are named by an administrator, each once, and get one link each', async () => {
    await name(desk, 'DESK@North.example', 'night@north.example')
    expect((await recipients()).map(({ email }) => email)).toEqual([
      'DESK@North.example',
      'night@north.example',
    ])
    expect(await emails()).toHaveLength(1)
    await name('night@north.example')
    expect((await recipients()).map(({ email }) => email)).toEqual(['night@north.example'])
    expect(await emails('night@north.example')).toHaveLength(1)
    await expect(sendAgain()).rejects.toMatchObject({ status: 404, message: 'E-mail recipient not found.' })
    await expect(name('no-address')).rejects.toMatchObject({
      fields: [fault('emailRecipients.0', 'address.email')],
    })
    const elsewhere = { params: { id: 'cairo', email: desk } }
    await expect(nora.call(calls.sendVerification, elsewhere)).rejects.toMatchObject({ status: 404 })
    expect(await recipients()).toHaveLength(1)
  })

  const battery = (unit: TestDevice, percentage: number) =>
    unit.send({
      type: 'telemetry',
      samples: [sampleOf(fleet.clock.nowMs(), { battery: { connected: true, charging: false, percentage } })],
    })
  const alertsOf = async (unit: TestDevice, count: number) =>
    await until(() => fleet.core.units.values(unit.id)?.alerts.length === count)
  const sentAlerts = async () => (await emails()).filter(({ subject }) => !subject.includes('verify'))

  it('[ALERT-004] get the alerts of the group by e-mail with pauses, and only after verification', async () => {
    const [low, next] = [await fleet.unit('LOW'), await fleet.unit('NEXT')]
    for (const { id } of [low, next])
      await until(() => fleet.core.devices.memberships.groupsOf('unit', id).length > 0)
    await name(desk)
    battery(low, 7)
    await alertsOf(low, 1)
    await fleet.pass(ALERT_MAIL_DELAY_MS + 10_000)
    expect(await sentAlerts()).toEqual([])
    await verify(await newestToken())
    await fleet.pass(10_000)
    await expect.poll(async () => (await sentAlerts()).length).toBe(1)
    expect(await sentAlerts()).toMatchObject([
      {
        subject: 'London-News: CRITICAL: LOW: battery at 7 %',
        text: expect.stringMatching(
          /^CRITICAL: LOW: battery at 7 % \(since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\)/,
        ),
      },
    ])
    // The next waits for the pause to end; active alerts are not sent again.
    battery(next, 15)
    await alertsOf(next, 1)
    await fleet.pass(ALERT_MAIL_DELAY_MS + 10_000)
    expect(await sentAlerts()).toHaveLength(1)
    await fleet.pass(ALERT_MAIL_PAUSE_MS)
    await expect.poll(async () => (await sentAlerts()).length).toBe(2)
    expect((await sentAlerts())[0]).toMatchObject({ subject: 'London-News: Warning: NEXT: battery at 15 %' })
    // Alerts that are active at a restart were sent before it.
    await fleet.restart()
    await fleet.pass(2 * ALERT_MAIL_PAUSE_MS)
    nora = await fleet.signedIn('nora')
    expect(await sentAlerts()).toHaveLength(2)
  })

  it('[GROUP-001] are part of the group record', async () => {
    await name(desk)
    expect(await nora.call(api.groupAdministration.one, { params })).toEqual({
      uid: 'london',
      name: 'London-News',
      inventory: 'north',
      createdOn: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      units: [],
      channels: [],
      vrChannels: [],
      multiChannels: [],
      users: ['us-olivia', 'us-reed'],
      globalAutoAssociation: false,
      unitAutoAssociation: false,
      emailRecipients: [{ email: desk, verified: false, linkEndsAt: expect.any(String) }],
      adhocInvitation: { mode: 'link' },
      permanentInvitation: { regenerate: 'never' },
      defaultConfiguration: null,
      alertConfiguration: defaultAlertsConfiguration,
      alertThresholds: defaultAlertsConfiguration.thresholds,
      alertsMode: 'automatic',
    })
  })
})
