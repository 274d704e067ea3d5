/** The effect of each setting of a simulated unit, seen in its reports, and in the stream at its server. */
import type { LinkKind } from '@backhaul/contract/nouns/modems'
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { until } from '../stage/until.ts'
import type { ServerAtCore } from './server-at-core.ts'
import { isIn } from './server-reception.ts'
import { logOf } from './shared-cases.ts'
import { record, startOf } from './simulated-unit-card.ts'
import { first, type Simulated, second, transmitting } from './simulation.ts'
import type { UnitAtCore } from './unit-at-core.ts'
import { without } from './unit-settings-cases.ts'
import { callsChannel, leavesLine } from './unit-talk.ts'
import type { Cases, Look } from './verdicts.ts'

type Unit = Simulated<UnitAtCore>

/** Ports of its links of these kinds. */
export const portsOf = (unit: UnitAtCore, ...kinds: readonly LinkKind[]): number[] =>
  (unit.actual().links ?? []).filter(({ kind }) => kinds.includes(kind)).map(({ port }) => port)

/** The total rate that it sends over these links in the newest sample, or over all. */
export function sentKbps(unit: UnitAtCore, ports?: readonly number[]): number {
  const { links = [] } = unit.sample() ?? {}
  return links.reduce((sum, { port, kbps }) => (ports?.includes(port) === false ? sum : sum + kbps), 0)
}

/** The highest rate that it reports during the next samples. */
async function mostOf(unit: UnitAtCore, read: () => number, samples = 10): Promise<number> {
  const seen: number[] = []
  const stop = unit.core.listen(({ type }) => {
    if (type === 'telemetry') seen.push(read())
  })
  await until('some samples', () => seen.length >= samples).finally(stop)
  return Math.max(...seen)
}

/** Above the limit, then never above it while it is set. */
const staysBelow =
  (limit: UnitSettings, limitKbps: number, kind?: LinkKind, always: UnitSettings = {}): Look<Unit> =>
  (unit) =>
    transmitting(
      unit,
      async () => {
        const ports = kind && portsOf(unit, kind)
        const read = () => sentKbps(unit, ports)
        await until(`more than ${limitKbps} kbit/s`, () => read() > limitKbps * 1.1)
        const before = read()
        return await unit.withSettings(limit, async () => {
          const isBelow = (kbps: number) => kbps <= limitKbps * 1.01
          await until(`${limitKbps} kbit/s or less`, () => isBelow(read()))
          const most = await mostOf(unit, read)
          if (!isBelow(most)) throw new Error(`it sends ${most} kbit/s`)
          return `${before} kbit/s became at most ${most}`
        })
      },
      { settings: always },
    )

const custom = (customMbps: number) => ({ option: 'custom', customMbps }) as const
const modemsFirst: UnitSettings = { leastCostBonding: 'modems first' }

/** Links of some kinds carry everything, those of the others nothing. */
const leaves =
  (settings: UnitSettings, empty: readonly LinkKind[], full: readonly LinkKind[]): Look<Unit> =>
  (unit) =>
    transmitting(
      unit,
      async () => {
        await until(`${empty} to carry`, () => sentKbps(unit, portsOf(unit, ...empty)) > 50)
        return await unit.withSettings(settings, async () => {
          await until(`${empty} to carry nothing`, () => sentKbps(unit, portsOf(unit, ...empty)) === 0)
          await until(`${full} to carry`, () => sentKbps(unit, portsOf(unit, ...full)) > 500)
          return `${full.join(' and ')} carries everything, ${empty.join(' and ')} nothing`
        })
      },
      // Little enough for the weaker side.
      { settings: { totalLimitKbps: 1500 } },
    )

