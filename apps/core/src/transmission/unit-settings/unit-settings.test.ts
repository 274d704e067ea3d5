// Settings through the doors: requests are sent to the unit, and its own report confirms them.
import { api } from '@backhaul/contract/api/api'
import { settingNames, type UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { WorkingMode } from '@backhaul/contract/nouns/working-modes'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everything } from '../../database/scope.ts'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { outOfTheBox } from '../../testing/unit-settings.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const calls = api.unitSettings
const camera = {
  kind: 'hdmi',
  connected: true,
  width: 1920,
  height: 1080,
  fps: 50,
  codec: 'H.264/AVC',
} as const
const field = (name: string, message: string, status = 400) => ({
  status,
  fields: [{ field: name, message }],
})

describe.each(enginesOfNight)('unit settings on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let unit: TestDevice
  let olivia: Browser
  let nora: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    hub = await fleet.server('MCR', 2)
    unit = await newUnit('LON-01')
    olivia = await fleet.signedIn('olivia')
    nora = await fleet.signedIn('nora')
  })
  afterEach(() => fleet.remove())

  async function newUnit(name: string, more = {}): Promise<TestDevice> {
    const made = await fleet.unit(name, more)
    await until(() => fleet.core.devices.memberships.groupsOf('unit', made.id).length > 0)
    return made
  }

  const configure = (body: UnitSettings, of = unit) =>
    olivia.call(calls.configure, { params: { id: of.id }, body })
  const configuration = (of = unit) => olivia.call(api.units.configuration, { params: { id: of.id } })
  const command = (of = unit) => fleet.core.units.values(of.id)?.command
  const params = () => ({ id: unit.id })

  /** The unit applies the newest wanted state, and reports it. */
  async function follow(of = unit): Promise<UnitSettings> {
    const wanted = await of.next(
      'wanted',
      ({ revision }) => revision === fleet.core.devices.get(of.id)?.wantedRevision,
    )
    const settings = { ...outOfTheBox, ...wanted.state.settings }
    of.report({ settings, appliedRevision: wanted.revision })
    await until(() => command(of)?.state === 'confirmed')
    return settings
  }

  it('[CONF-015] are sent to the unit together and shown as unconfirmed until it reports them', async () => {
    await configure({ videoComplexity: 'complex', colorDepth: '10-bit/HDR', adaptiveResolution: false })
    expect(command()).toMatchObject({ name: 'set_configuration', by: 'olivia', state: 'sent' })
    expect(await configuration()).toMatchObject({
      settings: { videoComplexity: 'complex', colorDepth: '10-bit/HDR', adaptiveResolution: false },
      unconfirmed: ['videoComplexity', 'colorDepth', 'adaptiveResolution'],
      workingMode: 'video',
      transmissionMode: 'cellularBonding',
      multiCameraSelectedMode: null,
    })
    expect(await follow()).toMatchObject({ colorDepth: '10-bit/HDR' })
    expect((await configuration()).unconfirmed).toEqual([])
    for (const videoComplexity of ['standard', 'medium', 'complex'] as const) {
      await olivia.call(calls.setVideoComplexity, { params: params(), body: { videoComplexity } })
      expect(await follow()).toMatchObject({ videoComplexity, adaptiveResolution: false })
    }
    await olivia.call(calls.setShootingMode, { params: params(), body: { shootingMode: 'motion' } })
    await follow()
    expect(fleet.core.units.values(unit.id)?.videoPerformance).toBe('motion')
    await expect(configure({ videoComplexity: 'best' } as never)).rejects.toMatchObject({ status: 400 })
    await fleet.restart()
    expect(fleet.core.units.settings(everything, unit.id).settings).toMatchObject({
      shootingMode: 'motion',
      videoComplexity: 'complex',
    })
  })

  it('of a unit that does not support them, or of another customer, are refused', async () => {
    const { colorDepth: _, ...fewer } = outOfTheBox
    unit.report({ settings: fewer })
    await until(() => fleet.core.units.memory(unit.id)?.actual.settings?.colorDepth === undefined)
    await expect(configure({ colorDepth: '8-bit', ntp: true })).rejects.toMatchObject(
      field('colorDepth', 'The unit does not support this setting.', 409),
    )
    expect((await configuration()).settings).not.toHaveProperty('colorDepth')
    const foreign = await fleet.unit('CAI-01', { registrationKey: 'key-cairo' })
    await expect(configure({ ntp: true }, foreign)).rejects.toMatchObject({ status: 404 })
  })

  it('of sound go to 16 channels over SDI only, and to 4 of each camera [CONF-016]', async () => {
    const setAudio = (body: object) =>
      olivia.call(calls.setAudioParameters, { params: params(), body: body as { audioChannels?: 2 } })
    expect((await configuration()).settings).toMatchObject({ audioChannels: 2, audioBitrate: 96 })
    for (const audioBitrate of [96, 128, 192] as const) {
      await olivia.call(calls.setAudioBitrate, { params: params(), body: { audioBitrate } })
      expect(await follow()).toMatchObject({ audioBitrate })
    }
    await expect(setAudio({ audioBitrate: 64 })).rejects.toMatchObject({ status: 400 })
    await expect(setAudio({ audioChannels: 3 })).rejects.toMatchObject({ status: 400 })
    unit.report({ camera })
    await until(() => fleet.core.units.values(unit.id)?.camera?.kind === 'hdmi')
    for (const audioChannels of [4, 8, 16] as const)
      await expect(setAudio({ audioChannels })).rejects.toMatchObject(
        field('audioChannels', '4 or more audio channels need an SDI input.'),
      )
    unit.report({ camera: { ...camera, kind: 'sdi' } })
    await until(() => fleet.core.units.values(unit.id)?.camera?.kind === 'sdi')
    await setAudio({ audioChannels: 16, audioBitrate: 128 })
    expect(await follow()).toMatchObject({ audioChannels: 16, audioBitrate: 128 })
    const old = await newUnit('OLD-01', { swVersion: '4.2.0' })
    const body = { audioChannels: 2, audioBitrate: 192 } as const
    const disabled = { status: 409, message: 'Feature disabled' }
    await expect(olivia.call(calls.setAudioParametersOld, { params: params(), body })).rejects.toMatchObject(
      disabled,
    )
    await expect(
      olivia.call(calls.setAudioParameters, { params: { id: old.id }, body }),
    ).rejects.toMatchObject(disabled)
    await olivia.call(calls.setAudioParametersOld, { params: { id: old.id }, body })
    expect(await follow(old)).toMatchObject(body)
    old.report({ camera: { ...camera, kind: 'sdi' } })
    await until(() => fleet.core.units.values(old.id)?.camera?.kind === 'sdi')
    await expect(configure({ audioChannels: 4 }, old)).rejects.toMatchObject(
      field('audioChannels', 'Feature disabled', 409),
    )
  })

  it('of file names are a short pattern, unique among the units of a server [CONF-018]', async () => {
    const setPrefix = (filenamePrefix: string, of = unit) =>
      olivia.call(calls.setFilenamePrefix, { params: { id: of.id }, body: { filenamePrefix } })
    await expect(setPrefix('x'.repeat(33))).rejects.toMatchObject(
      field('filenamePrefix', 'Must have at most 32 characters'),
    )
    for (const wrong of ['a b', 'a/b', 'ä', 'a.b'])
      await expect(setPrefix(wrong)).rejects.toMatchObject(field('filenamePrefix', 'Must match the pattern'))
    const other = await newUnit('LON-02')
    const select = (of: TestDevice, channelId: string) => {
      of.report({ channelId })
      return until(() => fleet.core.units.values(of.id)?.channelId === channelId)
    }
    await select(unit, hub.channelIds[0] as string)
    await select(other, hub.channelIds[1] as string)
    await setPrefix('Aa0@~_-+={},!()')
    await follow()
    await expect(setPrefix('Aa0@~_-+={},!()', other)).rejects.toMatchObject(
      field('filenamePrefix', 'This field must be unique', 409),
    )
    await setPrefix('Aa0@~_-+={},!()')
    // The file names of another customer are not revealed.
    const stranger = await fleet.unit('CAI-1', { registrationKey: 'key-cairo' })
    await select(stranger, hub.channelIds[1] as string)
    const sam = await fleet.signedIn('sam')
    await sam.call(calls.setFilenamePrefix, {
      params: { id: stranger.id },
      body: { filenamePrefix: 'Aa0@~_-+={},!()' },
    })
    const spare = await fleet.server('SPARE', 1)
    await select(other, spare.channelIds[0] as string)
    await setPrefix('Aa0@~_-+={},!()', other)
    await follow()
    expect(await olivia.call(calls.filenamePrefix, { params: params(), body: {} })).toEqual({
      filenamePrefix: 'Aa0@~_-+={},!()',
    })
    expect(fleet.core.units.values(unit.id)?.filenamePrefix).toBe('Aa0@~_-+={},!()')
  })

  it('of time code, ancillary data and operator choice are switches, ancillary data from 6.5 on [CONF-019]', async () => {
    const enabled = { params: params(), body: { enabled: true } }
    await olivia.call(calls.setNtpTimecode, enabled)
    expect(await follow()).toMatchObject({ ntp: true })
    await olivia.call(calls.setLiveuIq, enabled)
    expect(await follow()).toMatchObject({ ntp: true, liveuIq: true })
    await olivia.call(calls.setAncillaryData, enabled)
    expect(await follow()).toMatchObject({ ancillaryData: true })
    expect(await configuration()).toMatchObject({
      ntp: true,
      settings: { liveuIq: true, ancillaryData: true },
    })
    const older = await newUnit('OLD-01', { swVersion: '6.4.2' })
    await expect(
      olivia.call(calls.setAncillaryData, { params: { id: older.id }, body: { enabled: true } }),
    ).rejects.toMatchObject(field('ancillaryData', 'Feature disabled', 409))
  })

  it('of transmission are two: which links carry, and live or store and forward, in which a start is refused', async () => {
    const set = (transmissionMode: 'fixedInternet' | 'storeAndForward' | 'live') =>
      olivia.call(calls.setTransmissionMode, { params: params(), body: { transmissionMode } })
    await set('fixedInternet')
    expect(await follow()).toMatchObject({ linkMode: 'fixedInternet', sendMode: 'live' })
    expect(await configuration()).toMatchObject({ transmissionMode: 'fixedInternet' })
    await set('storeAndForward')
    expect(await follow()).toMatchObject({ linkMode: 'fixedInternet', sendMode: 'storeAndForward' })
    unit.report({ applications: { store: { state: 'running' } } })
    await until(() => fleet.core.units.values(unit.id)?.status === 'storeandforward')
    const start = () =>
      olivia.call(api.unitCommands.start, { params: params(), body: { channel: hub.channelIds[0] ?? '' } })
    await expect(start()).rejects.toMatchObject({ code: 409, message: 'Unit is busy.' })
    await set('live')
    expect(await follow()).toMatchObject({ sendMode: 'live' })
    const body = { transmissionMode: 'satellite' as never }
    await expect(olivia.call(calls.setTransmissionMode, { params: params(), body })).rejects.toMatchObject({
      code: 400,
    })
  })

  it('of metadata contain no semicolon, neither the present ones nor the defaults of files [CONF-020]', async () => {
    const metadata = { title: 'Flood at the river', reporter: 'Ada' }
    await olivia.call(calls.setMetadata, { params: params(), body: { metadata } })
    expect(await follow()).toMatchObject({ metadata, defaultMetadata: {} })
    expect(fleet.core.units.values(unit.id)?.metadata).toEqual(metadata)
    await olivia.call(calls.setDefaultMetadata, { params: params(), body: { metadata: { title: 'News' } } })
    expect(await follow()).toMatchObject({ metadata, defaultMetadata: { title: 'News' } })
    await olivia.call(calls.setMetadataByCommand, { params: params(), body: { metadata: {} } })
    expect(await follow()).toMatchObject({ metadata: {} })
    const message = 'Metadata fields must not contain a semicolon.'
    for (const call of [calls.setMetadata, calls.setDefaultMetadata, calls.setMetadataByCommand])
      await expect(
        olivia.call(call, { params: params(), body: { metadata: { title: 'a;b' } } }),
      ).rejects.toMatchObject(field('metadata.title', message))
  })

  it('of bandwidth are between 1000 and 20000 kbit/s, that of modems not above the total [CONF-009]', async () => {
    const total = (limit: number) => olivia.call(calls.setTotalLimit, { params: params(), body: { limit } })
    const cellular = (limit: number) =>
      olivia.call(calls.setCellularLimit, { params: params(), body: { limit } })
    expect(await olivia.call(calls.totalLimit, { params: params() })).toEqual({ limit: 0 })
    expect(await olivia.call(calls.cellularLimit, { params: params() })).toEqual({ limit: 0 })
    for (const wrong of [1, 999])
      await expect(total(wrong)).rejects.toMatchObject(field('limit', 'Must be 1000 or more'))
    await expect(cellular(20_001)).rejects.toMatchObject(field('limit', 'Must be 20000 or less'))
    await total(8000)
    await follow()
    await expect(cellular(8001)).rejects.toMatchObject(
      field('cellularLimitKbps', 'The cellular limit must not exceed the total limit.'),
    )
    await cellular(8000)
    await follow()
    await expect(total(7000)).rejects.toMatchObject({ status: 400 })
    await configure({ totalLimitKbps: 7000, cellularLimitKbps: 6000, cameraLimitKbps: 2000 })
    expect(await follow()).toMatchObject({
      totalLimitKbps: 7000,
      cellularLimitKbps: 6000,
      cameraLimitKbps: 2000,
    })
    await nora.call(calls.setTotalLimitAsAdmin, { params: params(), body: { limit: 20_000 } })
    await follow()
    await nora.call(calls.setCellularLimitAsAdmin, { params: params(), body: { limit: 0 } })
    await follow()
    expect(await nora.call(calls.totalLimitAsAdmin, { params: params() })).toEqual({ limit: 20_000 })
    expect(await nora.call(calls.cellularLimitAsAdmin, { params: params() })).toEqual({ limit: 0 })
    await expect(olivia.call(calls.totalLimitAsAdmin, { params: params() })).rejects.toMatchObject({
      status: 403,
    })
  })

  it('of least-cost bonding rank links and limit each below the total and those ranked higher [CONF-009] [CONF-011]', async () => {
    const before = await configuration()
    expect(before.settings.leastCostBonding).toBe('disabled')
    for (const leastCostBonding of [
      'modems first',
      'ETH/Wi-Fi first',
      'per interface priority',
      'disabled',
    ] as const) {
      await configure({ leastCostBonding })
      expect(await follow()).toMatchObject({ leastCostBonding })
    }
    const setLinks = (...links: { interface: number; priority?: 1 | 2 | 3 | 4; limit?: number }[]) =>
      olivia.call(api.unitCommands.setLinks, {
        params: params(),
        body: links.map((link) => ({ ...link, enabled: true })),
      })
    await setLinks({ interface: 1, priority: 1, limit: 6000 }, { interface: 2, priority: 4, limit: 2000 })
    await until(() => unit.newest('wanted')?.state.settings?.links?.[2]?.priority === 4)
    unit.report({
      settings: { ...outOfTheBox, ...unit.newest('wanted')?.state.settings },
      appliedRevision: unit.newest('wanted')?.revision ?? 0,
    })
    const links = {
      1: { priority: 1, limitKbps: 6000 },
      2: { priority: 4, limitKbps: 2000 },
      3: { priority: 1 },
    }
    expect((await configuration()).settings.links).toMatchObject(links)
    const tooHigh = (port: number) =>
      field(`links.${port}.limitKbps`, 'Must be lower than the total limit or that of a higher priority')
    await expect(setLinks({ interface: 2, limit: 6000 })).rejects.toMatchObject(tooHigh(2))
    await expect(configure({ totalLimitKbps: 6000 })).rejects.toMatchObject(tooHigh(1))
    await configure({ totalLimitKbps: 6500 })
    await expect(setLinks({ interface: 1, limit: 6500 })).rejects.toMatchObject(tooHigh(1))
    await expect(setLinks({ interface: 9, priority: 2 })).rejects.toMatchObject(
      field('links.9', 'The unit has no such interface.'),
    )
    await expect(setLinks({ interface: 1, priority: 5 as never })).rejects.toMatchObject({ status: 400 })
    expect(settingNames(await follow())).toContain('links')
  })

  it('of input over the network are set as a whole [CONF-021]', async () => {
    const setInput = (changes: object) =>
      olivia.call(calls.setIpInput, {
        params: params(),
        body: { protocol: 'srt', url: 'camera.example', port: 9000, enabled: true, ...changes } as never,
      })
    for (const protocol of ['srt', 'rtmp', 'rtsp', 'mpegts']) {
      await setInput({ protocol })
      expect(await follow()).toMatchObject({ ipInput: { protocol, url: 'camera.example', enabled: true } })
    }
    await expect(setInput({ protocol: 'ftp' })).rejects.toMatchObject({ status: 400 })
    await expect(setInput({ url: '' })).rejects.toMatchObject(field('url', 'This field is required'))
    await expect(setInput({ port: 0 })).rejects.toMatchObject(field('port', 'Must be 1 or more'))
    await expect(setInput({ port: 65_536 })).rejects.toMatchObject(field('port', 'Must be 65535 or less'))
  })

  it('[STREAM-014] set the working mode of an idle unit; in another mode than one of video it does not transmit', async () => {
    const setMode = (workingMode: WorkingMode) =>
      olivia.call(calls.setOperationalMode, { params: params(), body: { workingMode } })
    const transmit = () =>
      olivia.call(api.unitCommands.start, {
        params: params(),
        body: { channel: hub.channelIds[0] },
      })
    for (const mode of WorkingMode.options)
      if (mode !== 'video')
        await expect(setMode(mode)).rejects.toMatchObject(
          field('workingMode', 'The unit does not have this working mode.', 409),
        )
    unit.report({ capabilities: { databridge: true, logs: true, videoSmr: true, databridgeSmr: true } })
    await until(() => fleet.core.units.values(unit.id)?.capabilities.logs === true)
    for (const mode of WorkingMode.options) {
      await setMode(mode)
      expect(await follow()).toMatchObject({ workingMode: mode })
      unit.report({ workingMode: mode })
      await until(() => fleet.core.units.values(unit.id)?.workingMode === mode)
      expect((await configuration()).workingMode).toBe(mode)
      if (mode === 'video' || mode === 'video_smr') continue
      const message = 'The unit does not transmit in its working mode.'
      await expect(transmit()).rejects.toMatchObject({ status: 409, message })
    }
    const bridge = olivia.call(api.databridge.start, { params: params() })
    await expect(bridge).rejects.toMatchObject({ message: 'The unit has no databridge in its working mode.' })
    await expect(setMode('standby' as never)).rejects.toMatchObject({
      status: 400,
      fields: [{ field: 'workingMode' }],
    })
    await configure({ workingMode: 'video' })
    await follow()
    unit.report({ workingMode: 'video', applications: { video: { state: 'streaming' } } })
    await until(() => fleet.core.units.values(unit.id)?.busy === true)
    await expect(setMode('databridge')).rejects.toMatchObject(
      field('workingMode', 'The working mode of a busy unit cannot be changed.', 409),
    )
  })

  it('[STREAM-014] name the codecs of recordings as they are shown, or by their aliases', async () => {
    const qualities = { 'H.264/AVC': 'low', 'H.265/HEVC': 'high' }
    for (const storeandforward_quality of [
      qualities,
      { h264: 'low', h265: 'high' },
      { 'H.264/AVC': 'low', h265: 'high' },
    ] as const) {
      await olivia.call(calls.setSafQuality, {
        params: params(),
        body: { storeandforward_quality: storeandforward_quality as { h264: 'low' } },
      })
      expect(await follow()).toMatchObject({ storeAndForwardQuality: qualities })
      unit.report({ settings: outOfTheBox })
    }
    const half = { params: params(), body: { quality: { h265: 'high' } } } as const
    await expect(olivia.call(calls.setSafQualityByCommand, half)).rejects.toMatchObject({
      status: 400,
      fields: [{ field: 'quality.H.264/AVC', message: 'This field is required' }],
    })
  })

  it('of capping are one of the choices or a number of one decimal, never on a busy unit [CONF-010]', async () => {
    const cap = (body: object) =>
      olivia.call(calls.setCapping, { params: params(), body: body as { option: 3.6 } })
    for (const option of ['disabled', 3.6, 4.2, 4.4, 5.5, 6.2, 8]) {
      await cap({ option })
      expect(await follow()).toMatchObject({ totalCapping: { option, customMbps: null } })
    }
    await cap({ option: 'custom', customMbps: 7.5 })
    expect(await follow()).toMatchObject({ totalCapping: { option: 'custom', customMbps: 7.5 } })
    await expect(cap({ option: 'custom' })).rejects.toMatchObject(
      field('customMbps', 'Numeric value is required'),
    )
    for (const customMbps of [0.9, 20.1, 2.25])
      await expect(cap({ option: 'custom', customMbps })).rejects.toMatchObject({ status: 400 })
    await expect(cap({ option: 9 })).rejects.toMatchObject({ status: 400 })
    await configure({ totalLimitKbps: 8000 })
    await follow()
    await expect(cap({ option: 'custom', customMbps: 8.1 })).rejects.toMatchObject(
      field('totalCapping', 'The capping must not exceed the total limit.'),
    )
    await expect(cap({ option: 4.2, cellular: { option: 4.4 } })).rejects.toMatchObject(
      field('cellularCapping', 'Max Cellular Capping cannot exceed Max Total Capping.'),
    )
    await cap({ option: 4.2, cellular: { option: 3.6 } })
    expect(await follow()).toMatchObject({ cellularCapping: { option: 3.6 } })
    unit.report({ applications: { video: { state: 'streaming' } } })
    await until(() => fleet.core.units.values(unit.id)?.busy === true)
    await expect(cap({ option: 3.6 })).rejects.toMatchObject(
      field('totalCapping', 'Bandwidth capping cannot be set on a busy unit.', 409),
    )
    await configure({ totalLimitKbps: 6000 })
    await follow()
  })

  it('that the unit refuses are no longer wanted, and the others are kept', async () => {
    await configure({ ntp: true })
    await follow()
    const before = (await configuration()).settings
    await configure({ totalLimitKbps: 5000, videoComplexity: 'complex' })
    const { revision } = await unit.next('wanted', ({ state }) => state.settings?.totalLimitKbps === 5000)
    unit.send({ type: 'outcome', revision, state: 'refused', reason: 'not now' })
    const { state } = await unit.next('wanted', (wanted) => wanted.revision > revision)
    expect(state.settings?.ntp).toBe(true)
    expect(state.settings).not.toHaveProperty('totalLimitKbps')
    expect(command()).toMatchObject({ state: 'refused', reason: 'not now' })
    expect(await configuration()).toMatchObject({ settings: before, unconfirmed: [] })
  })

  it('[SHELL-029] of Ethernet are valid addresses and masks, for ports that the unit has', async () => {
    const { ethernet } = outOfTheBox
    const fixed = {
      ...ethernet[0],
      mac: 'forged',
      dhcp: false,
      ip: '192.0.2.7',
      defaultGateway: '192.0.2.1',
    } as never
    const set = (changes: object, port = '0') =>
      configure({ ethernet: { [port]: { ...(fixed as object), ...changes } } } as UnitSettings)
    for (const name of ['ip', 'defaultGateway', 'dns1', 'dns2'])
      for (const wrong of ['300.1.1.1', 'host', '10.1.2'])
        await expect(set({ [name]: wrong })).rejects.toMatchObject(
          field(`ethernet.0.${name}`, 'Invalid IP field'),
        )
    for (const wrong of ['255.0.255.0', '0.0.0.0', '24', 'mask'])
      await expect(set({ subnetMask: wrong })).rejects.toMatchObject(
        field('ethernet.0.subnetMask', 'Invalid Subnet Mask field'),
      )
    await expect(set({ ip: '' })).rejects.toMatchObject(field('ethernet.0.ip', 'Invalid IP field'))
    await expect(set({}, '9')).rejects.toMatchObject(field('ethernet.9', 'The unit has no such interface.'))
    await set({ powerOverEthernet: true })
    expect((await follow()).ethernet?.[0]).toEqual({
      ...(fixed as object),
      mac: '02:00:5e:00:53:00',
      powerOverEthernet: true,
    })
    await set({})
    const { powerOverEthernet: _, ...unpowered } = (await follow()).ethernet![0]!
    unit.report({ settings: { ...outOfTheBox, ethernet: { 0: unpowered } } })
    await until(
      () => fleet.core.units.memory(unit.id)?.actual.settings?.ethernet?.[0]?.powerOverEthernet === undefined,
    )
    await expect(set({ dhcp: true, powerOverEthernet: true })).rejects.toMatchObject(
      field('ethernet.0.powerOverEthernet', 'The socket does not supply power.'),
    )
  })
})
