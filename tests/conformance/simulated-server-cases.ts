/** Everything that core can want of a server or order from it, and everything that it can report, on simulated servers. */
import type { Output, ServerActual, StoredFile } from '@backhaul/contract/gateway/servers'
import { fileIdOf } from '@backhaul/contract/nouns/files'
import type { SmpteStreams } from '@backhaul/contract/nouns/smpte'
import { defaultVrServer } from '@backhaul/contract/nouns/video-return'
import { until } from '../stage/until.ts'
import type { ServerAtCore } from './server-at-core.ts'
import { goesByItsId, keepsAll, keyOf, lastUpdate, serverMessages, studio, without } from './server-cases.ts'
import { intakeOf, isIn } from './server-reception.ts'
import { wantedChannel } from './server-under-test.ts'
import {
  confirmed,
  joinsAgain,
  logOf,
  messages,
  ordersForUnits,
  refused,
  restartsBy,
  sendsLog,
  stopsLog,
} from './shared-cases.ts'
import { fetches } from './simulated-video-return.ts'
import { first, type Simulated, second, targetsOf, transmitting } from './simulation.ts'
import type { Absence, Cases, Look } from './verdicts.ts'

type Server = Simulated<ServerAtCore>

const disk = 'its files are on no disk'

/** It reports none of what would be the sign of it. */
const unclaimed = (
  reason: string,
  isClaimed: (actual: Partial<ServerActual>) => unknown,
): Absence<Server> => ({
  reason,
  async check(server) {
    if (isClaimed(server.actual())) throw new Error('it claims it')
    return 'not claimed'
  },
})

const noSpeech = unclaimed(
  'it has no sound of audio rooms and IFBs',
  ({ capabilities, speechPort, interfaces }) =>
    capabilities?.audioRooms || speechPort != null || interfaces?.some(({ kind }) => kind === 'ifb'),
)
const noPipes = unclaimed(
  'nothing is behind a network of it',
  ({ capabilities, ethernets, ipPipePort }) => capabilities?.ipPipe || ethernets || ipPipePort != null,
)

/** By the video return server next to it. */
async function opensReturnPorts({ returnServer }: Server): Promise<string> {
  const returns = { ...defaultVrServer, firstPort: 31_000 }
  await returnServer.want([wantedChannel('1'), wantedChannel('2')], { returns })
  const ports = () => ['1', '2'].map((slot) => returnServer.ports(slot)?.returnPort).join()
  await until('the ports', () => ports() === '31000,31001')
  return `its channels have the ports ${ports()}`
}

const returnsPicture: Look<Server> = (server) => {
  const kbps = () => server.returnServer.channel(first)?.kbps ?? 0
  return fetches(
    server,
    async () => {
      await until('the rate that is set', () => kbps() > 1900 && kbps() < 2100)
      return `a unit fetches ${kbps()} kbit/s`
    },
    { video: { codec: 'H.265', bitrateKbps: 2000 } },
  )
}

const settings: Cases<Server> = {
  'setting timezone': without('timezone', 'no clock of a machine'),
  'setting maxChannels': keepsAll('1', '2'),
  async 'setting IFBMode'(server) {
    const box = () => server.actual().boxes?.audio
    await server.want([], { settings: { IFBMode: 'SDI' } })
    await until('the box for sound', () => box() === 'connected')
    await server.want([], { settings: { IFBMode: 'off' } })
    await until('no box for sound', () => box() === '')
    return 'the box for sound to crews is connected while it is on'
  },
  'setting publishingMode': without('publishingMode', disk),
  'setting hotfolderOutputFormat': without('hotfolderOutputFormat', disk),
  'setting metadataFormat': without('metadataFormat', disk),
  'setting webrtcPort': without('webrtcPort', 'no browser is answered'),
  'setting genlockOffset': without('genlockOffset', 'no genlock hardware'),
  'wanted returns': opensReturnPorts,
  'wanted databridges': unclaimed('nothing is behind its ports', ({ databridgePort }) => databridgePort),
  'wanted ipPipe': noPipes,
  'wanted ipPipes': noPipes,
  'wanted speech': noSpeech,
  'wanted ifbs': noSpeech,
  'wanted ingest': {
    reason: 'files of other systems come to an ingest server, which is not simulated',
    async check(server) {
      const before = server.files().length
      await server.want([], { ingest: [{ channelId: 'channel-of-another-server', folder: 'Pool' }] })
      if (server.files().length !== before) throw new Error('files came')
      return 'no file comes'
    },
  },
}

