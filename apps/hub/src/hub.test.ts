import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { basename, join } from 'node:path'
import { createSender } from '@backhaul/bonding/sender'
import type { WantedChannel } from '@backhaul/contract/gateway/servers'
import { fileIdOf, partName, partOf } from '@backhaul/contract/nouns/files'
import { killProcesses, processesWith } from '@backhaul/runtime/testing/processes'
import { until } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type RunningHub, runHub, type Sender, sendByFfmpeg, wantedChannel } from './testing/running-hub.ts'
import { playWhep } from './testing/whep-client.ts'

const input = 'channel-of-srt-1'
let hub: RunningHub
let sender: Sender

beforeAll(async () => {
  hub = await runHub({ bonded: 1, inputs: ['srt', 'rtmp'] })
  void hub.hardware.apply({ channels: [wantedChannel('srt-1')] }, new AbortController().signal)
  const target = hub.inputUrl('srt-1')
  sender = sendByFfmpeg(['-f', 'mpegts', target])
})

afterAll(async () => {
  sender.stop()
  await hub.stop()
})

test('a standard encoder that sends by SRT appears with picture, rate and sound', async () => {
  const channel = await until(() => {
    const now = hub.channel(input)
    return now?.status === 'collecting' && now.video?.fps && now.kbps > 200 ? now : undefined
  })
  expect(channel).toMatchObject({ source: 'srt', transmissionId: null, continuityErrors: 0 })
  expect(channel.video).toEqual({ codec: 'h264', width: 640, height: 360, fps: 25 })
  const levels = await until(() =>
    hub.hardware.levels().find(({ levels }) => (levels[0]?.peakDb ?? -100) > -30),
  )
  expect(levels.channelId).toBe(input)
  expect(levels.levels).toHaveLength(2)
  await expect.poll(() => hub.channel(input)?.health).toEqual({ black: false, frozen: false, silent: false })
})

test('a still of the newest key frame is served with its time', async () => {
  const answer = await until(async () => {
    const path = `/channels/${input}/still.jpg`
    const response = await fetch(hub.previewUrl(path), { headers: hub.headers(path) })
    return response.status === 200 ? response : undefined
  })
  expect(answer.headers.get('content-type')).toBe('image/jpeg')
  expect(Math.abs(Number(answer.headers.get('x-still-time')) - Date.now())).toBeLessThan(60_000)
  expect([...new Uint8Array(await answer.arrayBuffer()).subarray(0, 2)]).toEqual([0xff, 0xd8])
})

/** A recording that has ended. */
async function recorded() {
  const finished = () =>
    hub.hardware.files.all().find((file) => !file.isTransferring && file.sizeBytes > 300_000)
  const earlier = finished()
  if (earlier) return earlier
  const channel = wantedChannel('srt-1', { recording: true })
  void hub.hardware.apply({ channels: [channel] }, new AbortController().signal)
  await until(() => hub.hardware.files.all().some(({ sizeBytes }) => sizeBytes > 300_000))
  void hub.hardware.apply({ channels: [wantedChannel('srt-1')] }, new AbortController().signal)
  return await until(finished)
}

test('[FILE-008] a recording whose writer is killed remains readable, and continues in further parts until it is ended', async () => {
  const channel = wantedChannel('srt-1', { recording: true })
  void hub.hardware.apply({ channels: [channel] }, new AbortController().signal)
  await until(() => hub.channel(input)?.recording)
  const folder = join(hub.folder, 'recordings', input, '-')
  const names = () => readdirSync(folder).filter((name) => name.endsWith('.mp4'))
  const file = await until(() => names().map((name) => join(folder, name))[0])
  await until(() => readFileSync(file).includes('moof') && readFileSync(file).length > 300_000)
  killProcesses(processesWith(`file:${file}`))
  const probe = ['-v', 'error', '-show_entries', 'stream=codec_name,nb_read_packets', '-count_packets']
  const found = execFileSync('ffprobe', [...probe, '-of', 'csv=p=0', file], { encoding: 'utf8' })
  expect(found).toMatch(/h264,(\d\d+)\naac,(\d\d+)/)
  const part = (index: number) => partName(basename(file), index)
  await until(() => names().includes(part(2)))
  sender.stop()
  await until(() => hub.channel(input)?.status === 'idle')
  sender = sendByFfmpeg(['-f', 'mpegts', hub.inputUrl('srt-1')])
  await until(() => names().includes(part(3)))
  expect(names().toSorted()).toEqual([part(1), part(2), part(3)].toSorted())
  await until(() => hub.channel(input)?.recording)
  void hub.hardware.apply({ channels: [wantedChannel('srt-1')] }, new AbortController().signal)
  await until(() => hub.channel(input)?.recording === false)
  void hub.hardware.apply({ channels: [channel] }, new AbortController().signal)
  const next = await until(() => names().find((name) => partOf(name).whole !== basename(file)))
  expect(partOf(next).index).toBe(1)
  void hub.hardware.apply({ channels: [wantedChannel('srt-1')] }, new AbortController().signal)
})

