/** The effect of each setting of a unit on the data that it sends or records. */
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { WantedFeed } from '@backhaul/contract/gateway/units'
import type { SettingName, UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { readTimeUnit } from '@backhaul/ffmpeg/frame-times'
import { until } from '../stage/until.ts'
import { makeFilm, playFilm } from './film.ts'
import { freePort } from './free-port.ts'
import { describe, type ReceivedPicture, sessionKey } from './received-picture.ts'
import { patienceMs } from './shared-cases.ts'
import type { UnitAtCore } from './unit-at-core.ts'
import { sendsTenBits } from './unit-depth-case.ts'
import { callsChannel, leavesLine } from './unit-talk.ts'
import { linkAddresses, type UnitUnderTest } from './unit-under-test.ts'
import type { Absence, Cases, Look } from './verdicts.ts'

/** The unit does not name the setting, and does not take it up when core wants it. */
export const without = <Name extends SettingName>(
  name: Name,
  value: NonNullable<UnitSettings[Name]>,
  reason: string,
): Absence<UnitAtCore> => ({
  reason,
  async check(unit) {
    await unit.want({ settings: { [name]: value } })
    const named = unit.actual().settings?.[name]
    await unit.want({ settings: {} })
    if (named !== undefined)
      throw new Error(`the unit reports ${JSON.stringify(named)}, but has no such effect`)
    return reason
  },
})

const sizeIn = (description: string) => /Video:.*?\b(\d{2,4}x\d{2,4})\b/.exec(description)?.[1]

/** The height of the picture on air, once it is another one than before. */
async function heightUnder(unit: UnitUnderTest, settings: UnitSettings, wanted: string): Promise<string> {
  await unit.goOnAir()
  return await unit.withSettings(settings, async () => {
    await until(
      `a picture of ${wanted}`,
      async () => sizeIn(await unit.first.described()) === wanted,
      patienceMs,
    )
    return wanted
  })
}

/** The total rate sent does not exceed the limit. */
const staysBelow =
  (settings: UnitSettings, limitKbps: number, address?: string): Look<UnitUnderTest> =>
  async (unit) => {
    await unit.goOnAir()
    const read = () => unit.first.kbps(address)
    const before = await until(
      `much more than ${limitKbps} kbit/s`,
      () => (read() > limitKbps * 1.2 ? read() : undefined),
      patienceMs,
    )
    return await unit.withSettings(settings, async () => {
      const after = await until(
        `${limitKbps} kbit/s or less`,
        () => (read() <= limitKbps * 1.05 ? read() : undefined),
        patienceMs,
      )
      return `${Math.round(before)} kbit/s became ${Math.round(after)}`
    })
  }

/** The same of the modem, which is filled before the other link. */
const keepsModemBelow =
  (settings: UnitSettings, limitKbps: number): Look<UnitUnderTest> =>
  (unit) =>
    unit.withSettings({ leastCostBonding: 'modems first' }, () =>
      staysBelow(settings, limitKbps, linkAddresses.modem)(unit),
    )

/** The one of the two links that carries nearly everything. */
const carries = (unit: UnitUnderTest, link: keyof typeof linkAddresses) => {
  const share = unit.first.kbps(linkAddresses[link]) / Math.max(1, unit.first.kbps())
  return unit.first.kbps() > 300 && share > 0.85
}

const fills =
  (link: keyof typeof linkAddresses, settings: UnitSettings): Look<UnitUnderTest> =>
  async (unit) => {
    await unit.goOnAir()
    return await unit.withSettings(settings, async () => {
      await until(`the ${link} link to carry the picture`, () => carries(unit, link), patienceMs)
      return `the ${link} link carries the picture`
    })
  }

const feedTo = (camera: number | null, { target }: ReceivedPicture): WantedFeed => ({
  camera,
  channelId: 'two',
  key: sessionKey.toString('base64'),
  targets: [target],
})

/** The camera mode is set before the start, since no transmission may run then. */
async function inMode<T>(
  unit: UnitUnderTest,
  cameraMode: 'highQuality' | 'switcher' | 'switcherAndProxy',
  look: () => Promise<T>,
): Promise<T> {
  await unit.goOffAir()
  await unit.want({ settings: { cameraMode } })
  try {
    if (cameraMode === 'highQuality')
      await unit.goOnAir({ activity: 'multiCamera', feeds: [feedTo(2, unit.second)] })
    else if (cameraMode === 'switcher') await unit.goOnAir({ activity: 'switcher' })
    else await unit.goOnAir({ activity: 'switcherAndProxy', feeds: [feedTo(null, unit.second)] })
    return await look()
  } finally {
    await unit.goOffAir()
    await unit.want({ settings: { cameraMode: 'single' } })
  }
}

const filesBelow = (folder: string) =>
  (readdirSync(folder, { recursive: true, withFileTypes: true }) ?? [])
    .filter(
      (entry) => entry.isFile() && entry.name.endsWith('.mp4') && !entry.parentPath.includes('.recording'),
    )
    .map(({ parentPath, name }) => join(parentPath, name))

const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { name, parentPath }) => sum + statSync(join(parentPath, name)).size, 0)

