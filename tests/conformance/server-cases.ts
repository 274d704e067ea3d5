/** Everything that core can want of a receiving server or order from it, and everything that it can report, on a real hub. */
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { basename, join, parse } from 'node:path'
import type { StoredFile } from '@backhaul/contract/gateway/servers'
import { UPLOAD_STREAM } from '@backhaul/contract/gateway/uploads'
import type { FollowedSetting, ServerSettings } from '@backhaul/contract/nouns/servers'
import type { SmpteServer, SmpteStreams } from '@backhaul/contract/nouns/smpte'
import type { OpenFile } from '@backhaul/device/unit-hardware'
import { sendThroughStream } from '@backhaul/device/upload-stream'
import { type Frame, isSilent } from '@backhaul/speech/frames'
import { everyFrame } from '@backhaul/speech/pace'
import { openSpeechLine } from '@backhaul/speech/speech-line'
import { joined, loudnessOf, toneOf } from '@backhaul/speech/testing/tones'
import { until } from '../stage/until.ts'
import { colourOfPicture, playFilm } from './film.ts'
import { freePort } from './free-port.ts'
import { sessionKey } from './received-picture.ts'
import type { ServerAtCore } from './server-at-core.ts'
import { leadsToHost } from './server-databridge-case.ts'
import { takesFilesIn } from './server-ingest-case.ts'
import { outputCases, takenByUdp } from './server-output-cases.ts'
import { answersFrom, fetches, putsOutBlack } from './server-picture-cases.ts'
import { leadsIntoNetwork, opensPipePort } from './server-pipe-case.ts'
import { intakeOf, isIn, main, receiving, showsRed } from './server-reception.ts'
import { opensReturnPort, returnsPicture } from './server-return-case.ts'
import { hotFolder, inputKey, type ServerUnderTest, wantedChannel, zoneFile } from './server-under-test.ts'
import {
  confirmed,
  joinsAgain,
  messages,
  ordersForUnits,
  patienceMs,
  restartsBy,
  sendsLog,
  stopsLog,
} from './shared-cases.ts'
import { areAnswered, callForTunnel } from './tunnel-call.ts'
import type { Absence, Cases, Look } from './verdicts.ts'

export const without = (name: FollowedSetting, reason: string): Absence<ServerAtCore> => ({
  reason,
  async check(server) {
    if (server.actual().capabilities?.settings?.includes(name))
      throw new Error('it is among its capabilities')
    return 'not among its capabilities'
  },
})

/** With fewer channels than the server offers. */
export const keepsAll = (...slots: readonly string[]): Absence<ServerAtCore> => ({
  reason: 'core counts the channels; the server keeps all that it offers',
  async check(server) {
    await server.want(
      slots.map((slot) => wantedChannel(slot)),
      { settings: { maxChannels: 1 } },
    )
    for (const slot of slots) await isIn(server, slot, 'idle')
    return 'all channels are there'
  },
})

export const goesByItsId =
  (slot: string): Look<ServerAtCore> =>
  async (server) => {
    await server.want([wantedChannel(slot, { channelId: 'renamed' })])
    await until('its figures under the id', () => server.channel('renamed'), patienceMs)
    await server.want([wantedChannel(slot)])
    return 'its figures come under the id'
  }

export const lastUpdate = '2026-11-21T10:00:00.000Z'
export const studio: SmpteServer = {
  lastUpdate,
  configuration: {
    ptpDomain: 127,
    primary: { address: '127.0.0.1', subnetMask: '255.0.0.0', gateway: '' },
    secondary: null,
  },
}