test('a finished recording is a file of the channel, and is played out to an idle channel, renamed, served and removed', async () => {
  const { files } = hub.hardware
  const file = await recorded()
  expect(file).toMatchObject({ channelId: input, unitId: '-', rootDirectory: 'recordings' })
  expect(file.media).toMatchObject({ codec: 'h264', width: 640, height: 360 })
  const idle = wantedChannel('bonded-1')
  void hub.hardware.apply({ channels: [wantedChannel('srt-1'), idle] }, new AbortController().signal)
  await until(() => hub.channel(idle.channelId)?.status === 'idle')
  expect(() => files.play(file, input)).toThrow('Selected channel is busy or offline.')
  await files.play(file, idle.channelId)
  await files.play(file, idle.channelId)
  const id = fileIdOf(file)
  const playing = await until(() => {
    const now = hub.channel(idle.channelId)
    return now?.status === 'PlayStoredFile' && now.video ? now : undefined
  })
  expect(playing).toMatchObject({ source: 'file', playing: [id, id], video: { width: 640, codec: 'h264' } })
  await files.stopPlaying(file, idle.channelId)
  await until(() => hub.channel(idle.channelId)?.playing.length === 1)
  const intake = {
    transmissionId: 't-9',
    unitId: 'u-9',
    key: Buffer.alloc(32).toString('base64'),
    bufferMs: 200,
  }
  const taken = { channels: [wantedChannel('srt-1'), { ...idle, intake }] }
  void hub.hardware.apply(taken, new AbortController().signal)
  await until(() => hub.channel(idle.channelId)?.status === 'connecting')

  await files.rename(file, 'Harbour.mp4')
  const renamed = { ...file, fileName: 'Harbour.mp4' }
  expect(files.all().map(({ fileName }) => fileName)).toContain('Harbour.mp4')
  const path = `/files/recordings/${input}/-/Harbour.mp4`
  const url = hub.previewUrl(path)
  const part = await fetch(url, { headers: { ...hub.headers(path), range: 'bytes=4-7' } })
  expect([part.status, await part.text(), part.headers.get('content-type')]).toEqual([
    206,
    'ftyp',
    'video/mp4',
  ])
  const head = await fetch(url, { method: 'HEAD', headers: hub.headers(path, 'HEAD') })
  expect(Number(head.headers.get('content-length'))).toBe(file.sizeBytes)
  expect((await fetch(url)).status).toBe(401)
  const outside = `/files/recordings/${input}/-/..%2F..%2F..%2Ftoken.json`
  expect((await fetch(hub.previewUrl(outside), { headers: hub.headers(outside) })).status).toBe(404)
  await files.remove(renamed)
  expect(files.all().map(({ fileName }) => fileName)).not.toContain('Harbour.mp4')
  await expect(files.remove(renamed)).rejects.toThrow('The file is not on the disk.')
  void hub.hardware.apply({ channels: [wantedChannel('srt-1')] }, new AbortController().signal)
})

test('a dead destination affects neither the channel nor a working one', async () => {
  const far = createSocket('udp4')
  const received = new Promise<Buffer>((resolve) => far.once('message', resolve))
  await new Promise<void>((done) => far.bind(0, '127.0.0.1', done))
  const outputs = [
    { id: 'dead', protocol: 'rtmp' as const, url: 'rtmp://127.0.0.1:1/live/none' },
    { id: 'wrong', protocol: 'srt' as const, url: 'file:///tmp/never' },
    { id: 'living', protocol: 'mpegts' as const, url: `udp://127.0.0.1:${far.address().port}` },
  ]
  const channel = wantedChannel('srt-1', { outputs })
  void hub.hardware.apply({ channels: [channel] }, new AbortController().signal)
  expect((await received)[0]).toBe(0x47)
  far.close()
  expect(hub.channel(input)).toMatchObject({ status: 'collecting', continuityErrors: 0 })
  void hub.hardware.apply({ channels: [wantedChannel('srt-1')] }, new AbortController().signal)
})