/** Records for a moment with these settings; the path of the file. */
async function record(unit: UnitUnderTest, settings: UnitSettings, lastsMs = 500): Promise<string> {
  await unit.goOffAir()
  const media = join(unit.folder, 'unit', 'media')
  const before = new Set(filesBelow(media))
  return await unit.withSettings(settings, async () => {
    await unit.want({ settings: { sendMode: 'storeAndForward' } })
    await until('the recording to run', () => unit.actual().applications?.store?.state === 'running')
    await until('something recorded', () => bytesBelow(join(media, '.recording')) > 200_000, patienceMs)
    await new Promise((resolve) => setTimeout(resolve, lastsMs))
    await unit.want({ settings: { sendMode: 'live' } })
    return await until('the recorded file', () => filesBelow(media).find((path) => !before.has(path)))
  })
}

/** The path of a file among those of the unit: one that is there, or else a recording. */
export async function anyFile(unit: UnitUnderTest): Promise<string> {
  return filesBelow(join(unit.folder, 'unit', 'media'))[0] ?? (await record(unit, {}))
}

const rateOf = (description: string) => Number(/bitrate: (\d+) kb\/s/.exec(description)?.[1] ?? 0)

/** The sound alone of some seconds on air, in kbit/s. */
function soundKbps(unit: UnitUnderTest, stream: Buffer): number {
  const run = (words: string) =>
    spawnSync(unit.ffmpegPath, words.split(' '), { input: stream, maxBuffer: 1e9 }).stdout.length
  const seconds = run('-v quiet -f mpegts -i pipe:0 -vn -ac 1 -ar 8000 -f s16le pipe:1') / 16_000
  return (run('-v quiet -f mpegts -i pipe:0 -vn -c copy -f adts pipe:1') * 8) / 1000 / seconds
}

const recordings: Cases<UnitUnderTest> = {
  async 'setting sendMode'(unit) {
    const path = await record(unit, {})
    const description = describe(unit.ffmpegPath, path)
    if (!/Video: h264/.test(description)) throw new Error(`no recording: ${description}`)
    return 'stored as a file while it is set'
  },
  async 'setting storeAndForwardEncoder'(unit) {
    const path = await record(unit, { storeAndForwardEncoder: 'H.265/HEVC' })
    if (!/Video: hevc/.test(describe(unit.ffmpegPath, path))) throw new Error('the file is not H.265')
    return 'the file is H.265'
  },
  async 'setting storeAndForwardQuality'(unit) {
    const rates: number[] = []
    for (const quality of ['low', 'high'] as const) {
      const storeAndForwardQuality = { 'H.264/AVC': quality, 'H.265/HEVC': quality }
      rates.push(rateOf(describe(unit.ffmpegPath, await record(unit, { storeAndForwardQuality }, 4000))))
    }
    const [low = 0, high = 0] = rates
    if (!(low > 0 && high > 2 * low)) throw new Error(`${low} kbit/s when low, ${high} when high`)
    return `${low} kbit/s when low, ${high} when high`
  },
  async 'setting filenamePrefix'(unit) {
    const path = await record(unit, { filenamePrefix: 'derby-' })
    if (!/\/derby-[^/]*$/.test(path)) throw new Error(`the file is ${path}`)
    return 'the name of the file begins with it'
  },
  async 'setting metadata'(unit) {
    const path = await record(unit, { metadata: { event: 'derby' } })
    if (!/event\s*: derby/.test(describe(unit.ffmpegPath, path)))
      throw new Error('the file does not contain it')
    await unit.goOnAir()
    return await unit.withSettings({ metadata: { event: 'derby' } }, async () => {
      const bears = async () => /service_provider: event=derby/.test(await unit.first.described())
      await until('the label of the live picture', bears, patienceMs)
      return 'a label of the file, and of the service that is sent'
    })
  },
  async 'setting defaultMetadata'(unit) {
    const settings: UnitSettings = {
      defaultMetadata: { crew: 'two', event: 'none' },
      metadata: { event: 'derby' },
    }
    const description = describe(unit.ffmpegPath, await record(unit, settings))
    if (!/crew\s*: two/.test(description) || !/event\s*: derby/.test(description))
      throw new Error(`the labels are ${description}`)
    return 'a label of the file, under those of the metadata'
  },
}