const rates: Cases<Unit> = {
  'setting totalLimitKbps': staysBelow({ totalLimitKbps: 1500 }, 1500),
  'setting totalCapping': staysBelow({ totalCapping: custom(1.5) }, 1500),
  'setting cellularLimitKbps': staysBelow({ cellularLimitKbps: 1000 }, 1000, 'modem', modemsFirst),
  'setting cellularCapping': staysBelow({ cellularCapping: custom(1) }, 1000, 'modem', modemsFirst),
  'setting leastCostBonding': leaves(modemsFirst, ['ethernet'], ['modem']),
  'setting linkMode': leaves({ linkMode: 'fixedInternet' }, ['modem'], ['ethernet']),
  async 'setting links'(unit) {
    const [socket = 0] = portsOf(unit, 'ethernet')
    const before = unit.actual().settings?.links ?? {}
    const links = { ...before, [socket]: { priority: 2, limitKbps: 0 } } as const
    const look = leaves({ links, leastCostBonding: 'per interface priority' }, ['ethernet'], ['modem'])
    await look(unit)
    const limited = { ...before, [socket]: { priority: 1, limitKbps: 1000 } } as const
    return await staysBelow({ links: limited }, 1000, 'ethernet', { leastCostBonding: 'ETH/Wi-Fi first' })(
      unit,
    )
  },
}

/** Lines of the picture that the server receives at a limit. */
const linesWith = (unit: Unit, totalLimitKbps: number, settings: UnitSettings) =>
  transmitting(unit, async () => unit.server.channel(first)?.video?.height, {
    settings: { totalLimitKbps, ...settings },
  })

const picture =
  (limitKbps: number, before: UnitSettings, after: UnitSettings): Look<Unit> =>
  async (unit) => {
    const lines = await linesWith(unit, limitKbps, before)
    const more = await linesWith(unit, limitKbps, after)
    if (!lines || !more || more <= lines) throw new Error(`${lines} lines became ${more}`)
    return `${lines} lines at ${limitKbps} kbit/s became ${more}`
  }

const encoding: Cases<Unit> = {
  'setting adaptiveResolution': picture(1170, { adaptiveResolution: true }, { adaptiveResolution: false }),
  'setting videoComplexity': picture(1170, { videoComplexity: 'standard' }, { videoComplexity: 'complex' }),
  'setting shootingMode': picture(1500, { shootingMode: 'motion' }, { shootingMode: 'static' }),
  'setting audioChannels': (unit) =>
    transmitting(unit, async () => {
      let meters = 0
      const stop = unit.server.core.listen((message) => {
        if (message.type !== 'levels') return
        meters = message.channels.find(({ channelId }) => channelId === first)?.levels.length ?? 0
      })
      await until('two meters', () => meters === 2)
      return await unit
        .withSettings({ audioChannels: 4 }, async () => {
          await until('four meters', () => meters === 4)
          return 'the server measures four channels of sound'
        })
        .finally(stop)
    }),
  'setting audioBitrate': (unit) =>
    transmitting(
      unit,
      async () => {
        const read = () => unit.sample()?.encoderKbps ?? 0
        const before = await until('a picture', read)
        return await unit.withSettings({ audioBitrate: 192 }, async () => {
          await until('the sound to take more of the rate', () => before - read() === 192 - 96)
          return `the picture has ${read()} kbit/s in place of ${before}`
        })
      },
      { settings: { totalLimitKbps: 1170 } },
    ),
  async 'setting ipInput'(unit) {
    const kind = () => unit.actual().camera?.kind
    const ipInput = { protocol: 'srt', url: 'van.example', port: 9000, enabled: true } as const
    await unit.withSettings({ ipInput }, () => until('the other source', () => kind() === 'url'))
    await until('the camera', () => kind() === 'sdi')
    return 'the picture from the network is the first camera while it is enabled'
  },
}