/** A receiver in the studio decodes the stream by the description that the server writes. */
async function sendsToStudio(server: ServerUnderTest): Promise<string> {
  const port = await freePort()
  const group = `239.${200 + (process.pid % 50)}.${(process.pid >> 8) % 250}`
  const streams: SmpteStreams = {
    flavor: 'ST 2110-20',
    video: { address: `${group}.1`, port },
    audio: { address: `${group}.2`, port },
    ancillary: null,
  }
  const smpte = { lastUpdate, configuration: streams }
  return await receiving(
    server,
    { smpte },
    async () => {
      const description = join(server.folder, 'hub', 'sdp', 'bonded-1.sdp')
      // A picture is sent in one burst, and the receiver joins in the middle of one: the newest of five is whole.
      const words = `-v quiet -protocol_whitelist file,udp,rtp -localaddr 127.0.0.1 -buffer_size 4194304 -i ${description} -an -frames:v 5 -f image2pipe -c:v png pipe:1`
      await until('the description', () => existsSync(description), patienceMs)
      const picture = spawnSync(server.ffmpegPath, words.split(' '), { timeout: patienceMs, maxBuffer: 1e9 })
      const colour = colourOfPicture(server.ffmpegPath, picture.stdout, 0.5, 0.5)
      if (colour !== 'red') throw new Error(`a receiver gets ${colour ?? 'no picture'}`)
      return 'a receiver in the studio shows the picture'
    },
    [],
    { smpte: studio },
  )
}

/** A recording of the first channel, as a file that is complete. */
async function recorded(server: ServerUnderTest): Promise<StoredFile> {
  const before = new Set(server.files().map(({ fileName }) => fileName))
  await receiving(server, { recording: true }, async () => {
    await until('the recording', () => server.channel(main)?.recording, patienceMs)
    await new Promise((resolve) => setTimeout(resolve, 3000))
  })
  return await until(
    'the recorded file',
    () =>
      server
        .files()
        .find(({ fileName, isTransferring, media }) => !before.has(fileName) && !isTransferring && media),
    patienceMs,
  )
}

/** A file of the first channel that can be played: one that is there, or else a recording. */
async function anyFile(server: ServerUnderTest): Promise<StoredFile> {
  return (
    server.files().find(({ isTransferring, media }) => !isTransferring && media) ?? (await recorded(server))
  )
}

export const keyOf = ({ channelId, unitId, fileName }: StoredFile) => ({ channelId, unitId, fileName })

/** The name of a file in the hot folder, in this container. */
const inHotFolder = (server: ServerUnderTest, fileName: string, format = 'mp4') =>
  join(server.folder, hotFolder, `${parse(fileName).name}.${format}`)

/** A file of the first channel that a user has published, and how ffmpeg describes the copy. */
async function published(server: ServerUnderTest, format: ServerSettings['hotfolderOutputFormat']) {
  const file = await anyFile(server)
  const settings = { publishingMode: 'on demand', hotfolderOutputFormat: format } as const
  await server.want([wantedChannel('bonded-1')], { settings })
  await confirmed(server, 'publish_file', { file: keyOf(file) })
  const path = inHotFolder(server, file.fileName, format)
  await until('the published file', () => existsSync(path), patienceMs)
  const { stderr } = spawnSync(server.ffmpegPath, ['-hide_banner', '-i', path])
  return { path, text: stderr.toString() }
}