const streams: SmpteStreams = {
  flavor: 'ST 2110-20',
  video: { address: '239.1.2.3', port: 20_000 },
  audio: { address: '239.1.2.4', port: 20_000 },
  ancillary: null,
}

const sendsToStudio: Look<Server> = (server) =>
  transmitting(
    server,
    async () => {
      const log = await logOf(server, 'log-of-studio', { channelId: first })
      const [line] = /sends ST 2110-20 to 239\.1\.2\.3:20000/.exec(log) ?? []
      if (!server.actual().capabilities?.smpte2110 || !line) throw new Error(log)
      return line
    },
    { channel: { smpte: { lastUpdate, configuration: streams } }, rest: { smpte: studio } },
  )

const outputOf = (more: Partial<Output> = {}): Output => ({
  id: 'out',
  protocol: 'srt',
  url: 'srt://192.0.2.1:9000',
  ...more,
})

const statesOf = (server: Server) =>
  server
    .channel(first)
    ?.outputs.map(({ state }) => state)
    .join()

/** To the destination of the first channel. */
const sentKbps = (server: Server) => server.channel(first)?.outputs[0]?.kbps ?? 0

/** A unit with another key, and then the one that is admitted. */
async function admits(server: Server): Promise<string> {
  const intake = intakeOf('transmission-1')
  const wanted = { id: intake.transmissionId, channelId: first, targets: targetsOf(server, '1') }
  const { unit } = server
  await server.want([wantedChannel('1', { intake })])
  try {
    await unit.want({ transmission: { ...wanted, key: Buffer.alloc(32, 1).toString('base64') } })
    await until('the refusal', () => unit.actual().failureCause?.code === 'device.noAnswerFrom')
  } finally {
    await unit.want({ transmission: null })
  }
  return await transmitting(server, async () => {
    const { kbps, bufferMs, video } = server.channel(first) ?? {}
    if (bufferMs !== intake.bufferMs || !video) throw new Error(`it buffers ${bufferMs} ms`)
    return `${kbps} kbit/s, buffered for ${bufferMs} ms; nothing of a unit with another key`
  })
}

async function records(server: Server): Promise<string> {
  const isOpen = ({ channelId, isTransferring }: StoredFile) => channelId === first && isTransferring
  const size = () => server.files().find(isOpen)?.sizeBytes
  const name = await transmitting(
    server,
    async () => {
      const before = await until('a file', size)
      await until('the file to grow', () => (size() ?? 0) > before)
      if (!server.channel(first)?.recording) throw new Error('the channel does not report it')
      return server.files().find(isOpen)?.fileName
    },
    { channel: { recording: true } },
  )
  const file = await until('the whole file', () =>
    server.files().find(({ fileName, media }) => fileName === name && media),
  )
  return `${file.fileName} of ${file.media?.lengthMs} ms`
}

async function makesRoom(server: Server): Promise<string> {
  const made = { inputType: null }
  const port = () => server.ports('added')?.ristPort
  const found = await transmitting(server, async () => port(), { slot: 'added', channel: { made } })
  await until('the port to be gone', () => port() === undefined)
  return `received a unit at port ${found}`
}

const overlay = { id: 'graphic', width: 480, height: 270, place: 'bottomRight' } as const
const put = { id: overlay.id, png: Buffer.from('a picture').toString('base64') }

async function holdsGraphic(server: Server): Promise<string> {
  const isHeld = () => server.actual().overlays?.includes(overlay.id)
  await server.want([wantedChannel('1', { overlay })])
  await confirmed(server, 'put_overlay', put)
  await until('the graphic to be held', isHeld)
  await server.want([wantedChannel('1')])
  await until('the graphic to be gone', () => !isHeld())
  return 'the graphic is held as long as a channel shows it'
}