const recordings: Cases<Unit> = {
  async 'setting sendMode'(unit) {
    const { path, sizeBytes } = await record(unit)
    return `${path} has ${sizeBytes} bytes`
  },
  async 'setting storeAndForwardEncoder'(unit) {
    const [avc, hevc] = [
      await record(unit, { storeAndForwardEncoder: 'H.264/AVC' }, 1000),
      await record(unit, { storeAndForwardEncoder: 'H.265/HEVC' }, 1000),
    ]
    if (avc.kbps < 1.4 * hevc.kbps) throw new Error(`${avc.kbps} and ${hevc.kbps} kbit/s`)
    return `${avc.kbps} kbit/s of H.264, ${hevc.kbps} of H.265`
  },
  async 'setting storeAndForwardQuality'(unit) {
    const rateOf = async (quality: 'low' | 'high') => {
      const storeAndForwardQuality = { 'H.264/AVC': quality, 'H.265/HEVC': quality }
      return (await record(unit, { storeAndForwardQuality }, 1000)).kbps
    }
    const [low, high] = [await rateOf('low'), await rateOf('high')]
    if (high < 2 * low) throw new Error(`${low} kbit/s when low, ${high} when high`)
    return `${low} kbit/s when low, ${high} when high`
  },
  async 'setting filenamePrefix'(unit) {
    const { path } = await record(unit, { filenamePrefix: 'derby-' })
    if (!/\/derby-[^/]*$/.test(path)) throw new Error(`the file is ${path}`)
    return 'the name of the file begins with it'
  },
  async 'setting metadata'(unit) {
    const { path } = await record(unit, { metadata: { event: 'derby' } })
    const begin = await startOf(unit, path)
    if (!/^(....free)?event=derby\n/s.test(begin)) throw new Error(`the file begins with ${begin}`)
    return 'a label of the file'
  },
  async 'setting defaultMetadata'(unit) {
    const defaultMetadata = { crew: 'two', event: 'none' }
    const { path } = await record(unit, { defaultMetadata, metadata: { event: 'derby' } })
    const begin = await startOf(unit, path)
    if (!/^(....free)?crew=two\nevent=derby\n/s.test(begin)) throw new Error(`the file begins with ${begin}`)
    return 'a label of the file, under those of the metadata'
  },
}

/** Two cameras, each to a channel. */
const withTwo = (unit: Unit, look: () => Promise<string>, settings: UnitSettings = {}) =>
  transmitting(
    unit,
    async () => {
      await isIn(unit.server, '2', 'collecting')
      return await look()
    },
    { settings: { cameraMode: 'highQuality', ...settings }, activity: 'multiCamera', isOfTwo: true },
  )

const kbpsOf = (server: ServerAtCore) => [first, second].map((id) => server.channel(id)?.kbps ?? 0)

/** The name of the picture that a channel receives, by the log of its server. */
const labelOf = async ({ server }: Unit, channelId: string) =>
  /receives "(.*)" at/.exec(await logOf(server, `log-of-${performance.now()}`, { channelId }))?.[1]

const hasLabel = (unit: Unit, channelId: string, label: string) =>
  until(`the picture ${label}`, async () => (await labelOf(unit, channelId)) === label, 5000)

const multiCameraLabels = ['Goal', 'Bench']

const cameras: Cases<Unit> = {
  async 'setting cameraMode'(unit) {
    let isSetUp = false
    const stop = unit.core.listen((message) => {
      if (message.type === 'report') isSetUp ||= message.actual.applications?.changeAvicMode !== undefined
    })
    await withTwo(unit, async () => 'received').finally(stop)
    if (!isSetUp) throw new Error('its cameras were not set up')
    return 'it sets its cameras up, and each is received by a channel of its own'
  },
  'setting cameraInput': (unit) =>
    transmitting(
      unit,
      async () => {
        await hasLabel(unit, first, 'Goal')
        return await unit.withSettings({ cameraInput: 2 }, async () => {
          await hasLabel(unit, first, 'Bench')
          return 'the switcher sends the second camera'
        })
      },
      { settings: { cameraMode: 'switcher', multiCameraLabels }, activity: 'switcher' },
    ),
  'setting multiCameraLabels': (unit) =>
    withTwo(
      unit,
      async () => {
        await hasLabel(unit, first, 'Goal')
        await hasLabel(unit, second, 'Bench')
        return 'the names of what the server receives'
      },
      { multiCameraLabels },
    ),
  'setting cameraLimitKbps': (unit) =>
    withTwo(unit, async () => {
      await until('a camera above 1000 kbit/s', () => kbpsOf(unit.server).some((kbps) => kbps > 1000))
      return await unit.withSettings({ cameraLimitKbps: 1000 }, async () => {
        const read = () => Math.max(...kbpsOf(unit.server))
        await until('both cameras below it', () => read() <= 1000)
        const most = await mostOf(unit, read)
        if (most > 1000) throw new Error(`one has ${most} kbit/s`)
        return `no camera has more than ${most} kbit/s`
      })
    }),
  'setting cameraPriorities': (unit) =>
    withTwo(
      unit,
      async () => {
        const share = () => (kbpsOf(unit.server)[0] ?? 0) / Math.max(1, kbpsOf(unit.server)[1] ?? 0)
        await unit.withSettings({ cameraPriorities: [1, 9] }, () =>
          until('the first camera to have more', () => share() > 1.5),
        )
        await unit.withSettings({ cameraPriorities: [9, 1] }, () =>
          until('the second camera to have more', () => share() < 1 / 1.5),
        )
        return 'the camera before the other has more of the rate'
      },
      { totalLimitKbps: 2500 },
    ),
}