test('a destination gets the picture format and the source port that are set for it', async () => {
  const far = createSocket('udp4').bind(0, '127.0.0.1')
  const spare = createSocket('udp4').bind(0)
  await Promise.all([once(far, 'listening'), once(spare, 'listening')])
  const sourcePort = spare.address().port
  spare.close()
  const output = {
    id: 'small',
    protocol: 'mpegts' as const,
    url: `udp://127.0.0.1:${far.address().port}`,
    encoding: {
      profile: 'main' as const,
      videoKbps: 600,
      resolution: '960x540' as const,
      maxFrameRate: 12.5,
    },
    muxRateKbps: 2000,
    sourcePort,
  }
  const packets: Buffer[] = []
  far.on('message', (packet, { port }) => port === sourcePort && packets.push(packet))
  const channel = wantedChannel('srt-1', { outputs: [output] })
  void hub.hardware.apply({ channels: [channel] }, new AbortController().signal)
  await until(() => packets.length > 700)
  far.close()
  const file = join(hub.folder, 'small.ts')
  writeFileSync(file, Buffer.concat(packets))
  const probe = [
    '-v',
    'error',
    '-select_streams',
    'v',
    '-show_entries',
    'stream=width,height,profile,r_frame_rate',
  ]
  const found = execFileSync('ffprobe', [...probe, '-of', 'csv=p=0', file], { encoding: 'utf8' })
  expect(found.trim().split('\n')[0]).toBe('Main,960,540,25/2')
  void hub.hardware.apply({ channels: [wantedChannel('srt-1')] }, new AbortController().signal)
})

test('a graphic is drawn over outputs and previews once core has sent it, scaled with the programme, at its place', async () => {
  const far = createSocket('udp4').bind(0, '127.0.0.1')
  await once(far, 'listening')
  const url = `udp://127.0.0.1:${far.address().port}`
  const overlay = { id: 'ov-red', width: 480, height: 270, place: 'bottomRight' as const }
  const outputs = [{ id: 'over', protocol: 'mpegts' as const, url }]
  const wanted = { channels: [wantedChannel('srt-1', { overlay, outputs })] }
  const signal = new AbortController().signal
  void hub.hardware.apply(wanted, signal)
  expect(hub.hardware.facts().overlays).toEqual([])
  const packets: Buffer[] = []
  far.on('message', (packet) => packets.push(packet))
  await until(() => packets.length > 20)
  const red = [
    '-f',
    'lavfi',
    '-i',
    'color=red:s=480x270',
    '-frames:v',
    '1',
    '-f',
    'image2pipe',
    '-c',
    'png',
    '-',
  ]
  const source = ['-f', 'lavfi', '-i', 'color=red:s=2002x2', '-frames:v', '1']
  const large = execFileSync('ffmpeg', ['-v', 'error', ...source, '-f', 'image2pipe', '-c', 'png', '-'])
  await expect(hub.hardware.overlays.put('ov-large', large)).rejects.toThrow('at most 2000x2000')
  expect(readdirSync(join(hub.folder, 'overlays'))).toEqual([])
  await hub.hardware.overlays.put('ov-red', execFileSync('ffmpeg', ['-v', 'error', ...red]))
  expect(hub.hardware.facts().overlays).toEqual(['ov-red'])
  const file = join(hub.folder, 'over.ts')
  const size = ['scale=640:360:flags=neighbor', 'format=rgb24']
  const decode = ['-v', 'quiet', '-i', file, '-vf', size.join(','), '-f', 'rawvideo', '-']
  const isRed = (frame: Buffer, x: number, y: number) => {
    const at = (y * 640 + x) * 3
    return frame[at]! > 200 && frame[at + 1]! < 60 && frame[at + 2]! < 60
  }
  // A quarter of the programme at its lower right, and nothing of it beyond.
  const seen = await until(() => {
    if (packets.length < 300) return undefined
    writeFileSync(file, Buffer.concat(packets.splice(0)))
    // A piece cut out of a stream has no clean end.
    const frame = spawnSync('ffmpeg', decode, { maxBuffer: 1 << 28 }).stdout.subarray(-640 * 360 * 3)
    const places = [
      [630, 350],
      [490, 280],
      [470, 350],
      [630, 260],
      [10, 10],
    ] as const
    const found = places.map(([x, y]) => frame.length > 0 && isRed(frame, x, y))
    return found[0] && found[1] ? found : undefined
  })
  expect(seen).toEqual([true, true, false, false, false])
  far.close()

  const whep = `/channels/${input}/whep`
  const viewer = await playWhep(hub.previewUrl(whep), hub.headers(whep, 'POST'))
  await until(() => viewer.packets('video') > 20, 60_000)
  const drawn = ['-P', String(process.pid), '-fc', '--', `${overlay.id}.png.*rtp://127.0.0.1`]
  expect(execFileSync('pgrep', drawn, { encoding: 'utf8' }).trim()).toBe('1')
  await viewer.close()

  void hub.hardware.apply({ channels: [wantedChannel('srt-1')] }, signal)
  await until(() => hub.hardware.facts().overlays?.length === 0)
  expect(readdirSync(join(hub.folder, 'overlays'))).toEqual([])
})

