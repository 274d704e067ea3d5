import type { SettingName, UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { expect, test } from 'vitest'
import { createStage, mean } from '../testing/stage.ts'
import { capacityLeft } from './congestion.ts'

test('the same seed gives the same hour, to the last figure', async () => {
  const live = async (seed: number) => {
    const stage = createStage({ seed })
    await stage.goLive(0, 1)
    const reports: string[] = []
    stage.run(300, ({ samples, channels }) => reports.push(JSON.stringify([samples, channels])))
    return reports
  }
  const first = await live(3)
  expect(await live(3)).toEqual(first)
  expect(await live(4)).not.toEqual(first)
})

test('a live unit sends a believable stream over several links, and its channel collects it', async () => {
  const stage = createStage()
  await stage.goLive(0, 1)
  const encoder: number[] = []
  const received: number[] = []
  const linksUsed: number[] = []
  stage.run(240, ({ atS, samples, channels }) => {
    const [sample] = samples
    if (atS < 60 || !sample) return
    encoder.push(sample.encoderKbps ?? 0)
    linksUsed.push(sample.links.filter(({ kbps }) => kbps > 50).length)
    received.push(channels.find(({ status }) => status === 'collecting')?.kbps ?? 0)
  })
  expect(mean(encoder)).toBeGreaterThan(1000)
  expect(Math.max(...encoder)).toBeLessThan(10_001)
  expect(mean(received) / mean(encoder)).toBeGreaterThan(0.9)
  expect(mean(linksUsed)).toBeGreaterThan(2)
})

test('a channel that receives a stream names the real loop that serves as its picture', async () => {
  const stage = createStage()
  await stage.goLive(0, 1)
  stage.run(5, ({ channels }) => {
    expect(channels).toHaveLength(1)
    expect(channels[0]).toMatchObject({ status: 'collecting', transmissionId: 't-0' })
    expect(channels[0]?.previewOf).toMatch(/^loop-([1-9]|1[0-2])$/)
    expect(channels[0]?.video?.width).toBeGreaterThan(0)
  })
  const server = stage.servers.find(({ plan }) => plan.groupId === stage.fleet.units[0]?.groupId)
  expect(server?.levels()).toHaveLength(1)
})

test('[STREAM-013] a speed test fills every link both ways, and its channel finds no programme in it', async () => {
  const stage = createStage()
  await stage.goLive(0, 1, 10_000)
  stage.run(8, ({ samples, channels }) => {
    const links = samples[0]?.links.filter(({ up }) => up) ?? []
    expect(links.length).toBeGreaterThan(1)
    for (const { kbps, downKbps, capacityKbps } of links) {
      expect(kbps / (capacityKbps ?? 0)).toBeGreaterThan(0.9)
      expect(downKbps).toBeGreaterThan(kbps)
    }
    expect(channels[0]).toMatchObject({ status: 'connecting', video: null, previewOf: null, kbps: 0 })
  })
})

test('neither a host that is not simulated nor a receiver with another key answers', async () => {
  const stage = createStage()
  const start = (host: string, key: string) =>
    stage.units[1]
      ?.startTransmission(
        { id: 't-0', key, channelId: 'ch-0', targets: [{ host, port: 20_002 }] },
        1000,
        new AbortController().signal,
      )
      .catch((error: Error) => error.message)
  await stage.goLive(0, 1)
  const real = start('192.0.2.7', 'a2V5')
  const server = stage.servers.find(({ plan }) => plan.groupId === stage.fleet.units[0]?.groupId)
  const wrong = start(server?.plan.host ?? '', 'd3Jvbmc')
  await stage.clock.advanceAsync(7000)
  expect(await real).toBe('No answer from 192.0.2.7:20002.')
  expect(await wrong).toBe(`No answer from ${server?.plan.host}:20002.`)
})

test('links of one unit move together more than links of two units', () => {
  const stage = createStage({ units: 40 })
  const totals: number[][] = stage.units.map(() => [])
  const halves: [number[], number[]] = [[], []]
  stage.run(900, ({ samples }) => {
    for (const [index, sample] of samples.entries()) totals[index]?.push(sample.capacityKbps ?? 0)
    const modems = samples[0]?.links.filter(({ signal }) => signal) ?? []
    halves[0].push(modems[0]?.signal?.rsrp ?? 0)
    halves[1].push(modems[1]?.signal?.rsrp ?? 0)
  })
  expect(correlation(halves[0], halves[1])).toBeGreaterThan(0.4)
  expect(Math.abs(correlation(totals[0] ?? [], totals[1] ?? []))).toBeLessThan(0.4)
})

test('networks are fuller in the evening than at night, by the clock of the city', () => {
  const at = (hour: number) => Date.UTC(2026, 10, 18, hour)
  expect(capacityLeft(at(17), 0)).toBeLessThan(0.65)
  expect(capacityLeft(at(4), 0)).toBeGreaterThan(0.95)
  expect(capacityLeft(at(22), -5)).toBe(capacityLeft(at(17), 0))
})

test('a battery lasts three to four hours live', async () => {
  const stage = createStage()
  const index = stage.fleet.units.findIndex(({ battery }) => battery === 'built-in')
  await stage.goLive(index, 1)
  const percent: number[] = []
  stage.run(1800, ({ samples }) => {
    const battery = samples[index]?.battery
    if (battery && !battery.charging) percent.push(battery.percentage ?? 0)
  })
  const perHour = (((percent[0] ?? 0) - (percent.at(-1) ?? 0)) / percent.length) * 3600
  expect(perHour).toBeGreaterThan(18)
  expect(perHour).toBeLessThan(40)
})

function correlation(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [mean(a), mean(b)]
  const together = mean(a.map((value, index) => (value - meanA) * ((b[index] ?? 0) - meanB)))
  const spread = (values: readonly number[], middle: number) =>
    Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
  return together / (spread(a, meanA) * spread(b, meanB))
}

test('in store and forward a unit stores until it is live again, has a file of it then, and is not switched over while it transmits', async () => {
  const stage = createStage()
  const unit = stage.units.find(({ plan }) => plan.product.capabilities.storeAndForward)
  if (!unit) throw new Error('no unit of the plan stores')
  const free = () => unit.facts().storages[0]?.freeBytes ?? 0
  const before = free()
  const quality = { 'H.264/AVC': 'low', 'H.265/HEVC': 'low' } as const
  unit.applySettings({ storeAndForwardQuality: quality, filenamePrefix: 'LON_' })
  unit.applySettings({ defaultMetadata: { crew: 'two', event: '-' }, metadata: { event: 'derby' } })
  unit.applySettings({ sendMode: 'storeAndForward' })
  const startedMs = stage.clock.nowMs()
  stage.run(2000, () => {})
  expect(unit.facts().activities).toEqual({ store: { state: 'running' } })
  expect(free()).toBeLessThan(before)
  unit.applySettings({ sendMode: 'live' })
  expect(unit.facts().activities).toEqual({})
  const [day = '', time = ''] = new Date(startedMs).toISOString().slice(0, 19).replaceAll(':', '-').split('T')
  const recorded = (await unit.files.list(`/media/internal/${day}`)).find(
    ({ name }) => name === `LON_${time}Z.mp4`,
  )
  // 2000 s at the 3.6 Mbps of the low quality of H.265/HEVC.
  expect(recorded).toMatchObject({ sizeBytes: (2000 * 3_600_000) / 8, isFolder: false })
  const file = await unit.files.open(`/media/internal/${day}/LON_${time}Z.mp4`)
  const begun = file.read(0, 100)
  await stage.clock.advanceAsync(10_000)
  expect(Buffer.from(await begun).toString('latin1')).toMatch(/^crew=two\nevent=derby\n/)
  await stage.goLive(stage.units.indexOf(unit), 1)
  expect(() => unit.applySettings({ sendMode: 'storeAndForward' })).toThrow('while the unit transmits')
})

test('a unit reaches its link extenders within seconds, and sends over them too', async () => {
  const stage = createStage()
  const unit = stage.units[0]
  const facts = () => unit?.facts()
  const ports = () => facts()?.links.map(({ id }) => id) ?? []
  await stage.goLive(0, 1)
  stage.run(30)
  const built = ports()
  unit?.setExtenders(['LX-1', 'LX-2'])
  expect(facts()?.extenders).toEqual([
    { serialNumber: 'LX-1', connected: false },
    { serialNumber: 'LX-2', connected: false },
  ])
  expect(ports()).toEqual(built)
  const carried: number[] = []
  stage.run(20, ({ atS, samples }) => {
    const over = samples[0]?.links.find(({ port }) => port === 40)
    if (atS > 5 && over) carried.push(over.kbps)
  })
  expect(facts()?.activities?.xtenderRelay).toEqual({ state: 'running' })
  expect(facts()?.extenders?.every(({ connected }) => connected)).toBe(true)
  expect(ports()).toEqual([...built, 'Extender LX-1', 'Extender LX-2'])
  expect(mean(carried)).toBeGreaterThan(50)
  unit?.applySettings({ xtend: false })
  expect([ports(), facts()?.activities?.xtenderRelay]).toEqual([built, undefined])
  unit?.applySettings({ xtend: true })
  expect(ports()).toHaveLength(built.length + 2)
  unit?.setExtenders(['LX-2'])
  expect(ports()).toEqual([...built, 'Extender LX-2'])
  unit?.setExtenders([])
  expect(facts()?.activities?.xtenderRelay).toBeUndefined()
})

test('several cameras share the links by priority, and each has a channel that collects it', async () => {
  const stage = createStage()
  const unit = stage.units.find(({ plan }) => plan.product.capabilities.multiCamera)
  const server = stage.servers.find(({ plan }) => plan.groupId === unit?.plan.groupId)
  if (!unit || !server) throw new Error('no unit has several cameras')
  expect(
    unit
      .facts()
      .cameras?.map(({ connected }) => connected)
      .slice(0, 2),
  ).toEqual([true, true])
  const key = 'a2V5'
  const parts = [1, 2].map((slot) => {
    const intake = { transmissionId: 't-1', unitId: 'u-1', key, bufferMs: 1000 }
    const port = server.facts().ports[slot - 1]?.ristPort ?? 0
    const channel = { channelId: `ch-${slot}`, slot: String(slot), name: `ch-${slot}`, intake }
    const targets = [{ host: server.plan.host, port }]
    return {
      channel: { ...channel, recording: false, outputs: [] },
      flow: { channelId: `ch-${slot}`, key, targets },
    }
  })
  const [first, second] = parts
  if (!first || !second) throw new Error('There are two')
  const multiCameraLabels = ['Goal', 'Bench']
  unit.applySettings({
    cameraMode: 'highQuality',
    cameraPriorities: [9, 1],
    cameraLimitKbps: 4000,
    multiCameraLabels,
  })
  expect(unit.facts().activities).toHaveProperty('changeAvicMode')
  server.apply({ channels: parts.map(({ channel }) => channel) })
  const feeds = [{ camera: 2, ...second.flow }]
  const begun = unit.startTransmission(
    { id: 't-1', ...first.flow, activity: 'multiCamera', feeds },
    1000,
    new AbortController().signal,
  )
  await stage.clock.advanceAsync(500)
  await begun
  const rates = new Map<string, number[]>()
  stage.run(120, ({ atS, channels }) => {
    for (const { channelId, status, kbps } of channels) {
      if (atS > 30) expect(status).toBe('collecting')
      rates.set(channelId, [...(rates.get(channelId) ?? []), kbps])
    }
  })
  expect([1, 2].map((at) => /receives "(.*)" at/.exec(server.logs(`ch-${at}`))?.[1])).toEqual(
    multiCameraLabels,
  )
  expect(mean(rates.get('ch-2') ?? [])).toBeGreaterThan(mean(rates.get('ch-1') ?? []))
  expect(Math.max(...[...rates.values()].flat())).toBeLessThanOrEqual(4000)
  expect(() => unit.applySettings({ cameraMode: 'switcher' })).toThrow('while the unit transmits')
  unit.stopTransmission()
  stage.run(1, ({ channels }) =>
    expect(channels.map(({ status }) => status)).toEqual(['connecting', 'connecting']),
  )
})

test('the mixer of a server takes one of its sources into the programme, and a unit has a light for it', async () => {
  const stage = createStage()
  const group = stage.fleet.units[0]?.groupId
  const server = stage.servers.find(({ plan }) => plan.groupId === group)
  let cuts = 0
  server?.tallies.onChange(() => cuts++)
  stage.run(20)
  expect([server?.tallies.on(), cuts]).toEqual([[], 0])
  await stage.goLive(0, 1)
  stage.run(5)
  expect([server?.tallies.on(), cuts]).toEqual([['tally-1'], 1])
  expect(server?.facts().interfaces).toContainEqual({ id: 'tally-1', kind: 'tally', name: 'Tally 1' })
  stage.units[0]?.stopTransmission()
  stage.run(5)
  expect([server?.tallies.on(), cuts]).toEqual([[], 2])

  const withLight = stage.units.filter(({ plan }) => plan.product.capabilities.tally)
  expect(withLight.length).toBeGreaterThan(0)
  for (const unit of stage.units) expect(unit.showTally !== undefined).toBe(withLight.includes(unit))
  const [unit] = withLight
  unit?.showTally?.(true)
  expect([unit?.isLit, unit?.logs().includes('tally on')]).toEqual([true, true])
  unit?.showTally?.(false)
  expect([unit?.isLit, unit?.logs().includes('tally off')]).toEqual([false, true])
})

test('a picture from the network takes the place of the first camera, and of no other', () => {
  const stage = createStage()
  const unit = stage.units.find(({ plan }) => plan.product.capabilities.multiCamera && plan.product.ethernet)
  const kinds = () =>
    [unit?.facts().camera, ...(unit?.facts().cameras?.slice(0, 2) ?? [])].map((one) => one?.kind)
  const ipInput = { protocol: 'srt', url: 'van.example', port: 9000 } as const
  expect(kinds()).toEqual(['sdi', 'sdi', 'sdi'])
  unit?.applySettings({ ipInput: { ...ipInput, enabled: true } })
  expect(kinds()).toEqual(['url', 'url', 'sdi'])
  // The cable of the camera does not matter.
  stage.run(1200)
  expect(unit?.facts().camera?.connected).toBe(true)
  unit?.applySettings({ ipInput: { ...ipInput, enabled: false } })
  expect(kinds()).toEqual(['sdi', 'sdi', 'sdi'])
})

test('a line to which no jack is set has no headset', () => {
  const unit = createStage().units.find(({ plan }) => plan.product.capabilities.intercom)
  const problems = () => ([1, 2] as const).map((line) => unit?.intercom?.problem?.(line))
  expect(problems()).toEqual([null, 'intercom.noHeadset'])
  unit?.applySettings({
    audioJacks: [
      { jack: 1, use: 'off' },
      { jack: 2, use: 'intercom2' },
    ],
  })
  expect(problems()).toEqual(['intercom.noHeadset', null])
})

test('[CONF-003] a link has the address that was set, and carries only where its network has it', () => {
  const stage = createStage({ units: 60 })
  let plugged: number | undefined
  stage.run(5, ({ samples }) => {
    plugged = stage.units.findIndex(({ plan }, at) => {
      const port = plan.links.find(({ kind }) => kind === 'ethernet')?.port
      return samples[at]?.links.some((link) => link.port === port && link.up)
    })
  })
  const unit = stage.units[plugged!]!
  const { port, address: leased } = unit.plan.links.find(({ kind }) => kind === 'ethernet')!
  const network = leased.split('.').slice(0, 3).join('.')
  const fixed = {
    mac: '',
    dhcp: false,
    ip: `${network}.200`,
    subnetMask: '255.255.255.0',
    defaultGateway: `${network}.1`,
    dns1: '',
    dns2: '',
  }
  const link = () => unit.facts().links.find((one) => one.port === port)
  const wasUpWith = (changes: object) => {
    unit.applySettings({ ethernet: { [port]: { ...fixed, ...changes } } })
    let isUp = false
    stage.run(20, ({ samples }) => {
      const sample = samples[stage.units.indexOf(unit)]
      isUp ||= sample?.links.find((one) => one.port === port)?.up === true
    })
    return isUp
  }
  expect(wasUpWith({})).toBe(true)
  expect(link()?.address).toBe(`${network}.200`)
  expect(wasUpWith({ ip: '192.0.2.9' })).toBe(false)
  expect(wasUpWith({ dhcp: true })).toBe(true)
  expect(link()?.address).toBe(leased)
  expect(unit.facts().settings?.ethernet?.[port]?.ip).toBe(leased)
})

/** Another value of each setting, as far as a few numbers show it; names and labels are in the tests above. */
const others: Partial<Record<SettingName, (now: UnitSettings) => UnitSettings>> = {
  videoComplexity: () => ({ videoComplexity: 'complex' }),
  adaptiveResolution: () => ({ adaptiveResolution: false }),
  shootingMode: () => ({ shootingMode: 'motion' }),
  audioChannels: () => ({ audioChannels: 4 }),
  audioBitrate: () => ({ audioBitrate: 192 }),
  totalLimitKbps: () => ({ totalLimitKbps: 1500 }),
  cellularLimitKbps: () => ({ cellularLimitKbps: 700 }),
  leastCostBonding: () => ({ leastCostBonding: 'ETH/Wi-Fi first' }),
  links: ({ links }) => ({
    links: Object.fromEntries(
      Object.keys(links ?? {}).map((port) => [port, { priority: 1, limitKbps: 300 }]),
    ),
  }),
  totalCapping: () => ({ totalCapping: { option: 'custom', customMbps: 1.5 } }),
  cellularCapping: () => ({ cellularCapping: { option: 'custom', customMbps: 0.5 } }),
  linkMode: () => ({ linkMode: 'fixedInternet' }),
}

test.for(Object.keys(others) as SettingName[])(
  'the setting %s changes what is sent or received',
  async (name) => {
    const figures = async (change: boolean) => {
      const stage = createStage({ units: 24 })
      const index = stage.units.findIndex(
        ({ plan }) =>
          plan.product.capabilities.multiCamera && plan.battery === 'built-in' && plan.product.ethernet,
      )
      const unit = stage.units[index]
      if (!unit) throw new Error('no such unit in the plan')
      await stage.goLive(index, 1)
      const now = unit.facts().settings ?? {}
      expect(now).toHaveProperty(name)
      if (change) unit.applySettings(others[name]?.(now) ?? {})
      const seen: unknown[] = []
      stage.run(1200, ({ samples, channels }) => {
        const levels = stage.servers.flatMap((server) => server.levels())
        seen.push(
          samples[index],
          channels,
          levels.map(({ levels: of }) => of.length),
        )
      })
      return JSON.stringify(seen)
    }
    expect(await figures(true)).not.toBe(await figures(false))
  },
)
