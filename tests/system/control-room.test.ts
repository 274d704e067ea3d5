// One evening in a control room: two crews with their cameras, two servers, shaped networks between them. Every step is judged
// by what arrives: pictures at the far end, sound in a headset, files on the server, packets on an interface.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import type { DestinationRequest } from '@backhaul/contract/nouns/destinations'
import { streamPath } from '@backhaul/contract/nouns/previews'
import type { SettingChanges, UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import type { Unit } from '@backhaul/contract/nouns/units'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { patientMs } from '@backhaul/runtime/testing/until'
import { SAMPLE_RATE } from '@backhaul/speech/frames'
import { loudnessOf } from '@backhaul/speech/testing/tones'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { WebSocket } from 'ws'
import type { z } from 'zod'
import { repository } from '../../scripts/places.ts'
import { bytesBelow } from '../stage/bytes-below.ts'
import { goOnFromEachOther } from '../stage/chains.ts'
import { colourOf, colourOfStream, ffmpeg, film, pausesMs, pixel } from '../stage/films.ts'
import {
  bytesSent,
  canMakeNamespaces,
  makeByIp,
  makeCable,
  makeNamespace,
  removeNamespace,
  runIn,
} from '../stage/networks.ts'
import { type Listener, type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const ffmpegPath = findFfmpeg()
const folder = mkdtempSync(join(tmpdir(), 'backhaul-control-room-'))
const patienceMs = patientMs(120_000)
const studio = `bh-studio-${process.pid}`
const coreHost = '10.190.0.1'
const hubs = { 'Hub-1': '10.190.0.11', 'Hub-2': '10.190.0.12' } as const
const tallyPort = 20_800
type VanName = 'Van-1' | 'Van-2'
/** Each has three links to the studio, of which the first two are modems. */
const vans = {
  'Van-1': { namespace: `bh-van1-${process.pid}`, network: 1, films: ['red', 'blue'], hertz: 400 },
  'Van-2': { namespace: `bh-van2-${process.pid}`, network: 2, films: ['lime', 'yellow'], hertz: 700 },
} as const
const links = [
  { name: 'wwan0', kbps: 4000 },
  { name: 'wwan1', kbps: 4000 },
  { name: 'eth0', kbps: 8000 },
] as const
const enoughBytes = 150_000
/** The least strength of a tone that is heard in a headset. */
const audible = 2000

interface Channel {
  uniqueId: string
  name: string
  serverName: string
}

const placeOf = (name: VanName, what: string) => join(folder, `${name}.${what}`)

/** A microphone in whose room a tone is heard while a file is there. */
const microphone = `
import { existsSync } from 'node:fs'
const [hertz, flag] = process.argv.slice(2)
const began = performance.now()
let at = 0
setInterval(() => {
  while (at < ((performance.now() - began) * ${SAMPLE_RATE}) / 1000) {
    const frame = Buffer.alloc(960 * 2)
    if (existsSync(flag))
      for (let i = 0; i < 960; i++)
        frame.writeInt16LE(Math.round(12000 * Math.sin((2 * Math.PI * hertz * (at + i)) / ${SAMPLE_RATE})), 2 * i)
    at += 960
    process.stdout.write(frame)
  }
}, 10)
`

/** Whether the last tenth of a second in a headset is the tone of the other crew. */
function hears(name: VanName, hertz: number): boolean {
  const path = placeOf(name, 'headset')
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  const last = bytes.subarray(0, bytes.length - (bytes.length % 2)).subarray(-SAMPLE_RATE / 5)
  const samples = Int16Array.from({ length: last.length / 2 }, (_, at) => last.readInt16LE(at * 2))
  return samples.length > 0 && loudnessOf(hertz, samples) > audible
}

describe.runIf(ffmpegPath && process.env.TEST_BUILT_PROGRAMS && canMakeNamespaces())('a control room', () => {
  let stage: Stage
  let person: Person
  let push: Listener
  let channels: Channel[]
  let publicKey: string
  const keyFile = join(folder, 'signing.pem')
  const units = new Map<VanName, Unit>()
  goOnFromEachOther()

  const idOf = (name: VanName) => units.get(name)?.uid ?? ''
  const params = (name: VanName) => ({ id: idOf(name) })
  const inventory = () => ({ id: units.get('Van-1')?.inventoryId ?? '' })
  const channelOf = (hub: keyof typeof hubs, name: string) =>
    channels.find((one) => one.serverName === hub && one.name.endsWith(name))!
  const unitIs = (name: VanName, check: (unit: Unit) => boolean) =>
    push.until(`unit.${idOf(name)}`, (unit) => check(unit as Unit), patienceMs)
  const channelIs = ({ uniqueId }: Channel, wanted: string) =>
    push.until(`channel.${uniqueId}`, ({ status }) => status === wanted, patienceMs)
  const settingsOf = async (name: VanName): Promise<UnitSettings> =>
    (await person.call(api.units.configuration, { params: params(name) })).settings
  const configure = (name: VanName, body: z.infer<typeof SettingChanges>) =>
    person.call(api.unitSettings.configure, { params: params(name), body })

  /** As an administrator runs it by npm; its standard output. */
  function script(name: string, ...args: string[]): string {
    const path = join(repository, 'scripts', name)
    const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`${name}: ${stderr}`)
    return stdout
  }

  function makeNetworks(): void {
    makeNamespace(studio)
    for (const address of [coreHost, ...Object.values(hubs)])
      makeByIp('-n', studio, 'addr', 'add', `${address}/32`, 'dev', 'lo')
    for (const { namespace, network } of Object.values(vans)) {
      makeNamespace(namespace)
      for (const [at, { name, kbps }] of links.entries()) {
        const net = `10.19${network}.${at}`
        makeCable(
          { namespace, name, address: `${net}.2` },
          { namespace: studio, name: `van${network}-${name}`, address: `${net}.1` },
          kbps,
        )
      }
      for (const at of links.keys()) openRoute(namespace, network, at)
    }
  }

  /** The way out over a link; that over the cable comes first. */
  function openRoute(namespace: string, network: number, at: number): void {
    const way = ['via', `10.19${network}.${at}.1`, 'dev', links[at]!.name, 'metric', String(300 - 100 * at)]
    makeByIp('-n', namespace, 'route', 'replace', 'default', ...way)
  }

  const startHub = (name: keyof typeof hubs, env: NodeJS.ProcessEnv) =>
    stage.start('hub', {
      as: name,
      env: {
        BACKHAUL_HUB_NAME: name,
        BACKHAUL_HUB_ADDRESS: hubs[name],
        BACKHAUL_HUB_UNIT_HOST: hubs[name],
        BACKHAUL_HUB_CHANNELS: '3',
        BACKHAUL_UPGRADE_KEY: publicKey,
        ...env,
      },
    })

  const startVan = (name: VanName) => {
    const { namespace, films, hertz } = vans[name]
    const talk = [process.execPath, placeOf(name, 'microphone.mjs'), hertz, placeOf(name, 'talks')]
    writeFileSync(placeOf(name, 'microphone.mjs'), microphone)
    return stage.start('agent', {
      as: name,
      namespace,
      env: {
        BACKHAUL_UNIT_NAME: name,
        BACKHAUL_REGISTRATION_KEY: stage.registrationKey,
        BACKHAUL_CORE_URL: `ws://${coreHost}:${new URL(stage.innerUrl).port}/gateway`,
        BACKHAUL_SOURCE: film(folder, films[0]),
        BACKHAUL_SOURCE_2: film(folder, films[1]),
        BACKHAUL_BITRATE_KBPS: '1500',
        BACKHAUL_RETURN_PORT: '0',
        BACKHAUL_RETURN_DISPLAY: `cat > ${placeOf(name, 'display')}`,
        BACKHAUL_MICROPHONE_1: `exec ${talk.join(' ')}`,
        BACKHAUL_SPEAKER_1: `cat >> ${placeOf(name, 'headset')}`,
        BACKHAUL_TALLY_COMMAND: `printf '%s\\n' >> ${placeOf(name, 'light')}`,
        BACKHAUL_UPGRADE_KEY: publicKey,
      },
    })
  }

  beforeAll(async () => {
    publicKey = script('package-key.ts', keyFile).trim()
    makeNetworks()
    stage = await openStage({ demo: 0, namespace: studio })
    await startHub('Hub-1', {
      BACKHAUL_HUB_CAMERAS: '2',
      BACKHAUL_HUB_RETURN_CHANNELS: '1',
      BACKHAUL_HUB_RETURN_INPUTS: film(folder, 'yellow'),
    })
    await startHub('Hub-2', {
      BACKHAUL_HUB_CAMERAS: '2',
      BACKHAUL_HUB_TALLY_PORT: String(tallyPort),
      BACKHAUL_HUB_TALLIES: '1',
    })
    for (const name of Object.keys(vans) as VanName[]) await startVan(name)
    const root = await signIn(stage.url, 'admin', adminPassword)
    const { items } = await root.call(api.users.list, { query: { search: 'admin' } })
    await root.call(api.users.change, { params: { id: items[0]?.id ?? '' }, body: { services: ['tally'] } })
    person = await signIn(stage.url, 'admin', adminPassword)
    const query = { group: 'newsroom' }
    await until(
      'both units on all their links',
      async () => {
        for (const unit of await person.call(api.units.ofGroup, { query }))
          if (unit.idle && unit.modems.length === links.length) units.set(unit.name as VanName, unit)
        return units.size === 2
      },
      patienceMs,
    )
    channels = await until(
      'the channels of both servers',
      async () => {
        const { items: found } = await person.call(api.channelAdministration.list, { query: { limit: 100 } })
        const has = (hub: string, name: string) =>
          found.some((one) => one.serverName === hub && one.name.endsWith(name))
        return has('Hub-1', 'Cameras') && has('Hub-2', 'Cameras') ? found : undefined
      },
      patienceMs,
    )
    push = await person.listen([
      ...[...units.values()].map(({ uid }) => `unit.${uid}`),
      ...channels.map(({ uniqueId }) => `channel.${uniqueId}`),
    ])
  }, 4 * patienceMs)
  afterAll(async () => {
    push?.close()
    await stage?.stop()
    for (const name of [studio, ...Object.values(vans).map(({ namespace }) => namespace)])
      removeNamespace(name)
    rmSync(folder, { recursive: true, force: true })
  })

  const showLines = () => console.error(stage.lines.slice(-80).join('\n'))

  /** The stream of a channel from now on: its beginning, and then all of it while `look` runs. */
  async function streamOf({ uniqueId }: Channel, look = async () => {}): Promise<Buffer> {
    const socket = new WebSocket(`${stage.url.replace(/^http/, 'ws')}${streamPath(uniqueId)}`, {
      headers: { cookie: person.cookie },
    })
    const received: Buffer[] = []
    const hasEnough = () => Buffer.concat(received).length > enoughBytes
    socket.on('message', (bytes: Buffer) => received.push(bytes))
    socket.on('error', () => {})
    try {
      await until('the stream', hasEnough, patienceMs)
      await look()
    } finally {
      socket.close()
    }
    return Buffer.concat(received)
  }
  /** The newest picture that the server gives of a channel now. */
  const shownOn = async (channel: Channel) => colourOfStream(await streamOf(channel))
  const shows = (channel: Channel, colour: string) =>
    until(`${channel.name} shows ${colour}`, async () => (await shownOn(channel)) === colour, patienceMs)

  async function goLive(name: VanName, channel: Channel): Promise<void> {
    await unitIs(name, ({ idle }) => idle)
    await person.call(api.unitCommands.start, { params: params(name), body: { channel: channel.uniqueId } })
    await channelIs(channel, 'collecting')
  }
  async function goOff(name: VanName): Promise<void> {
    await person.call(api.unitCommands.stop, { params: params(name) })
    await unitIs(name, ({ idle }) => idle)
  }

  const recordings = (name: VanName) =>
    readdirSync(join(stage.dataFolder, name), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.mp4') && !path.includes('.recording'))
      .map((path) => join(stage.dataFolder, name, path))

  test(
    'a crew records its second camera for later, with the labels of its story',
    async () => {
      onTestFailed(showLines)
      const unit = { params: params('Van-2') }
      const highQualityChannel = channelOf('Hub-2', 'Channel-1').uniqueId
      await person.call(api.cameras.setSwitcher, {
        ...unit,
        body: { highQualityChannel, proxyChannel: null },
      })
      await unitIs('Van-2', ({ multiCameraSelectedMode }) => multiCameraSelectedMode === 'switcher')
      await person.call(api.cameras.setInput, { ...unit, body: { sdiPort: 2 } })
      await unitIs('Van-2', ({ cameraInput }) => cameraInput === 2)
      const story = await person.call(api.stories.create, {
        params: inventory(),
        body: { slugline: 'HARBOUR FIRE' } as never,
      })
      const place = { ...inventory(), unit: idOf('Van-2'), storyId: story.storyId }
      await person.call(api.stories.assign, { params: place })
      await until(
        'the labels at the unit',
        async () => (await settingsOf('Van-2')).metadata?.slugline === 'HARBOUR FIRE',
        patienceMs,
      )
      await configure('Van-2', { sendMode: 'storeAndForward' })
      await unitIs('Van-2', ({ applications }) => applications?.store?.state === 'running')
      const recording = join(stage.dataFolder, 'Van-2', 'media', '.recording')
      await until('pictures in it', () => bytesBelow(recording) > 200_000, patienceMs)
      await configure('Van-2', { sendMode: 'live' })
      await until('the recording', () => recordings('Van-2').length === 1, patienceMs)
      await person.call(api.cameras.leave, { ...unit, body: {} })
      await unitIs('Van-2', ({ multiCameraSelectedMode }) => multiCameraSelectedMode === null)
    },
    3 * patienceMs,
  )

  test(
    'both crews are live with two cameras each',
    async () => {
      onTestFailed(showLines)
      for (const [name, hub] of [
        ['Van-1', 'Hub-1'],
        ['Van-2', 'Hub-2'],
      ] as const) {
        await unitIs(name, ({ idle }) => idle)
        await person.call(api.cameras.setFeeds, {
          params: params(name),
          body: {
            numberOfFeeds: 2,
            channelSelectionMode: 'automaticByServer',
            channel: channelOf(hub, 'Cameras').uniqueId,
          },
        })
        await unitIs(name, ({ multiCameraSelectedMode }) => multiCameraSelectedMode === 'highQuality')
        await person.call(api.cameras.start, { params: params(name), body: {} })
      }
      await shows(channelOf('Hub-1', 'Channel-1'), 'red')
      await shows(channelOf('Hub-1', 'Channel-2'), 'blue')
      await shows(channelOf('Hub-2', 'Channel-1'), 'lime')
      await shows(channelOf('Hub-2', 'Channel-2'), 'yellow')
      // Bonded: each link of both crews carries pictures, by the kernel.
      for (const { namespace } of Object.values(vans))
        for (const { name } of links)
          await until(`pictures over ${name}`, () => bytesSent(namespace, name) > 100_000, patienceMs)
    },
    3 * patienceMs,
  )

  test(
    'one of them continues with its first camera alone',
    async () => {
      onTestFailed(showLines)
      await person.call(api.cameras.stop, { params: params('Van-2') })
      await channelIs(channelOf('Hub-2', 'Channel-2'), 'idle')
      await unitIs('Van-2', ({ idle }) => idle)
      await person.call(api.cameras.leave, { params: params('Van-2'), body: {} })
      await unitIs('Van-2', ({ multiCameraSelectedMode }) => multiCameraSelectedMode === null)
      await goLive('Van-2', channelOf('Hub-2', 'Channel-1'))
      await shows(channelOf('Hub-2', 'Channel-1'), 'lime')
      expect(await shownOn(channelOf('Hub-1', 'Channel-2'))).toBe('blue')
    },
    3 * patienceMs,
  )

  test(
    'the vision mixer takes one of them: the light of its camera is red, that of the other is not',
    async () => {
      onTestFailed(showLines)
      const tallies = await until('the tallies', async () => {
        const found = await person.call(api.interfaces.tallies, { params: inventory() })
        return found.length > 0 ? found : undefined
      })
      await person.call(api.interfaces.associateTally, {
        params: inventory(),
        body: { tally: tallies[0]?.id ?? '', channel: channelOf('Hub-2', 'Channel-1').uniqueId },
      })
      // TSL UMD 3.1: display 1, its first lamp on.
      const display = Buffer.concat([Buffer.of(0x81, 0x31), Buffer.from('CAMERA'.padEnd(16))])
      const send = `const s = require('node:dgram').createSocket('udp4'); s.send(Buffer.from('${display.toString('hex')}', 'hex'), ${tallyPort}, '127.0.0.1', () => s.close())`
      const light = (name: VanName) => {
        const path = placeOf(name, 'light')
        return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').at(-1) : undefined
      }
      await until(
        'the red light',
        () => {
          runIn(studio, process.execPath, ['-e', send])
          return light('Van-2') === 'on'
        },
        patienceMs,
      )
      expect(light('Van-1')).not.toBe('on')
    },
    2 * patienceMs,
  )

  test(
    'a crew sees the picture of the studio, and both talk with each other',
    async () => {
      onTestFailed(showLines)
      const [channel] = await person.call(api.videoReturn.ofGroup, { params: { groupId: 'newsroom' } })
      const body = { channel: channel?.uniqueId ?? '' }
      await person.call(api.videoReturn.select, { params: params('Van-1'), body })
      await person.call(api.videoReturn.start, { params: params('Van-1') })
      const display = placeOf('Van-1', 'display')
      await until(
        'the picture of the studio',
        () => existsSync(display) && colourOfStream(readFileSync(display)) === 'yellow',
        patienceMs,
      )

      await person.call(api.services.add, { params: inventory(), body: { name: 'web_aud_connect' } })
      await person.call(api.inventories.update, { params: inventory(), body: { sipServer: 'rooms.example' } })
      const room = await person.call(api.audioRooms.create, {
        params: inventory(),
        body: { name: 'Gallery', units: [...units.values()].map(({ uid }) => uid) },
      })
      for (const name of Object.keys(vans) as VanName[]) {
        const line = { intercom: 1 as const, mode: 'audioRoom' as const, destinationAccount: room.id }
        await person.call(api.intercom.set, { params: params(name), body: line })
        await unitIs(name, ({ intercoms }) => intercoms[0]?.destinationAccount === room.id)
        await person.call(api.intercom.start, { params: { ...params(name), session: 1 }, body: {} })
        await unitIs(name, ({ intercoms }) => intercoms[0]?.state === 'connected')
      }
      for (const [speaker, listener] of [
        ['Van-1', 'Van-2'],
        ['Van-2', 'Van-1'],
      ] as const) {
        const began = performance.now()
        writeFileSync(placeOf(speaker, 'talks'), '')
        while (!hears(listener, vans[speaker].hertz)) {
          if (performance.now() - began > patienceMs) throw new Error(`${listener} does not hear ${speaker}`)
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
        console.info(`${listener} hears ${speaker} after ${Math.round(performance.now() - began)} ms`)
        expect(hears(speaker, vans[speaker].hertz)).toBe(false)
        rmSync(placeOf(speaker, 'talks'))
      }
    },
    4 * patienceMs,
  )

  test(
    'the dearer links are filled last, and carry the picture alone when the cheap one is cut',
    async () => {
      onTestFailed(showLines)
      const { namespace, network } = vans['Van-2']
      const channel = channelOf('Hub-2', 'Channel-1')
      await configure('Van-2', { leastCostBonding: 'ETH/Wi-Fi first' })
      const counts = () => links.map(({ name }) => bytesSent(namespace, name))
      let before = counts()
      await until(
        'nearly everything to go over the cable',
        async () => {
          await new Promise((resolve) => setTimeout(resolve, 2000))
          const now = counts()
          const [one = 0, two = 0, cable = 0] = now.map((bytes, at) => bytes - before[at]!)
          before = now
          return cable > 100_000 && cable > 5 * (one + two)
        },
        patienceMs,
      )
      makeByIp('-n', namespace, 'link', 'set', 'eth0', 'down')
      await unitIs('Van-2', ({ modems }) => modems.length < links.length)
      await shows(channel, 'lime')
      makeByIp('-n', namespace, 'link', 'set', 'eth0', 'up')
      openRoute(namespace, network, 2)
      await unitIs('Van-2', ({ modems }) => modems.length === links.length)
    },
    3 * patienceMs,
  )

  test(
    'what was recorded of the second camera arrives whole, with its labels, without a break in the live picture of the first',
    async () => {
      onTestFailed(showLines)
      const [source = ''] = recordings('Van-2')
      const uploads = join(stage.dataFolder, 'Hub-2', 'uploads')
      const arrived = () => {
        if (!existsSync(uploads)) return undefined
        const found = readdirSync(uploads, { recursive: true, encoding: 'utf8' })
        const path = found.find((one) => one.endsWith('.mp4'))
        return path && join(uploads, path)
      }
      const live = await streamOf(channelOf('Hub-2', 'Channel-1'), async () => {
        await person.call(api.unitFiles.upload, { params: params('Van-2'), body: { paths: [source] } })
        await until('the file on the server', arrived, patienceMs)
      })
      const file = arrived() ?? ''
      const hash = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
      expect(hash(file)).toBe(hash(source))
      const { stderr } = spawnSync(ffmpegPath!, ['-i', file], { encoding: 'utf8' })
      expect(stderr).toMatch(/slugline\s*: HARBOUR FIRE/)
      expect(colourOf(ffmpeg(`-i ${file} ${pixel}`))).toBe('yellow')
      expect(colourOfStream(live)).toBe('lime')
      const pauses = pausesMs(live)
      expect(pauses.length).toBeGreaterThan(25)
      // An encoder without a processor skips a second of pictures on a busy machine, which is no fault of the upload.
      expect(Math.max(...pauses)).toBeLessThan(3000)
    },
    2 * patienceMs,
  )

  /** A platform in the studio that waits for the stream: the picture that it decodes. */
  async function taken(
    args: readonly string[],
    destination: DestinationRequest,
  ): Promise<string | undefined> {
    const words = ['netns', 'exec', studio, ffmpegPath!, '-v', 'quiet', '-nostdin', ...args]
    const platform = spawn('ip', [...words, '-frames:v', '1', ...pixel.split(' ')])
    const parts: Buffer[] = []
    platform.stdout.on('data', (part: Buffer) => parts.push(part))
    try {
      const { uniqueId: uid } = channelOf('Hub-2', 'Channel-1')
      await person.call(api.destinations.add, { body: { uid, destination } })
      return await until('a picture', () => colourOf(Buffer.concat(parts)), patienceMs)
    } finally {
      platform.kill('SIGKILL')
    }
  }

  test(
    'a platform by RTMP and an archive by RTSP get the picture',
    async () => {
      onTestFailed(showLines)
      const rtmp = 'rtmp://127.0.0.1:20950/live/key-1'
      const live = { name: 'Platform', streamType: 'RTMP', urlPrimary: rtmp } as const
      expect(await taken(['-listen', '1', '-i', rtmp], live)).toBe('lime')
      const rtsp = 'rtsp://127.0.0.1:20960/archive'
      const archive = { name: 'Archive', streamType: 'RTSP', urlPrimary: rtsp } as const
      const listening = ['-rtsp_flags', 'listen', '-rtsp_transport', 'tcp', '-i', rtsp]
      expect(await taken(listening, archive)).toBe('lime')
    },
    3 * patienceMs,
  )

  test(
    'a unit that is rebooted on air is back on air',
    async () => {
      onTestFailed(showLines)
      const command = { ...params('Van-2'), command: 'reboot' } as const
      const starts = () => stage.lines.filter((line) => /^Van-2: .*unit started/.test(line)).length
      const before = starts()
      await person.call(api.unitCommands.command, { params: command, body: { whileBusy: true } })
      await unitIs('Van-2', (unit) => unit.command?.name === 'reboot' && unit.command.state === 'confirmed')
      expect(starts()).toBe(before + 1)
      await channelIs(channelOf('Hub-2', 'Channel-1'), 'collecting')
      await shows(channelOf('Hub-2', 'Channel-1'), 'lime')
    },
    3 * patienceMs,
  )

  test(
    'after the programme a unit and a server get new software, and are live again',
    async () => {
      onTestFailed(showLines)
      await person.call(api.cameras.stop, { params: params('Van-1') })
      await goOff('Van-2')
      const packages = join(stage.dataFolder, 'core', 'packages')
      mkdirSync(packages, { recursive: true })
      const hubData = join(stage.dataFolder, 'Hub-2')
      const { deviceId } = JSON.parse(readFileSync(join(hubData, 'token.json'), 'utf8')) as {
        deviceId: string
      }
      const product = units.get('Van-2')?.type ?? ''
      for (const [program, number, id, products] of [
        ['agent', '8.0.1', idOf('Van-2'), [product]],
        ['hub', '10.1.1', deviceId, ['MMH Server']],
      ] as const) {
        script('package.ts', program, number, '--key', keyFile, '--out', packages)
        const { id: versionNumberId } = await person.call(api.softwareVersions.create, {
          body: { number, path: `${program}-${number}.bhp`, products: [...products] },
        })
        const body = { versionNumberId, upgradeNow: true }
        await person.call(api.upgrades.setTarget, { params: { id }, body })
        const state = await until(
          `the end of the upgrade of the ${program}`,
          async () => {
            const upgrade = await person.call(api.upgrades.target, { params: { id } })
            return upgrade && !['pending', 'upgrading'].includes(upgrade.state) ? upgrade : undefined
          },
          patienceMs,
        )
        expect(state).toMatchObject({ state: 'succeeded', reason: null })
      }
      await channelIs(channelOf('Hub-2', 'Channel-1'), 'idle')
      await goLive('Van-2', channelOf('Hub-2', 'Channel-1'))
      await shows(channelOf('Hub-2', 'Channel-1'), 'lime')
      await goOff('Van-2')
    },
    5 * patienceMs,
  )
})