test('[STREAM-012] a stream provider gets the picture encoded for it, with the title, and is reported as sending', async () => {
  const free = createServer()
  await new Promise<void>((done) => free.listen(0, '127.0.0.1', done))
  const { port } = free.address() as AddressInfo
  await new Promise((done) => free.close(done))
  const url = `rtmp://127.0.0.1:${port}/live2/key-1`
  const provider = spawn('ffmpeg', ['-hide_banner', '-listen', '1', '-i', url, '-f', 'null', '-'])
  let printed = ''
  provider.stderr.on('data', (data: Buffer) => {
    printed += data.toString()
  })
  const broadcast = { videoKbps: 900, height: 180, title: 'Election night' }
  const outputs = [{ id: 'social', protocol: 'rtmp' as const, url, broadcast }]
  void hub.hardware.apply({ channels: [wantedChannel('srt-1', { outputs })] }, new AbortController().signal)
  await until(() =>
    hub.channel(input)?.outputs.some(({ id, state }) => id === 'social' && state === 'sending'),
  )
  await until(() => /Video: h264[^\n]*x180/.test(printed))
  expect(printed).toContain('Election night')
  provider.kill('SIGKILL')
  void hub.hardware.apply({ channels: [wantedChannel('srt-1')] }, new AbortController().signal)
  await until(() => hub.channel(input)?.outputs.length === 0)
})

test('requests with another key, or for something that does not exist, are refused', async () => {
  const statusOf = async (path: string, headers: Record<string, string>) =>
    (await fetch(hub.previewUrl(path), { headers })).status
  const still = `/channels/${input}/still.jpg`
  expect(await statusOf(still, {})).toBe(401)
  expect(await statusOf(still, hub.headers('/channels/another/still.jpg'))).toBe(401)
  const unknown = '/channels/unknown/still.jpg'
  expect(await statusOf(unknown, hub.headers(unknown))).toBe(404)
  const nothing = `/channels/${input}/nothing`
  expect(await statusOf(nothing, hub.headers(nothing))).toBe(404)
})

test('a bonded unit is admitted only with its key, and its buffer changes while it sends', async () => {
  const key = Buffer.alloc(32, 7)
  const intake = { transmissionId: 't-1', unitId: 'unit-1', key: key.toString('base64'), bufferMs: 300 }
  const channels = [wantedChannel('srt-1'), wantedChannel('bonded-1', { intake })]
  void hub.hardware.apply({ channels }, new AbortController().signal)
  const channelId = 'channel-of-bonded-1'
  await until(() => hub.channel(channelId)?.status === 'connecting')
  const links = ['a', 'b'].map((id, index) => ({
    id,
    remoteHost: '127.0.0.1',
    remotePort: hub.ristPort('bonded-1'),
    localAddress: `127.0.0.${2 + index}`,
  }))
  const send = (withKey: Buffer) => createSender({ sessionId: 't-1', links, bufferMs: 300, key: withKey })
  const stranger = send(Buffer.alloc(32, 8))
  const unit = send(key)
  const source = sendByFfmpeg(['-f', 'mpegts', 'pipe:1'], (chunk) => {
    stranger.push(chunk)
    unit.push(chunk)
  })
  try {
    const channel = await until(() => {
      const now = hub.channel(channelId)
      return now?.status === 'collecting' && now.video && now.kbps > 200 ? now : undefined
    })
    expect(channel).toMatchObject({ source: 'bonded', transmissionId: 't-1', continuityErrors: 0 })
    const longer = wantedChannel('bonded-1', { intake: { ...intake, bufferMs: 600 } })
    void hub.hardware.apply({ channels: [longer] }, new AbortController().signal)
    await until(() => (hub.channel(channelId)?.bufferMs ?? 0) > 550)
    expect(hub.channel(channelId)).toMatchObject({ status: 'collecting', continuityErrors: 0 })
    void hub.hardware.apply({ channels: [wantedChannel('bonded-1')] }, new AbortController().signal)
    await until(() => hub.channel(channelId)?.status === 'idle')
  } finally {
    unit.close()
    stranger.close()
    source.stop()
  }
  void hub.hardware.apply({ channels: [wantedChannel('srt-1')] }, new AbortController().signal)
})