/** The address of the link, and whether it has a way out. */
async function joinsNetwork(unit: Unit): Promise<string> {
  const [port = 0] = portsOf(unit, 'ethernet')
  const address = () => unit.actual().links?.find((link) => link.port === port)?.address
  const isUp = () => unit.sample()?.links.find((link) => link.port === port)?.up
  await until('the socket to be plugged in', isUp)
  const leased = address() ?? ''
  const in24 = (end: number, network = leased.replace(/\.\d+$/, '')) => `${network}.${end}`
  const fixed = { mac: '', dhcp: false, subnetMask: '255.255.255.0', dns1: '', dns2: '' }
  const own = { ...fixed, ip: in24(200), defaultGateway: in24(1) }
  await unit.withSettings({ ethernet: { [port]: own } }, () =>
    until('the address', () => address() === own.ip && isUp()),
  )
  const strange = { ...fixed, ip: in24(9, '192.0.2'), defaultGateway: in24(1, '192.0.2') }
  await unit.withSettings({ ethernet: { [port]: strange } }, () => until('no way out', () => !isUp()))
  await until('the address of the lease', () => address() === leased && isUp())
  return 'the link has the address, and carries only where its network has it'
}

const others: Cases<Unit> = {
  'setting workingMode': (unit) =>
    transmitting(unit, async () => {
      await unit.withSettings({ workingMode: 'fetchlogs' }, async () => {
        await isIn(unit.server, '1', 'connecting')
        // The transmission is still wanted, and the unit reports why it does not start.
        await unit.want({ disabledLinks: [] })
        await until(
          'the refusal of the transmission',
          () => unit.actual().failureCause?.code === 'workingMode.noVideo',
        )
      })
      await isIn(unit.server, '1', 'collecting')
      return 'with fetchlogs the picture ends, with video it comes again'
    }),
  async 'setting xtend'(unit) {
    const isLink = () => unit.actual().links?.some(({ id }) => id === 'Extender X-1')
    await unit.want({ extenders: ['X-1'] })
    await until('the link of the extender', isLink)
    await unit.withSettings({ xtend: false }, () => until('the link to be gone', () => !isLink()))
    await until('the link to be there again', isLink)
    await unit.want({ extenders: [] })
    return 'an extender is no link of the unit while it is off'
  },
  'setting ethernet': joinsNetwork,
  'setting intercoms': callsChannel,
  'setting audioJacks': leavesLine,
}

const absences: Cases<Unit> = {
  'setting colorDepth': without('colorDepth', '10-bit/HDR', 'no picture that could have a depth'),
  'setting ntp': without('ntp', true, 'no frames that could carry a time'),
  'setting ancillaryData': without('ancillaryData', true, 'no picture that it could come with'),
  'setting liveuIq': without('liveuIq', true, 'the choice of networks by a service of its own'),
}

export const simulatedSettingCases: Cases<Unit> = {
  ...absences,
  ...recordings,
  ...encoding,
  ...rates,
  ...cameras,
  ...others,
}