const settings: Cases<ServerUnderTest> = {
  async 'setting timezone'(server) {
    await server.want([], { settings: { timezone: 'UTC+2' } })
    const place = join(server.folder, zoneFile)
    await until('the command of the owner', () => existsSync(place) && readFileSync(place, 'utf8'))
    return `the command of the owner got ${readFileSync(place, 'utf8')}`
  },
  'setting maxChannels': keepsAll('bonded-1', 'bonded-2'),
  'setting IFBMode': without('IFBMode', 'no sound hardware'),
  async 'setting publishingMode'(server) {
    await server.want([], { settings: { publishingMode: 'always', hotfolderOutputFormat: 'mp4' } })
    const { fileName } = await recorded(server)
    await until('the published file', () => existsSync(inHotFolder(server, fileName)), patienceMs)
    const file = await anyFile(server)
    await server.want([], { settings: { publishingMode: 'off' } })
    const { state, cause } = await server.core.order('publish_file', { file: keyOf(file) })
    if (cause?.code !== 'publishing.off') throw new Error(`a file was published: ${state}`)
    return 'always: a recording is in the hot folder; off: nothing is published'
  },
  async 'setting hotfolderOutputFormat'(server) {
    const { path, text } = await published(server, 'mov')
    if (!/Input #0, mov/.test(text)) throw new Error(text)
    return `${basename(path)} is the file that its name promises`
  },
  'setting metadataFormat': {
    reason: 'core names the format with each document: see order describe_file',
    async check(server) {
      await server.want([], { settings: { metadataFormat: 'xml' } })
      return 'it is taken, and changes no document'
    },
  },
  'setting webrtcPort': answersFrom,
  'setting genlockOffset': without('genlockOffset', 'no genlock hardware'),
  'wanted returns': opensReturnPort,
  'wanted databridges': leadsToHost,
  'wanted ipPipe': opensPipePort,
  'wanted ipPipes': leadsIntoNetwork,
  'wanted smpte': sendsToStudio,
}

/** A crew at the server: the sound that it heard in the last second. */
async function openCrew(server: ServerUnderTest, sessionId: string, hertz?: number) {
  let heard: Frame[] = []
  const line = await openSpeechLine({
    sessionId,
    key: sessionKey,
    onHeard(frame) {
      heard = [...heard.slice(-49), frame]
    },
  })
  line.addLink({ id: 'modem', remoteHost: '127.0.0.1', remotePort: server.actual().speechPort ?? 0 })
  const next = hertz === undefined ? undefined : toneOf(hertz)
  const stop = everyFrame(() => next && line.speak(next()))
  return {
    loudness: (of: number) => loudnessOf(of, joined(heard)),
    isSilent: () => heard.every(isSilent),
    close() {
      stop()
      line.close()
    },
  }
}

const audible = 500

const speech: Cases<ServerUnderTest> = {
  async 'wanted speech'(server) {
    const key = sessionKey.toString('base64')
    const admitted = ['crew-1', 'crew-2'].map((id) => ({ id, roomId: 'room-1', unitId: id, key }))
    await server.want([], { speech: admitted })
    const [one, two] = [await openCrew(server, 'crew-1', 400), await openCrew(server, 'crew-2', 700)]
    try {
      const areHeard = () => one.loudness(700) > audible && two.loudness(400) > audible
      await until('each to hear the other', areHeard, patienceMs)
      if (one.loudness(400) > audible / 2) throw new Error('one hears their own voice')
      return 'two crews hear each other, and not themselves'
    } finally {
      one.close()
      two.close()
    }
  },
  async 'wanted ifbs'(server) {
    const key = sessionKey.toString('base64')
    await server.want([], {
      ifbs: [{ id: 'ear-1', interfaceId: 'ifb-1', unitId: 'unit-1', key, roomIds: [] }],
    })
    const ear = await openCrew(server, 'ear-1')
    try {
      await until('the programme', () => !ear.isSilent(), patienceMs)
      return 'the crew hears the programme'
    } finally {
      ear.close()
    }
  },
}

const channels: Cases<ServerUnderTest> = {
  'channel intake': (server) =>
    receiving(server, {}, async () => {
      await showsRed(server)
      return 'the picture of the unit is shown'
    }),
  'channel channelId': goesByItsId('bonded-1'),
  async 'channel slot'(server) {
    const [one, two] = ['bonded-1', 'bonded-2'].map((slot) => server.ports(slot)?.ristPort)
    if (!one || !two || one === two) throw new Error(`the ports are ${one} and ${two}`)
    return `ports ${one} and ${two}`
  },
  async 'channel name'(server) {
    await server.want([wantedChannel('bonded-1', { name: 'Harbour bridge' })])
    const figures = async () => await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text()
    await until('its figures under the name', async () =>
      (await figures()).includes('slot="bonded-1",channel="Harbour bridge"'),
    )
    return 'its metrics have the name'
  },
  async 'channel made'(server) {
    const made = wantedChannel('srt-added', { made: { inputType: 'srt' } })
    await server.want([made])
    const address = await until('an address', () => server.ports('srt-added')?.inputAddress, patienceMs)
    await sendsTo(server, 'srt-added', inputKey, () => isIn(server, 'srt-added', 'collecting'))
    await server.want([])
    await until('the address to be gone', () => !server.ports('srt-added'), patienceMs)
    return `receives at ${address}, and by WHIP at ${await refusesByWhip(server)}`
  },
  async 'channel inputKey'(server) {
    await server.want([wantedChannel('srt-1')])
    await sendsTo(server, 'srt-1', 'another-key-of-a-sender', async () => {
      await until(
        'the wrong key to be reported',
        () => server.channel('channel-of-srt-1')?.inputProblem === 'wrongKey',
        patienceMs,
      )
    })
    await sendsTo(server, 'srt-1', inputKey, () => isIn(server, 'srt-1', 'collecting'))
    await isIn(server, 'srt-1', 'idle')
    return 'a sender with the key is received, another one is refused'
  },
  'channel sources': fetches,
  async 'channel recording'(server) {
    const file = await recorded(server)
    const { codec, width } = file.media ?? {}
    if (codec !== 'h264' || width !== 704) throw new Error(`the file is ${codec}, ${width} wide`)
    return 'a file that can be played'
  },
  async 'channel outputs'(server) {
    const { stream } = await takenByUdp(server, {})
    const colour = colourOfPicture(server.ffmpegPath, stream, 0.5, 0.5)
    if (colour !== 'red') throw new Error(`the destination got ${colour ?? 'no picture'}`)
    return 'the picture arrives at the destination'
  },
  async 'channel copies'(server) {
    const further = intakeOf('copied')
    const port = server.ports('bonded-2')?.ristPort ?? 0
    await server.want([wantedChannel('bonded-1'), wantedChannel('bonded-2', { intake: further })])
    const { transmissionId, key, bufferMs } = further
    const copy = { channelId: 'channel-of-bonded-2', transmissionId, key, bufferMs }
    const copies = [{ ...copy, targets: [{ host: '127.0.0.1', port }] }]
    return await receiving(server, { copies }, () => showsRed(server, 'channel-of-bonded-2'), [
      wantedChannel('bonded-2', { intake: further }),
    ]).then(() => 'the other channel shows the picture too')
  },
  'channel forceOutput': putsOutBlack,
  async 'channel overlay'(server) {
    // A graphic that no channel shows is not kept.
    const put = () => putOverlay(server)
    const coloursIn = (stream: Buffer) =>
      [0.9, 0.2].map((at) => colourOfPicture(server.ffmpegPath, stream, at, at)).join()
    const isEnough = (stream: Buffer) => coloursIn(stream) === 'lime,red'
    await takenByUdp(server, {}, { alsoWanted: { overlay }, first: put, isEnough })
    return 'the graphic is in its corner of the picture'
  },
  'channel smpte': sendsToStudio,
  'channel videoReturn': returnsPicture,
}

/** An encoder with this key sends to an SRT input while `look` runs. */
async function sendsTo(
  server: ServerUnderTest,
  slot: string,
  key: string,
  look: () => Promise<unknown>,
): Promise<void> {
  const address = server.ports(slot)?.inputAddress?.replace('{host}', '127.0.0.1') ?? ''
  const output = `${address}?passphrase=${key}`
  const player = playFilm(server.ffmpegPath, server.film('red'), { output })
  try {
    await look()
  } finally {
    await player.stop()
  }
}

const overlay = { id: 'graphic', width: 480, height: 270, place: 'bottomRight' } as const

/** An input for WHIP that is added refuses a sender with another key, and reports it. Returns its address. */
async function refusesByWhip(server: ServerUnderTest): Promise<string> {
  await server.want([wantedChannel('whip-added', { made: { inputType: 'webrtc' } })])
  const named = await until('an address', () => server.ports('whip-added')?.inputAddress, patienceMs)
  const address = named.replace('{host}', '127.0.0.1')
  const headers = { authorization: 'Bearer another-key', 'content-type': 'application/sdp' }
  const { status } = await fetch(address, { method: 'POST', headers, body: 'v=0' })
  if (status !== 401) throw new Error(`the answer to another key is ${status}`)
  await until(
    'the wrong key to be reported',
    () => server.channel('channel-of-whip-added')?.inputProblem === 'wrongKey',
    patienceMs,
  )
  await server.want([])
  return address
}

/** A lime rectangle of a quarter of the picture, for a channel that is to show it. */
async function putOverlay(server: ServerUnderTest): Promise<void> {
  const words = '-v error -f lavfi -i color=lime:s=480x270 -frames:v 1 -f image2pipe -c:v png pipe:1'
  const png = spawnSync(server.ffmpegPath, words.split(' ')).stdout
  await confirmed(server, 'put_overlay', { id: overlay.id, png: png.toString('base64') })
}

const orders: Cases<ServerUnderTest> = {
  async 'order virtual_channels_updated'(server) {
    await confirmed(server, 'virtual_channels_updated')
    return 'the wanted state is applied again'
  },
  'order send_logs': sendsLog((text) => text.length > 0 && !text.includes(inputKey), { channelId: main }),
  'order stop_logs': stopsLog({ channelId: main }),
  'order delete_certificate': joinsAgain,
  async 'order rename_file'(server) {
    const file = await anyFile(server)
    await confirmed(server, 'rename_file', { file: keyOf(file), newFileName: 'Harbour.mp4' })
    await until('the new name', () => server.files().some(({ fileName }) => fileName === 'Harbour.mp4'))
    return 'the file has the new name'
  },
  async 'order play_file'(server) {
    const file = await anyFile(server)
    await server.want([wantedChannel('bonded-1'), wantedChannel('bonded-2')])
    await isIn(server, 'bonded-2', 'idle')
    await confirmed(server, 'play_file', { file: keyOf(file), channelId: 'channel-of-bonded-2' })
    await showsRed(server, 'channel-of-bonded-2')
    return 'the channel shows the file'
  },
  async 'order stop_file'(server) {
    const file = await anyFile(server)
    await server.want([wantedChannel('bonded-1'), wantedChannel('bonded-2')])
    await isIn(server, 'bonded-2', 'idle')
    await confirmed(server, 'play_file', { file: keyOf(file), channelId: 'channel-of-bonded-2' })
    await isIn(server, 'bonded-2', 'PlayStoredFile')
    await confirmed(server, 'stop_file', { file: keyOf(file), channelId: 'channel-of-bonded-2' })
    await isIn(server, 'bonded-2', 'idle')
    return 'the channel is idle again'
  },
  async 'order publish_file'(server) {
    const { path } = await published(server, 'mkv')
    return `${basename(path)} is in the hot folder`
  },
  async 'order describe_file'(server) {
    const file = await anyFile(server)
    const path = join(server.folder, 'hub', 'recordings', main, file.unitId, `${file.fileName}.xml`)
    const metadata = {
      dateTime: '2026-11-21T10:21:08.000Z',
      sizeBytes: file.sizeBytes,
      resolution: null,
      lengthMs: null,
      bitrateKbps: null,
      codec: null,
      quality: null,
      unitName: 'Van 1',
      unitType: 'LU-600',
      gps: null,
      story: { slugline: 'Harbour fire' },
      sendMetadata: true,
      promptMetadata: false,
      labels: ['slugline'],
    }
    await confirmed(server, 'describe_file', { file: keyOf(file), format: 'xml', metadata })
    const text = readFileSync(path, 'utf8')
    if (!text.includes('<label name="slugline">Harbour fire</label>')) throw new Error(text)
    await until('the document to be known', () =>
      server.files().some(({ fileName, document }) => fileName === file.fileName && document === 'xml'),
    )
    return `${basename(path)} is next to the file`
  },
  async 'order remove_file'(server) {
    const file = await anyFile(server)
    await confirmed(server, 'remove_file', { file: keyOf(file) })
    await until(
      'the file to be gone',
      () => !server.files().some(({ fileName }) => fileName === file.fileName),
    )
    return 'the file is gone'
  },
  async 'order receive_file'(server) {
    const content = readFileSync(server.film('blue'))
    server.core.uploads.set('upload-1', content)
    const file = { channelId: main, unitId: 'unit-1', fileName: 'clip.mkv' }
    await confirmed(server, 'receive_file', { uploadId: 'upload-1', file })
    const there = await until('the file', () =>
      server.files().find(({ fileName }) => fileName === 'clip.mkv'),
    )
    if (there.sizeBytes !== content.length) throw new Error(`it has ${there.sizeBytes} bytes`)
    return `${content.length} bytes, as sent`
  },
  async 'order forget_upload'(server) {
    server.core.uploads.set('upload-2', readFileSync(server.film('blue')))
    server.core.interrupted.add('upload-2')
    const file = { channelId: main, unitId: 'unit-1', fileName: 'half.mkv' }
    const { state } = await server.core.order('receive_file', { uploadId: 'upload-2', file })
    const part = join(server.folder, 'hub', 'incoming', 'upload-2.part')
    if (state !== 'refused' || !existsSync(part))
      throw new Error(`receive_file was ${state}, no part is kept`)
    await confirmed(server, 'forget_upload', { uploadId: 'upload-2' })
    if (existsSync(part)) throw new Error('the part is still there')
    return 'the part that had come is gone'
  },
  async 'order put_overlay'(server) {
    await server.want([wantedChannel('bonded-1', { overlay })])
    await putOverlay(server)
    await until('the graphic to be held', () => server.actual().overlays?.includes(overlay.id))
    return 'the graphic is held'
  },
  async 'order reset_instance'(server) {
    await restartsBy('reset_instance')(server)
    await receiving(server, {}, () => showsRed(server))
    return 'it started again, and receives'
  },
  async 'order upgrade'(server) {
    const version = '10.1.99'
    server.core.upgrade(version, server.makePackage(version))
    await until('the version of the package', () => server.swVersion() === version, 120_000)
    const installed = readlinkSync(join(server.folder, 'hub', 'versions', 'current'))
    if (installed !== version) throw new Error(`${installed} is installed`)
    await receiving(server, {}, () => showsRed(server))
    return 'the version of the package runs, and receives'
  },
  ...ordersForUnits,
}

/** All but the tallies, which a vision mixer changes. */
export const serverMessages = [
  'register',
  'hello',
  'serverReport',
  'serverTelemetry',
  'levels',
  'files',
  'outcome',
  'logPart',
  'upgradeProgress',
]

/** A unit sends a file over its links, and the server reports what it has stored. */
const reportsUpload: Look<ServerUnderTest> = async (server) => {
  const [id, content] = ['upload-3', readFileSync(server.film('blue'))]
  const port = await until('its port for files', () => server.actual().uploadPort ?? undefined)
  let storedBytes = 0
  const stop = server.core.listen((message) => {
    if (message.type === 'uploadProgress' && message.uploadId === id) storedBytes = message.keptBytes
  })
  const caller = callForTunnel(id, port)
  const received = confirmed(server, 'receive_file', {
    uploadId: id,
    file: { channelId: main, unitId: 'unit-1', fileName: 'links.mkv' },
    tunnel: { id, key: sessionKey.toString('base64') },
  })
  try {
    await until('an answer on both links', () => areAnswered(caller), patienceMs)
    const file: OpenFile = {
      sizeBytes: content.length,
      modifiedMs: Date.now(),
      read: async (from, length) => Uint8Array.from(content.subarray(from, from + length)),
      close() {},
    }
    await sendThroughStream(caller.open(UPLOAD_STREAM), file, new AbortController().signal)
    await received
    await until('the report of all bytes', () => storedBytes === content.length)
    return `${storedBytes} bytes over two links, stored and reported`
  } finally {
    stop()
    caller.close()
    await received.catch(() => {})
  }
}

/** In this order: what restarts the server comes late, and its messages are counted at the end. */
export const serverCases: Cases<ServerUnderTest> = {
  ...settings,
  ...speech,
  ...channels,
  ...outputCases,
  'wanted ingest': takesFilesIn,
  ...orders,
  async 'message tallies'(server) {
    let on: readonly string[] = []
    const stop = server.core.listen((message) => {
      if (message.type === 'tallies') ({ on } = message)
    })
    const mixer = createSocket('udp4')
    // TSL UMD 3.1: display 1, its first lamp on.
    const display = Buffer.concat([Buffer.of(0x81, 0x31), Buffer.from('CAMERA'.padEnd(16))])
    mixer.send(display, server.tallyPort, '127.0.0.1')
    await until('the tally', () => on.includes('tally-1')).finally(() => {
      stop()
      mixer.close()
    })
    return 'a lamp of the vision mixer is reported at once'
  },
  'message uploadProgress': reportsUpload,
  ...messages(...serverMessages),
}