test('a channel that a user added has a port next to the others as long as it is wanted', async () => {
  const before = hub.hardware.facts().ports
  const added = [
    wantedChannel('made-1', { made: { inputType: null } }),
    wantedChannel('made-2', { made: { inputType: 'srt' } }),
  ]
  const apply = (channels: WantedChannel[]) =>
    hub.hardware.apply({ channels: [wantedChannel('srt-1'), ...channels] }, new AbortController().signal)
  await apply(added)
  const ports = hub.hardware.facts().ports
  expect(ports.map(({ slot }) => slot)).toEqual([...before.map(({ slot }) => slot), 'made-1', 'made-2'])
  expect(new Set(ports.map(({ ristPort, inputAddress }) => ristPort ?? inputAddress)).size).toBe(ports.length)
  await until(() => hub.channel('channel-of-made-1')?.status === 'idle')
  await until(() => hub.channel('channel-of-made-2')?.source === 'srt')
  await apply([added[0]!])
  expect(hub.hardware.facts().ports).toEqual(ports.slice(0, -1))
  await apply([])
  await until(() => hub.channel('channel-of-made-1') === undefined)
  expect(hub.hardware.facts().ports).toEqual(before)
})

test('after a crash of the media thread the channel collects again on the same ports', async () => {
  const before = hub.hardware.facts()
  // Otherwise the sender, which reconnects by itself, may be back before the channel was seen idle.
  sender.stop()
  hub.restart()
  await until(() => hub.channel(input)?.status === 'idle')
  sender = sendByFfmpeg(['-f', 'mpegts', hub.inputUrl('srt-1')])
  await until(() => hub.channel(input)?.status === 'collecting')
  expect(hub.hardware.facts()).toMatchObject({ ports: before.ports, previewPort: before.previewPort })
})

test('an encoder that sends by RTMP appears on its input channel', async () => {
  void hub.hardware.apply({ channels: [wantedChannel('rtmp-1')] }, new AbortController().signal)
  const target = hub.inputUrl('rtmp-1')
  const rtmp = sendByFfmpeg(['-f', 'flv', target])
  const channel = await until(() => {
    const now = hub.channel('channel-of-rtmp-1')
    return now?.status === 'collecting' && now.video ? now : undefined
  })
  rtmp.stop()
  expect(channel).toMatchObject({ source: 'rtmp', video: { codec: 'h264', width: 640, height: 360 } })
  await until(() => hub.channel('channel-of-rtmp-1')?.status === 'idle')
})

test('without ffmpeg a bonded channel still collects and its stream can be watched', async () => {
  const bare = await runHub({ withoutFfmpeg: true })
  const intake = {
    transmissionId: 't-2',
    unitId: 'unit-2',
    key: Buffer.alloc(32, 1).toString('base64'),
    bufferMs: 200,
  }
  const channels = [wantedChannel('bonded-1', { intake, recording: true })]
  void bare.hardware.apply({ channels }, new AbortController().signal)
  const link = { id: 'a', remoteHost: '127.0.0.1', remotePort: bare.ristPort('bonded-1') }
  const unit = createSender({ sessionId: 't-2', links: [link], bufferMs: 200, key: Buffer.alloc(32, 1) })
  const source = sendByFfmpeg(['-f', 'mpegts', 'pipe:1'], (chunk) => unit.push(chunk))
  try {
    const channel = await until(() => {
      const now = bare.channel('channel-of-bonded-1')
      return now?.status === 'collecting' && now.video ? now : undefined
    })
    expect(channel).toMatchObject({ recording: false, health: null, video: { width: 640 } })
    const path = '/channels/channel-of-bonded-1'
    const whep = await fetch(bare.previewUrl(`${path}/whep`), {
      method: 'POST',
      headers: bare.headers(`${path}/whep`, 'POST'),
      body: 'v=0',
    })
    expect(whep.status).toBe(501)
    const url = bare.previewUrl(`${path}/stream`).replace('http', 'ws')
    const socket = new WebSocket(url, { headers: bare.headers(`${path}/stream`) })
    const first = await new Promise<Buffer>((done) => socket.once('message', (data) => done(data as Buffer)))
    expect(first[0]).toBe(0x47)
    socket.close()
  } finally {
    unit.close()
    source.stop()
    await bare.stop()
  }
})