const encoding: Cases<UnitUnderTest> = {
  async 'setting videoComplexity'(unit) {
    await unit.goOffAir()
    return await unit.withSettings({ videoComplexity: 'complex' }, async () => {
      await unit.goOnAir()
      // x264 writes into its first frame how it was set.
      const words = '-v quiet -f mpegts -i pipe:0 -map 0:v -c copy -f h264 pipe:1'
      const input = await unit.first.opening()
      const stream = spawnSync(unit.ffmpegPath, words.split(' '), { input, maxBuffer: 1e9 }).stdout
      const effort = /subme=(\d+)/.exec(stream.toString('latin1'))?.[1]
      await unit.goOffAir()
      if (!(Number(effort) > 0)) throw new Error(`the encoder estimates motion by subme=${effort}`)
      return `the encoder estimates motion by subme=${effort}`
    })
  },
  'setting adaptiveResolution': async (unit) => {
    const narrow = { totalLimitKbps: 1300, shootingMode: 'motion' } as const
    const small = await heightUnder(unit, { ...narrow, adaptiveResolution: true }, '640x360')
    const whole = await heightUnder(unit, { ...narrow, adaptiveResolution: false }, '704x396')
    return `${small} at 1300 kbit/s with it, ${whole} without`
  },
  'setting shootingMode': async (unit) => {
    const narrow = { totalLimitKbps: 1300, adaptiveResolution: true } as const
    const small = await heightUnder(unit, { ...narrow, shootingMode: 'motion' }, '640x360')
    const whole = await heightUnder(unit, { ...narrow, shootingMode: 'static' }, '704x396')
    return `${small} at 1300 kbit/s with motion, ${whole} without`
  },
  async 'setting audioChannels'(unit) {
    await unit.goOffAir()
    return await unit.withSettings({ audioChannels: 4 }, async () => {
      await unit.goOnAir()
      const tracks = (await unit.first.described()).match(/Audio: aac.* stereo/g)?.length
      await unit.goOffAir()
      if (tracks !== 2) throw new Error(`four channels are ${tracks} stereo tracks`)
      return 'four channels are two stereo tracks'
    })
  },
  async 'setting audioBitrate'(unit) {
    await unit.goOnAir()
    return await unit.withSettings({ audioBitrate: 192 }, async () => {
      const kbps = await until(
        'sound of about 192 kbit/s',
        async () => {
          const now = soundKbps(unit, await unit.first.next(1_000_000))
          return now > 150 ? now : undefined
        },
        patienceMs,
      )
      return `${Math.round(kbps)} kbit/s of sound`
    })
  },
  async 'setting ntp'(unit) {
    await unit.goOnAir()
    return await unit.withSettings({ ntp: true }, async () => {
      const time = await until(
        'times in frames',
        async () => readTimeUnit(await unit.first.next()),
        patienceMs,
      )
      if (Math.abs(Date.now() - time) > 60_000)
        throw new Error(`a frame carries ${new Date(time).toISOString()}`)
      return 'each frame carries the time of day'
    })
  },
  async 'setting ipInput'(unit) {
    await unit.goOnAir()
    const path = join(unit.folder, 'blue.mkv')
    makeFilm(unit.ffmpegPath, 'blue', path, 2000)
    const port = await freePort()
    const sender = playFilm(unit.ffmpegPath, path, { output: `udp://127.0.0.1:${port}` })
    try {
      const ipInput = { protocol: 'mpegts', url: '127.0.0.1', port, enabled: true } as const
      return await unit.withSettings({ ipInput }, async () => {
        await until(
          'the picture from the network',
          async () => (await unit.first.shown()).includes('blue'),
          patienceMs,
        )
        return 'the picture from the network replaces the camera'
      })
    } finally {
      await sender.stop()
    }
  },
}