async function sendsOn(server: Server): Promise<string> {
  const intake = intakeOf('copied')
  const further = wantedChannel('2', { intake })
  const { transmissionId, key, bufferMs } = intake
  const copy = { channelId: second, transmissionId, key, bufferMs, targets: targetsOf(server, '2') }
  return await transmitting(
    server,
    async () => {
      await isIn(server, '2', 'collecting')
      await until('the rate of the unit', () => (server.channel(second)?.kbps ?? 0) > 500)
      return `the other channel receives ${server.channel(second)?.kbps} kbit/s too`
    },
    { channel: { copies: [copy] }, others: [further] },
  )
}

const channels: Cases<Server> = {
  'channel intake': admits,
  'channel channelId': goesByItsId('1'),
  async 'channel slot'(server) {
    const [one, two] = ['1', '2'].map((slot) => server.ports(slot)?.ristPort)
    if (!one || !two || one === two) throw new Error(`the ports are ${one} and ${two}`)
    return `ports ${one} and ${two}`
  },
  'channel name': (server) =>
    transmitting(
      server,
      async () => {
        const log = await logOf(server, 'log-of-name', { channelId: first })
        const [line] = /Harbour bridge .*receives .*/.exec(log) ?? []
        if (!line) throw new Error(log)
        return line
      },
      { channel: { name: 'Harbour bridge' } },
    ),
  'channel made': makesRoom,
  'channel inputKey': unclaimed('no encoder reaches it', ({ capabilities }) =>
    capabilities?.protocolsIn.some((one) => one !== 'bonded'),
  ),
  'channel sources': unclaimed('no media is fetched', ({ capabilities }) => capabilities?.sources),
  'channel recording': records,
  async 'channel outputs'(server) {
    await transmitting(server, () => until('it to be sent', () => statesOf(server) === 'sending'), {
      channel: { outputs: [outputOf()] },
    })
    await server.want([wantedChannel('1', { outputs: [outputOf()] })])
    await isIn(server, '1', 'idle')
    if (statesOf(server) !== '') throw new Error(`without a unit it is ${statesOf(server)}`)
    return 'sent while the channel receives'
  },
  async 'channel forceOutput'(server) {
    await server.want([wantedChannel('1', { outputs: [outputOf()], forceOutput: true })])
    await isIn(server, '1', 'idle')
    await until('it to be sent', () => statesOf(server) === 'sending')
    const kbps = sentKbps(server)
    if (kbps === 0 || kbps > 100) throw new Error(`black has ${kbps} kbit/s`)
    await server.want([wantedChannel('1', { outputs: [outputOf()] })])
    await until('nothing to be sent', () => statesOf(server) === '')
    return `black with ${kbps} kbit/s is sent while the channel receives nothing`
  },
  'channel overlay': holdsGraphic,
  'channel copies': sendsOn,
  'channel smpte': sendsToStudio,
  'wanted smpte': sendsToStudio,
  'channel videoReturn': returnsPicture,
}

/** Its rate is that of what the channel receives, also of less, and it ends with the picture. */
const sendsBy =
  (protocol: Output['protocol'], url: string): Look<Server> =>
  (server) =>
    transmitting(
      server,
      async () => {
        const { unit } = server
        const received = () => server.channel(first)?.kbps
        const hasRate = (least: number, most: number) => () =>
          sentKbps(server) === received() && sentKbps(server) > least && sentKbps(server) < most
        if (!server.actual().capabilities?.protocolsOut.includes(protocol)) throw new Error('not claimed')
        await until('the rate of the picture', hasRate(1200, Infinity))
        const before = sentKbps(server)
        await unit.withSettings({ totalLimitKbps: 1000 }, () => until('less of it', hasRate(100, 1000)))
        await unit.want({ transmission: null })
        await until('it to end with the picture', () => statesOf(server) === '')
        return `${before} kbit/s as the channel receives, then less, and nothing after the picture`
      },
      { channel: { outputs: [outputOf({ protocol, url })] } },
    )

