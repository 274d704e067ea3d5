import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import type { ChannelTelemetry } from '@backhaul/contract/gateway/servers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { flushed, until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { list, create, change, remove } = api.aiSettings
const { one, start, stop } = api.aiSessions
const local = { name: 'Test marks', provider: 'local' as const }
const forUserType = 'Not available for your user type'

describe.each(enginesOfNight)('[LOG-004] AI sessions on %s', (engine) => {
  let fleet: TestFleet
  let unit: TestDevice
  let hub: TestDevice
  let olivia: Browser
  let root: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine, { mayReachOwnNetwork: true })
    unit = await fleet.unit('U-1')
    hub = await fleet.server('MCR', 1)
    await fleet.pass()
    olivia = await fleet.signedIn('olivia')
    root = await fleet.signedIn('root')
  })
  afterEach(() => fleet.remove())

  const params = () => ({ id: unit.id })
  const channelId = () => hub.channelIds[0] ?? ''
  const give = () =>
    root.call(api.services.add, { params: { id: 'north' }, body: { name: 'ai_integration' } as never })
  const settingsOf = (body: object, by = root) => by.call(create, { body: body as never })
  const goLive = () =>
    olivia.call(api.unitCommands.start, { params: params(), body: { channel: channelId() } })
  const refusedWith = (message: string) => ({ code: 409, message })

  async function second(more: Partial<ChannelTelemetry> = {}, rmsDb = -30): Promise<void> {
    const health = { black: false, frozen: false, silent: false }
    hub.telemetry([{ channelId: channelId(), status: 'collecting', kbps: 4000, health, ...more }])
    hub.send({
      type: 'levels',
      channels: [{ channelId: channelId(), levels: [{ peakDb: rmsDb + 6, rmsDb }] }],
    })
    await flushed(hub.socket)
    await fleet.pass(1000)
  }
  const marks = async () =>
    ((await olivia.call(one, { params: params() })).session?.marks ?? []).map(
      ({ kind, text }) => `${kind} ${text}`,
    )

  it('[ACCESS-010] [ACCESS-008] need the licence, the service, settings and a transmission, and are refused to read-only users', async () => {
    const profile = 'some'
    const tried = () => olivia.call(start, { params: params(), body: { profile } })
    expect(await olivia.call(one, { params: params() })).toEqual({
      session: null,
      profiles: [],
      refusal: forUserType,
      refusalCause: { code: 'role.notAllowed', params: {} },
    })
    await expect(tried()).rejects.toMatchObject(refusedWith(forUserType))
    await give()
    await expect(tried()).rejects.toMatchObject(refusedWith('AI configuration missing.'))
    const { id } = await settingsOf(local)
    await expect(tried()).rejects.toMatchObject(refusedWith('AI configuration missing.'))
    const known = () => olivia.call(start, { params: params(), body: { profile: id } })
    await expect(known()).rejects.toMatchObject(refusedWith('Unit is not transmitting.'))
    await root.call(api.licences.setStock, {
      params: { id: 'north' },
      body: { licence: 'video', total: 1 },
    })
    await fleet.db.updateTable('users').set({ oda: 1 }).where('username', '=', 'nora').execute()
    const nora = await fleet.signedIn('nora')
    await goLive()
    await nora.call(api.licences.assign, { params: { id: 'north', unit: unit.id }, body: { video: true } })
    await expect(known()).rejects.toMatchObject(refusedWith(forUserType))
    const reed = await fleet.signedIn('reed')
    for (const call of [
      () => reed.call(one, { params: params() }),
      () => reed.call(start, { params: params(), body: { profile: id } }),
      () => reed.call(stop, { params: params() }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 403, message: forUserType })
    await expect(olivia.call(stop, { params: params() })).rejects.toMatchObject(
      refusedWith('No AI session is running.'),
    )
  })

  it('mark what the server measures, continue after a restart, and end with the transmission', async () => {
    await give()
    const { id } = await settingsOf(local)
    await goLive()
    const { state } = await unit.next('wanted', ({ state }) => state.transmission !== null)
    const transmissionId = state.transmission?.id ?? null
    const onAir = {
      state: 'streaming',
      applications: { video: { state: 'streaming' as const } },
      transmissionId,
    }
    unit.report(onAir)
    const started = await olivia.call(start, { params: params(), body: { profile: id } })
    expect(started.session).toMatchObject({ profileName: 'Test marks', startedBy: 'olivia', endedOn: null })
    await expect(olivia.call(start, { params: params(), body: { profile: id } })).rejects.toMatchObject(
      refusedWith('An AI session is running already.'),
    )
    for (let at = 0; at < 12; at++) await second({ transmissionId })
    await second({ transmissionId }, -12)
    expect(await marks()).toEqual(['highlight Loud moment, 17 dB above the average.'])
    const black = { transmissionId, health: { black: true, frozen: false, silent: false } }
    for (let at = 0; at < 4; at++) await second(black)
    await second({ transmissionId })
    expect(await marks()).toEqual([
      'picture Picture is back.',
      'picture Picture is black.',
      'highlight Loud moment, 17 dB above the average.',
    ])
    await fleet.restart()
    olivia = await fleet.signedIn('olivia')
    const { channelIds } = hub
    hub = Object.assign(await fleet.again(hub), { channelIds })
    unit = await fleet.again(unit)
    for (const device of [hub, unit]) await device.greet()
    unit.report(onAir)
    const silent = { transmissionId, health: { black: false, frozen: false, silent: true } }
    for (let at = 0; at < 4; at++) await second(silent)
    expect((await marks())[0]).toBe('sound Sound is silent.')
    const [newest] = (await olivia.call(one, { params: params() })).session?.marks ?? []
    expect(newest?.cause).toEqual({ code: 'sound.silent', params: {} })
    await olivia.call(api.unitCommands.stop, { params: params() })
    await fleet.pass(2000)
    const { session } = await olivia.call(one, { params: params() })
    expect(session).toMatchObject({ endedBy: null, endedOn: expect.any(String) })
    expect(session?.marks).toHaveLength(4)
  })

  it('send observations to a provider with its secret, and mark when it does not answer', async () => {
    const questions: { authorization: string | undefined; body: Record<string, unknown> }[] = []
    let isThere = true
    const provider = createServer(async (request, response) => {
      const { authorization } = request.headers
      const body = JSON.parse((await request.toArray()).join('')) as Record<string, unknown>
      questions.push({ authorization, body })
      const ts = new Date(fleet.clock.nowMs()).toISOString()
      response.statusCode = isThere ? 200 : 503
      response.end(
        JSON.stringify({ marks: [{ ts, kind: 'caption', text: 'Good evening' }, { kind: 'odd' }] }),
      )
    })
    await new Promise<void>((open) => provider.listen(0, '127.0.0.1', open))
    const endpoint = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/marks`
    await give()
    const about = { name: 'Desk', provider: 'http', endpoint, model: 'speech-2', secret: 'top-secret' }
    const { id } = await settingsOf(about)
    await goLive()
    await olivia.call(start, { params: params(), body: { profile: id } })
    for (let at = 0; at < 10; at++) await second()
    await until(() => questions.length === 1)
    await expect.poll(marks).toEqual(['caption Good evening'])
    expect(questions[0]?.authorization).toBe('Bearer top-secret')
    expect(questions[0]?.body).toMatchObject({ model: 'speech-2', unit: 'U-1' })
    expect(questions[0]?.body.observations).toHaveLength(10)
    isThere = false
    for (let at = 0; at < 10; at++) await second()
    await until(() => questions.length === 2)
    await expect
      .poll(async () => (await marks())[0])
      .toBe('fault The provider gave no result (The answer is HTTP 503).')
    const ended = await olivia.call(stop, { params: params() })
    expect(ended.session).toMatchObject({ endedBy: 'olivia' })
    const nora = await fleet.signedIn('nora')
    const { items } = await nora.call(api.audit.list, { query: { username: 'olivia' } })
    expect(items.filter(({ action }) => action.startsWith('aiSessions'))).toMatchObject([
      { action: 'aiSessions.stop', objectName: 'U-1', result: 'done' },
      { action: 'aiSessions.start', objectName: 'U-1', result: 'done' },
    ])
    provider.close()
  })

  it('are set up by super users only, and no secret is shown', async () => {
    const made = await settingsOf({ ...local, secret: 'top-secret' })
    expect(made).toEqual({ id: made.id, ...local, endpoint: '', model: '', hasSecret: true })
    const kept = await fleet.db.selectFrom('ai_settings').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(kept)).not.toContain('top-secret')
    await expect(settingsOf(local)).rejects.toMatchObject({ code: 409, fields: [{ field: 'name' }] })
    const wrong = [
      [{ name: '', provider: 'local' }, 'name'],
      [{ name: 'A', provider: 'http' }, 'endpoint'],
      [{ name: 'A', provider: 'http', endpoint: 'ftp://a.example' }, 'endpoint'],
      [{ name: 'A', provider: 'oracle' }, 'provider'],
    ] as const
    for (const [body, field] of wrong)
      await expect(settingsOf(body)).rejects.toMatchObject({ code: 400, fields: [{ field }] })
    const at = { params: { id: made.id } }
    await expect(root.call(change, { ...at, body: { provider: 'http' } })).rejects.toMatchObject({
      fields: [fault('endpoint', 'field.required')],
    })
    expect(await root.call(change, { ...at, body: { model: 'm' } })).toMatchObject({ hasSecret: true })
    expect(await root.call(change, { ...at, body: { secret: '' } })).toMatchObject({ hasSecret: false })
    expect((await root.call(list, { query: { search: 'marks' } })).items).toHaveLength(1)
    const nora = await fleet.signedIn('nora')
    await expect(nora.call(list, { query: {} })).rejects.toMatchObject({ code: 403 })
    await expect(settingsOf(local, nora)).rejects.toMatchObject({ code: 403 })
    await root.call(remove, at)
    await expect(root.call(remove, at)).rejects.toMatchObject({
      code: 404,
      message: 'AI settings not found.',
    })
  })
})