/** Ports of the links, as the unit reports them. */
function portsOf(unit: UnitUnderTest): { modem: string; ethernet: string } {
  const portOf = (kind: string) => String(unit.actual().links?.find((link) => link.kind === kind)?.port)
  return { modem: portOf('modem'), ethernet: portOf('ethernet') }
}

const uncapped = { option: 'disabled', customMbps: null } as const
const capped = { option: 'custom', customMbps: 1.5 } as const

const rates: Cases<UnitUnderTest> = {
  'setting totalLimitKbps': staysBelow({ totalLimitKbps: 1500 }, 1500),
  'setting totalCapping': staysBelow({ totalCapping: capped, cellularCapping: uncapped }, 1500),
  'setting cellularLimitKbps': keepsModemBelow({ cellularLimitKbps: 1000 }, 1000),
  'setting cellularCapping': keepsModemBelow({ cellularCapping: { option: 'custom', customMbps: 1 } }, 1000),
  'setting leastCostBonding': fills('ethernet', { leastCostBonding: 'ETH/Wi-Fi first' }),
  'setting linkMode': fills('ethernet', { linkMode: 'fixedInternet' }),
  async 'setting links'(unit) {
    const { modem, ethernet } = portsOf(unit)
    const links = {
      [modem]: { priority: 1, limitKbps: 0 },
      [ethernet]: { priority: 2, limitKbps: 0 },
    } as const
    return await fills('modem', { links, leastCostBonding: 'per interface priority' })(unit)
  },
}

const cameras: Cases<UnitUnderTest> = {
  'setting cameraMode': (unit) =>
    inMode(unit, 'highQuality', async () => {
      const shows = (picture: ReceivedPicture, colour: string) =>
        until(colour, async () => (await picture.shown()).includes(colour), patienceMs)
      await shows(unit.first, 'red')
      await shows(unit.second, 'lime')
      return 'each camera is sent to a channel of its own'
    }),
  'setting cameraInput': (unit) =>
    inMode(unit, 'switcher', () =>
      unit.withSettings({ cameraInput: 2 }, async () => {
        await until('the second camera', async () => (await unit.first.shown()).includes('lime'), patienceMs)
        return 'the switcher shows the camera'
      }),
    ),
  'setting cameraLimitKbps': (unit) =>
    inMode(unit, 'highQuality', () =>
      unit.withSettings({ cameraLimitKbps: 1000 }, async () => {
        const isBelow = () => [unit.first, unit.second].every(({ kbps }) => kbps() > 100 && kbps() < 1150)
        await until('both cameras below 1000 kbit/s', isBelow, patienceMs)
        return `${Math.round(unit.first.kbps())} and ${Math.round(unit.second.kbps())} kbit/s`
      }),
    ),
  'setting cameraPriorities': (unit) =>
    inMode(unit, 'highQuality', () =>
      unit.withSettings({ totalLimitKbps: 2500, cameraPriorities: [1, 9] }, async () => {
        const isUnequal = () => unit.first.kbps() > 1.5 * unit.second.kbps() && unit.second.kbps() > 50
        await until('the first camera to keep more', isUnequal, patienceMs)
        return `${Math.round(unit.first.kbps())} and ${Math.round(unit.second.kbps())} kbit/s`
      }),
    ),
  'setting multiCameraLabels': (unit) =>
    inMode(unit, 'highQuality', () =>
      unit.withSettings({ multiCameraLabels: ['Goal', 'Bench'] }, async () => {
        const bears = async (picture: ReceivedPicture, label: string) =>
          new RegExp(`service_name\\s*: ${label}`).test(await picture.described())
        await until('the label of the second camera', () => bears(unit.second, 'Bench'), patienceMs)
        if (!(await bears(unit.first, 'Goal'))) throw new Error('the first camera has no label')
        return 'the names of what is sent'
      }),
    ),
}

const absences: Cases<UnitUnderTest> = {
  'setting ancillaryData': without('ancillaryData', true, 'no source of ancillary data without SDI'),
  'setting liveuIq': without('liveuIq', true, 'the choice of networks by a service of its own'),
  'setting xtend': without('xtend', true, 'its link extenders are not there'),
}

export const settingCases: Cases<UnitUnderTest> = {
  ...absences,
  ...recordings,
  ...encoding,
  ...rates,
  ...cameras,
  'setting colorDepth': sendsTenBits,
  'setting intercoms': callsChannel,
  'setting audioJacks': leavesLine,
}