/** A rate that is not that of the picture. */
const sendsAt =
  (kbps: number, more: Partial<Output>): Look<Server> =>
  (server) =>
    transmitting(
      server,
      async () => {
        if (!server.actual().capabilities?.encoders.includes('libx264')) throw new Error('not claimed')
        await until(`${kbps} kbit/s`, () => sentKbps(server) === kbps)
        const received = await until('another rate', () => {
          const now = server.channel(first)?.kbps
          return now === kbps ? undefined : now
        })
        return `${kbps} kbit/s are sent, ${received} received`
      },
      { channel: { outputs: [outputOf(more)] } },
    )

const noMedia = unclaimed(
  'a simulated output is a state and a rate: it has no ffmpeg that sends media',
  ({ capabilities }) => capabilities?.ffmpegVersion,
)

const encoding = { videoKbps: 600 }

const outputs: Cases<Server> = {
  'output srt': sendsBy('srt', 'srt://192.0.2.1:9000'),
  'output rtmp': sendsBy('rtmp', 'rtmp://192.0.2.1/live/key'),
  'output mpegts': sendsBy('mpegts', 'udp://192.0.2.1:9000'),
  'output rtsp': sendsBy('rtsp', 'rtsp://192.0.2.1/live'),
  'output encoding': sendsAt(728, { encoding }),
  'output ffmpeg': sendsAt(628, { encoding, ffmpeg: { 'b:v': '500k' } }),
  'output muxRateKbps': sendsAt(8000, { protocol: 'mpegts', url: 'udp://192.0.2.1:9000', muxRateKbps: 8000 }),
  'output broadcast': sendsAt(1028, {
    protocol: 'rtmp',
    url: 'rtmp://192.0.2.1/live/key',
    broadcast: { videoKbps: 900, height: 180, title: 'Election night' },
  }),
  'output hls': unclaimed(
    'it has no web server',
    ({ capabilities, webAddress }) => capabilities?.protocolsOut.includes('hls') || webAddress,
  ),
  'output lowLatency': noMedia,
  'output sourcePort': noMedia,
  'output maxReaders': noMedia,
}

/** The longest file that can be played, which is not over at once: a unit that comes brings some. */
async function anyFile(server: Server): Promise<StoredFile> {
  const find = () => playable(server)[0]
  if (!find()) await transmitting(server, async () => await until('its files', find))
  return await until('a file', find)
}

/** The longest first. */
const playable = (server: Server): StoredFile[] =>
  server
    .files()
    .filter(({ isTransferring, media }) => !isTransferring && media)
    .toSorted((one, other) => (other.media?.lengthMs ?? 0) - (one.media?.lengthMs ?? 0))

const isHeld = (server: Server, name: string) => server.files().some(({ fileName }) => fileName === name)

/** A file that is played to the second channel while `look` runs. */
async function playing(server: Server, look: (id: string) => Promise<string>): Promise<string> {
  const file = keyOf(await anyFile(server))
  await server.want([wantedChannel('1'), wantedChannel('2')])
  await isIn(server, '2', 'idle')
  await confirmed(server, 'play_file', { file, channelId: second })
  await isIn(server, '2', 'PlayStoredFile')
  const text = await look(fileIdOf(file))
  await confirmed(server, 'stop_file', { file, channelId: second })
  await isIn(server, '2', 'idle')
  return text
}

const clip = { channelId: first, unitId: 'unit-1', fileName: 'clip.mp4' }

/** The size of a file whose first half came before; what comes later is shorter than that half. */
async function sizeAfterHalf(server: Server, uploadId: string, isForgotten: boolean): Promise<number> {
  const { core } = server
  core.uploads.set(uploadId, Buffer.alloc(100_000))
  core.interrupted.add(uploadId)
  const { state } = await core.order('receive_file', { uploadId, file: clip })
  if (state !== 'refused') throw new Error(`a half of a file was ${state}`)
  if (isForgotten) await confirmed(server, 'forget_upload', { uploadId })
  core.interrupted.delete(uploadId)
  core.uploads.set(uploadId, Buffer.alloc(1000))
  await confirmed(server, 'receive_file', { uploadId, file: clip, resume: true })
  const isWhole = ({ fileName, isTransferring }: StoredFile) => fileName === clip.fileName && !isTransferring
  const file = await until('the file', () => server.files().find(isWhole))
  await confirmed(server, 'remove_file', { file: clip })
  await until('the file to be gone', () => !isHeld(server, clip.fileName))
  return file.sizeBytes
}

