import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { english } from '@backhaul/contract/define/refusals'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const calls = api.socialMedia

describe.each(enginesOfNight)('[STREAM-012] Go Live on %s', (engine) => {
  let fleet: TestFleet
  let olivia: Browser
  let hub: TestDevice
  let unit: TestDevice
  let channelId: string
  let provider: string
  let profile: string
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    const root = await fleet.signedIn('root')
    const tube = { name: 'Tube', domain: 'live.tube.example', application: 'live2', icon: '' }
    provider = (await root.call(api.streamProviders.create, { body: { ...tube, secure: true } })).id
    const quality = { bitRate: 4500, resolution: 720 } as const
    const main = { provider, name: 'Standard', main: true, ...quality }
    await root.call(api.streamProfiles.create, { body: { ...main, name: 'Small', main: false } })
    profile = (await root.call(api.streamProfiles.create, { body: main })).id
    await fleet.core.inventories.setProperty('north', 'socialMedia', true)
    olivia = await fleet.signedIn('olivia')
    hub = await fleet.server('MCR')
    unit = await fleet.unit('LON-01')
    channelId = hub.channelIds[0] ?? ''
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
    sends(['rtmp'])
    await until(() => fleet.core.servers.memory(hub.id)?.actual.capabilities?.encoders.length === 1)
  })
  afterEach(() => fleet.remove())

  const sends = (protocolsOut: string[]) =>
    hub.report({
      capabilities: { protocolsIn: ['bonded'], protocolsOut, encoders: ['libx264'], ffmpegVersion: null },
    })
  const params = () => ({ id: unit.id })
  const start = () => olivia.call(api.unitCommands.start, { params: params(), body: { channel: channelId } })
  const go = (body: object, query = {}, by = olivia) =>
    by.call(calls.go, { params: params(), query, body: body as never })
  const stop = () => olivia.call(calls.stop, { params: params(), query: {} })
  const details = () => olivia.call(calls.details, { query: { channelUid: channelId } })
  const chosen = () => ({
    provider,
    profile,
    title: 'Election night',
    streamKey: 'live-key',
    previewKey: 'p',
  })
  const outputs = () =>
    hub.newest('serverWanted')?.state.channels.find((one) => one.channelId === channelId)?.outputs
  const status = () => fleet.core.units.values(unit.id)?.socialMediaStatus
  const social = { id: 'social', reason: null, since: 1, tries: 1 }
  const collecting = (sending: boolean) =>
    hub.telemetry([
      {
        channelId,
        status: 'collecting',
        outputs: [{ ...social, state: sending ? 'sending' : 'connecting' }],
      },
    ])

  it('sends the preview first, then publishes, and stops; the hub reports what is forwarded', async () => {
    const follower = await fleet.follow(olivia, [`unit.${unit.id}`])
    await start()
    const preview = { status: 'preview', provider: 'Tube', title: 'Election night' }
    expect(await go(chosen(), { group: 'london' })).toEqual({ ...preview, delivery: 'connecting' })
    const broadcast = { videoKbps: 4500, height: 720, title: 'Election night' }
    const output = { id: 'social', protocol: 'rtmp', broadcast }
    const url = 'rtmps://live.tube.example/live2'
    await until(() => outputs()?.length === 1)
    expect(outputs()).toEqual([{ ...output, url: `${url}/p` }])
    collecting(true)
    await until(() => status()?.delivery === 'sending')
    await fleet.pass(200)
    await follower.sees(`unit.${unit.id}`, { socialMediaStatus: { ...preview, delivery: 'sending' } })
    expect(await olivia.call(calls.statuses, { params: { group: 'london' } })).toEqual([
      { uid: unit.id, socialMediaStatus: { ...preview, delivery: 'sending' } },
    ])
    expect(await go({ status: 'live' })).toMatchObject({ status: 'live' })
    await until(() => outputs()?.[0]?.url === `${url}/live-key`)
    for (const state of ['preview', 'live'])
      await expect(go({ status: state })).rejects.toMatchObject({
        status: 409,
        message: english('socialMedia.live'),
      })
    await stop()
    await until(() => outputs()?.length === 0)
    expect(status()).toBeNull()
    await expect(stop()).rejects.toMatchObject({ status: 409, message: english('socialMedia.off') })
  })

  it('ends with the transmission, and starts again with the preview', async () => {
    await start()
    await go(chosen())
    await go({ status: 'live' })
    await olivia.call(api.unitCommands.stop, { params: params() })
    unit.report({ applications: {}, transmissionId: null })
    await until(() => fleet.core.channels.known(channelId)?.allocatedToUnitUid === null)
    collecting(false)
    await until(() => status() === null)
    await until(() => outputs()?.length === 0)
    hub.telemetry([{ channelId, status: 'idle' }])
    await until(() => fleet.core.channels.known(channelId)?.status === 'idle')
    await start()
    await expect(go({ status: 'live' })).rejects.toMatchObject({
      message: english('socialMedia.previewFirst'),
    })
    // A preview without its own key is not sent.
    expect(await go({ previewKey: null })).toMatchObject({ status: 'preview', delivery: 'none' })
    expect(outputs()).toEqual([])
  })

  it('stores the choice for the channel, and never shows the keys', async () => {
    expect(await details()).toMatchObject({ provider: null, title: '', hasStreamKey: false })
    const save = (body: object) =>
      olivia.call(calls.saveDetails, { body: { channelUid: channelId, ...body } as never })
    const saved = await save(chosen())
    expect(saved).toMatchObject({ provider, profile, title: 'Election night', hasPreviewKey: true })
    expect(saved.providers[0]?.profiles.map(({ name }) => name)).toEqual(['Standard', 'Small'])
    expect(JSON.stringify(await details())).not.toContain('live-key')
    const row = await fleet.db.selectFrom('channel_social_media').selectAll().executeTakeFirstOrThrow()
    const audited = await fleet.db.selectFrom('audit').selectAll().execute()
    expect(JSON.stringify([row, audited])).not.toContain('live-key')
    const root = await fleet.signedIn('root')
    const media = { provider, domain: 'eu.tube.example', name: 'High', videoBitrate: 6000 }
    const { id: mediaProfile } = await root.call(api.streamMediaProfiles.create, { body: media })
    const query = { streamingProviderName: 'Tube' }
    expect(await olivia.call(calls.mediaProfiles, { query })).toEqual([{ id: mediaProfile, ...media }])
    const elsewhere = { query: { ...query, streamingProviderDomain: 'us.tube.example' } }
    expect(await olivia.call(calls.mediaProfiles, elsewhere)).toEqual([])
    await start()
    await go({ mediaProfile })
    await until(() => outputs()?.length === 1)
    expect(outputs()).toMatchObject([
      { url: 'rtmps://eu.tube.example/live2/p', broadcast: { videoKbps: 6000, height: 720 } },
    ])
    const face = { name: 'Face', domain: 'face.example', application: 'rtmp', secure: false, icon: '' }
    const { id: other } = await root.call(api.streamProviders.create, { body: face })
    // The key was that of another provider.
    expect(await save({ provider: other })).toMatchObject({
      provider: other,
      profile: null,
      mediaProfile: null,
      hasStreamKey: false,
      hasPreviewKey: false,
    })
    for (const unknown of [{ provider: 'none' }, { profile: 'none' }, { mediaProfile: 'none' }])
      await expect(save(unknown)).rejects.toMatchObject({ status: 404 })
  })

  it('[INV-002] refuses with the reason', async () => {
    const refused = (message: string) => ({ status: 409, message })
    await expect(go(chosen())).rejects.toMatchObject(refused(english('unit.notTransmitting')))
    await start()
    for (const field of ['provider', 'profile', 'title', 'streamKey'] as const) {
      const { [field]: _, ...rest } = { ...chosen(), ...(field === 'provider' && { profile: undefined }) }
      await expect(go(rest)).rejects.toMatchObject({
        status: 400,
        fields: [fault(field, 'field.required')],
      })
      await fleet.db.deleteFrom('channel_social_media').execute()
    }
    await expect(go({ ...chosen(), streamKey: 'a/../b' })).rejects.toMatchObject({
      fields: [fault('streamKey', 'field.pattern')],
    })
    await expect(go({ status: 'live', ...chosen() })).rejects.toMatchObject(
      refused(english('socialMedia.previewFirst')),
    )
    await expect(go(chosen(), { group: 'leeds' })).rejects.toMatchObject({ status: 404 })
    const nora = await fleet.signedIn('nora')
    await expect(go(chosen(), { group: 'leeds' }, nora)).rejects.toMatchObject({ message: 'Unit not found.' })
    const reed = await fleet.signedIn('reed')
    await expect(go(chosen(), {}, reed)).rejects.toMatchObject({ status: 403 })
    sends([])
    await until(() => fleet.core.servers.memory(hub.id)?.actual.capabilities?.protocolsOut.length === 0)
    await expect(go(chosen())).rejects.toMatchObject(refused(english('socialMedia.cannotSend')))
    await fleet.core.inventories.setProperty('north', 'socialMedia', false)
    await expect(go(chosen())).rejects.toMatchObject(refused(english('feature.disabled')))
  })
})