const collects = (server: Server, what: string) => transmitting(server, async () => `${what}, and receives`)

const orders: Cases<Server> = {
  async 'order virtual_channels_updated'(server) {
    await confirmed(server, 'virtual_channels_updated')
    return 'the wanted state is applied again'
  },
  async 'order send_logs'(server) {
    await server.want([wantedChannel('1')])
    return await sendsLog((text) => text.includes(first), { channelId: first })(server)
  },
  'order stop_logs': stopsLog({ channelId: first }),
  'order delete_certificate': joinsAgain,
  async 'order rename_file'(server) {
    const file = await anyFile(server)
    await confirmed(server, 'rename_file', { file: keyOf(file), newFileName: 'Harbour.mp4' })
    await until('the new name', () => isHeld(server, 'Harbour.mp4') && !isHeld(server, file.fileName))
    return 'the file is listed under the new name'
  },
  'order play_file': (server) =>
    playing(server, async (id) => {
      if (!server.channel(second)?.playing.includes(id)) throw new Error('it plays another file')
      return 'the channel plays the file'
    }),
  'order stop_file': (server) => playing(server, async () => 'the channel is idle again'),
  'order publish_file': {
    reason: disk,
    async check(server) {
      const { state, cause } = await server.core.order('publish_file')
      if (cause?.code !== 'publishing.noFolder') throw new Error(`it was ${state}`)
      return 'refused'
    },
  },
  'order describe_file': refused('describe_file', disk, 'server.cannot'),
  async 'order remove_file'(server) {
    const file = await anyFile(server)
    await confirmed(server, 'remove_file', { file: keyOf(file) })
    await until('the file to be gone', () => !isHeld(server, file.fileName))
    return 'the file is gone'
  },
  async 'order receive_file'(server) {
    const uploadId = 'upload-1'
    server.core.uploads.set(uploadId, Buffer.alloc(100_000))
    await confirmed(server, 'receive_file', { uploadId, file: clip })
    const size = () => server.files().find(({ fileName }) => fileName === clip.fileName)?.sizeBytes
    await until('all of its bytes', () => size() === 100_000)
    await confirmed(server, 'remove_file', { file: clip })
    return '100000 bytes, as sent'
  },
  async 'order forget_upload'(server) {
    const kept = await sizeAfterHalf(server, 'upload-2', false)
    const forgotten = await sizeAfterHalf(server, 'upload-3', true)
    if (kept <= 1000 || forgotten !== 1000) throw new Error(`${kept} bytes, then ${forgotten}`)
    return 'an upload begins again in place of after its first half'
  },
  'order put_overlay': holdsGraphic,
  ...ordersForUnits,
  async 'order reset_instance'(server) {
    await restartsBy('reset_instance')(server)
    return await collects(server, 'it started again')
  },
  async 'order upgrade'(server) {
    const version = '10.1.99'
    await server.want([])
    server.core.upgrade(version, Buffer.alloc(0))
    await until('the version of the package', () => server.swVersion() === version)
    return await collects(server, 'it runs as the version')
  },
}

async function showsTally(server: Server): Promise<string> {
  let on: readonly string[] = []
  const stop = server.core.listen((message) => {
    if (message.type === 'tallies') ({ on } = message)
  })
  await transmitting(server, () => until('the tally', () => on.includes('tally-1')))
  await until('the end of the tally', () => on.length === 0).finally(stop)
  return 'the lamp of the channel is on while it is the programme'
}

/** In this order: what restarts the server comes late, and its messages are counted at the end. */
export const simulatedServerCases: Cases<Server> = {
  ...settings,
  ...channels,
  ...outputs,
  ...orders,
  ...messages(...serverMessages),
  'message uploadProgress': {
    reason: 'files come to it through core',
    async check(server) {
      if (server.actual().uploadPort != null) throw new Error('it has a port for files')
      return 'no port for files'
    },
  },
  'message tallies': showsTally,
}
