import { createSocket } from 'node:dgram'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { capabilitiesOf } from './capabilities.ts'
import { folderName } from './files/file-folders.ts'
import { outputArguments, suitsProtocol } from './outputs/output-arguments.ts'
import { chooseSlots } from './ports.ts'
import { recordingArguments, recordingName } from './recordings/recording.ts'
import { readHubSettings } from './settings.ts'

const core = { BACKHAUL_CORE_URL: 'ws://127.0.0.1:8080/gateway' }

test('settings have defaults, and a key on the command line takes precedence', () => {
  const settings = readHubSettings({ ...core, BACKHAUL_LOCAL_KEY: 'from-environment' }, [
    '--key',
    'from-line',
  ])
  expect(settings).toMatchObject({
    registrationKey: 'from-line',
    channels: 4,
    inputs: ['srt', 'rtmp'],
    mediaPort: 20_000,
    unitHost: '0.0.0.0',
    previewHost: '127.0.0.1',
    loops: 0,
  })
  expect(settings.addresses).toContain('127.0.0.1')
  expect(readHubSettings({ ...core, BACKHAUL_DEMO: '1' }).loops).toBe(12)
  expect(readHubSettings({ ...core, BACKHAUL_HUB_ADDRESS: '10.0.0.5, hub.example' }).addresses).toEqual([
    '10.0.0.5',
    'hub.example',
  ])
})

test('a hub is a receiving server, or a transceiver by its setting', () => {
  const roleOf = (role: string) => readHubSettings({ ...core, BACKHAUL_HUB_ROLE: role }).role
  expect(readHubSettings(core).role).toBe('receiver')
  expect(roleOf('transceiver')).toBe('transceiver')
  expect(() => roleOf('relay')).toThrow('BACKHAUL_HUB_ROLE: must be receiver, transceiver or ingest')
  const ingest = { ...core, BACKHAUL_HUB_ROLE: 'ingest' }
  expect(() => readHubSettings(ingest)).toThrow(
    'BACKHAUL_HUB_INGEST_FOLDER: must be set for an ingest server',
  )
  expect(readHubSettings({ ...ingest, BACKHAUL_HUB_INGEST_FOLDER: '/srv/in' })).toMatchObject({
    role: 'ingest',
    channels: 0,
    inputs: [],
    ingestFolder: '/srv/in',
  })
})

test('a hub publishes where a folder is set, by its whole path', () => {
  expect(readHubSettings(core).hotFolder).toBeUndefined()
  const hotFolderOf = (path: string) => readHubSettings({ ...core, BACKHAUL_HUB_HOT_FOLDER: path }).hotFolder
  expect(hotFolderOf('/srv/hot')).toBe('/srv/hot')
  expect(() => hotFolderOf('hot')).toThrow('BACKHAUL_HUB_HOT_FOLDER: must be the path of a folder')
})

test('a hub returns video where channels are set for it, by default of its inputs', () => {
  const returnsOf = (more: Record<string, string>) => readHubSettings({ ...core, ...more }).returns
  expect(returnsOf({})).toEqual({ channels: 0, sources: [] })
  const one = { BACKHAUL_HUB_RETURN_CHANNELS: '1' }
  expect(returnsOf({ ...one, BACKHAUL_HUB_INPUTS: 'srt,rtmp,srt' }).sources).toEqual([
    { kind: 'slot', slot: 'srt-1' },
    { kind: 'slot', slot: 'rtmp-1' },
    { kind: 'slot', slot: 'srt-2' },
  ])
  const inputs = (words: string) => returnsOf({ ...one, BACKHAUL_HUB_RETURN_INPUTS: words }).sources
  expect(inputs('bonded-4, /media/slate.mp4,test')).toEqual([
    { kind: 'slot', slot: 'bonded-4' },
    { kind: 'file', path: '/media/slate.mp4' },
    { kind: 'testPattern' },
  ])
  expect(() => inputs('bonded-5')).toThrow('BACKHAUL_HUB_RETURN_INPUTS: the hub has no channel bonded-5')
  expect(() => inputs('slate.mp4')).toThrow('must be a list of channels')
  expect(() => inputs('test,test,test,test,test')).toThrow('must name 1 to 4 inputs')
})

test('a databridge gateway is opened by its port, and leads to what the owner lists', () => {
  const gatewayOf = (more: Record<string, string>) => readHubSettings({ ...core, ...more }).databridge
  const port = { BACKHAUL_HUB_DATABRIDGE_PORT: '21900' }
  expect(gatewayOf({ BACKHAUL_HUB_DATABRIDGE_TO: '10.0.0.5' })).toBeUndefined()
  expect(gatewayOf(port)).toEqual({ port: 21_900, allowed: [] })
  expect(gatewayOf({ ...port, BACKHAUL_HUB_DATABRIDGE_TO: '10.0.0.5:21, 10.1.0.0/16' })).toEqual({
    port: 21_900,
    allowed: ['10.0.0.5:21', '10.1.0.0/16'],
  })
  expect(() => gatewayOf({ ...port, BACKHAUL_HUB_DATABRIDGE_TO: 'ftp.example' })).toThrow(
    'must be a list of IPv4 addresses and networks',
  )
})

test('IP pipes lead to bridges that are named, and to none by default', () => {
  const networksOf = (text?: string) =>
    readHubSettings({ ...core, ...(text !== undefined && { BACKHAUL_HUB_IP_PIPE_NETWORKS: text }) })
      .ipPipeNetworks
  expect(networksOf()).toEqual([])
  expect(networksOf('br-control, br-cameras')).toEqual(['br-control', 'br-cameras'])
  expect(() => networksOf('eth0/1')).toThrow('must be a list of names of bridges of this machine')
})

test('tallies are received where a port is set, of displays that are named by addresses and ranges', () => {
  const tallyOf = (more: Record<string, string>) => readHubSettings({ ...core, ...more }).tally
  expect(tallyOf({ BACKHAUL_HUB_TALLIES: '1-4' })).toBeUndefined()
  const port = { BACKHAUL_HUB_TALLY_PORT: '5727' }
  const usual = { host: '127.0.0.1', port: 5727, addresses: [1, 2, 3, 4, 5, 6, 7, 8], lamp: 1 }
  expect(tallyOf(port)).toEqual(usual)
  const named = (words: string) => tallyOf({ ...port, BACKHAUL_HUB_TALLIES: words })?.addresses
  expect(named('20, 0-2,1-3')).toEqual([0, 1, 2, 3, 20])
  expect(named('65534')).toEqual([65_534])
  for (const words of ['a', '3-1', '65535', '-1', '1-', '0-65534', '1-33', ',', '1-20,30-45'])
    expect(() => named(words), words).toThrow(
      'BACKHAUL_HUB_TALLIES: must be addresses from 0 to 65534 such as 1-8,20, 32 at most',
    )
  expect(tallyOf({ ...port, BACKHAUL_HUB_TALLY_HOST: '10.0.0.5', BACKHAUL_HUB_TALLY_LAMP: '2' })).toEqual({
    ...usual,
    host: '10.0.0.5',
    lamp: 2,
  })
  expect(() => tallyOf({ ...port, BACKHAUL_HUB_TALLY_LAMP: '5' })).toThrow(
    'must be a whole number from 1 to 4',
  )
  expect(() => tallyOf({ ...port, BACKHAUL_HUB_TALLY_HOST: 'mixer' })).toThrow('must be an IPv4 address')
  expect(() => tallyOf({ BACKHAUL_HUB_TALLY_PORT: '0' })).toThrow('must be a whole number from 1 to 65535')
})

test('the port of tallies is none at which units call', () => {
  const tallyOf = (more: Record<string, string>) => readHubSettings({ ...core, ...more }).tally?.port
  for (const [port, more, name] of [
    ['20910', {}, 'the port of BACKHAUL_HUB_UPLOAD_PORT'],
    ['5727', { BACKHAUL_HUB_UPLOAD_PORT: '5727' }, 'the port of BACKHAUL_HUB_UPLOAD_PORT'],
    ['20900', {}, 'the port of BACKHAUL_HUB_SPEECH_PORT'],
    ['5727', { BACKHAUL_HUB_DATABRIDGE_PORT: '5727' }, 'the port of BACKHAUL_HUB_DATABRIDGE_PORT'],
    ['20007', {}, 'one of the ports from BACKHAUL_HUB_MEDIA_PORT on'],
  ] as const)
    expect(() => tallyOf({ BACKHAUL_HUB_TALLY_PORT: port, ...more }), name).toThrow(
      `BACKHAUL_HUB_TALLY_PORT: ${port} is ${name}`,
    )
  expect(tallyOf({ BACKHAUL_HUB_TALLY_PORT: '20008' })).toBe(20_008)
  expect(tallyOf({ BACKHAUL_HUB_TALLY_PORT: '20910', BACKHAUL_HUB_UPLOAD_PORT: '0' })).toBe(20_910)
  // Each on an address of its own.
  const apart = { BACKHAUL_HUB_UNIT_HOST: '10.0.0.5', BACKHAUL_HUB_TALLY_PORT: '20910' }
  expect(tallyOf(apart)).toBe(20_910)
})

test('programmes of IFBs are named as inputs of the video return, and speech and files have ports of their own', () => {
  const read = (more: Record<string, string>) => readHubSettings({ ...core, ...more })
  expect([read({}).ifbs, read({}).speechPort]).toEqual([[], 20_900])
  expect(read({ BACKHAUL_HUB_MEDIA_PORT: '0' }).speechPort).toBe(0)
  expect([read({}).uploadPort, read({ BACKHAUL_HUB_MEDIA_PORT: '0' }).uploadPort]).toEqual([20_910, 0])
  expect(read({ BACKHAUL_HUB_UPLOAD_PORT: '7002' }).uploadPort).toBe(7002)
  expect(read({ BACKHAUL_HUB_SPEECH_PORT: '7000' }).speechPort).toBe(7000)
  expect(read({ BACKHAUL_HUB_IFBS: 'srt-1,test' }).ifbs).toEqual([
    { kind: 'slot', slot: 'srt-1' },
    { kind: 'testPattern' },
  ])
  expect(() => read({ BACKHAUL_HUB_IFBS: 'srt-2' })).toThrow(
    'BACKHAUL_HUB_IFBS: the hub has no channel srt-2',
  )
})

test('the door for the public is closed unless a port is set', () => {
  const webOf = (more: Record<string, string>) => {
    const { web, webUrl } = readHubSettings({ ...core, ...more })
    return { web, webUrl }
  }
  expect(webOf({})).toEqual({ web: undefined, webUrl: undefined })
  expect(webOf({ BACKHAUL_HUB_WEB_PORT: '8090' }).web).toEqual({ host: '0.0.0.0', port: 8090 })
  const all = {
    BACKHAUL_HUB_WEB_PORT: '0',
    BACKHAUL_HUB_WEB_HOST: '::1',
    BACKHAUL_HUB_WEB_URL: 'https://m.example/',
  }
  expect(webOf(all)).toEqual({ web: { host: '::1', port: 0 }, webUrl: 'https://m.example' })
  expect(() => webOf({ BACKHAUL_HUB_WEB_URL: 'ftp://m.example' })).toThrow(
    'BACKHAUL_HUB_WEB_URL: must be an address',
  )
  expect(() => webOf({ BACKHAUL_HUB_WEB_PORT: '70000' })).toThrow('BACKHAUL_HUB_WEB_PORT')
})

test('the key may be in a file', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'backhaul-hub-')), 'key')
  writeFileSync(file, 'key-of-the-group\n')
  const local = { ...core, BACKHAUL_LOCAL_KEY: 'from-launcher' }
  expect(readHubSettings(local, ['--key-file', file]).registrationKey).toBe('key-of-the-group')
  expect(readHubSettings({ ...local, BACKHAUL_REGISTRATION_KEY_FILE: file }).registrationKey).toBe(
    'key-of-the-group',
  )
  expect(readHubSettings({ ...local, BACKHAUL_REGISTRATION_KEY: 'given-key' }).registrationKey).toBe(
    'given-key',
  )
  expect(readHubSettings(local).registrationKey).toBe('from-launcher')
})

test('a wrong setting is named with its rule', () => {
  expect(() => readHubSettings({ ...core, BACKHAUL_HUB_INPUTS: 'srt,ndi' })).toThrow('BACKHAUL_HUB_INPUTS')
  expect(() => readHubSettings({ ...core, BACKHAUL_HUB_MEDIA_PORT: '20001' })).toThrow('must be even')
  expect(() => readHubSettings({ ...core, BACKHAUL_HUB_UNIT_HOST: 'eth0' })).toThrow('BACKHAUL_HUB_UNIT_HOST')
  expect(() => readHubSettings({ ...core, BACKHAUL_HUB_CAMERAS: '1' })).toThrow('must be 0, or 2 to 4')
  expect(() => readHubSettings({ ...core, BACKHAUL_HUB_CAMERAS: '3', BACKHAUL_HUB_CHANNELS: '2' })).toThrow(
    'BACKHAUL_HUB_CAMERAS: must be at most BACKHAUL_HUB_CHANNELS',
  )
  expect(() => readHubSettings({})).toThrow('BACKHAUL_CORE_URL: is not set')
})

test('a channel whose port is taken gets another even one', async () => {
  const socket = createSocket('udp4')
  const unitHost = '0.0.0.0'
  const [free] = await chooseSlots({ base: 0, unitHost, bonded: 1, inputs: [] })
  await new Promise<void>((done) => socket.bind(free!.port, done))
  const slots = await chooseSlots({ base: free!.port, unitHost, bonded: 2, inputs: ['srt', 'rtmp'] })
  socket.close()
  expect(slots.map(({ slot }) => slot)).toEqual(['bonded-1', 'bonded-2', 'srt-1', 'rtmp-1'])
  expect(slots[0]!.port).not.toBe(free!.port)
  expect(slots.every(({ port }) => port % 2 === 0)).toBe(true)
  expect(new Set(slots.map(({ port }) => port)).size).toBe(4)
})

test('without ffmpeg only bonded intake and audio rooms are reported as capabilities', () => {
  expect(capabilitiesOf(undefined, { web: true, smpte: true })).toEqual({
    protocolsIn: ['bonded'],
    protocolsOut: [],
    sources: [],
    encoders: [],
    ffmpegVersion: null,
    fourK: true,
    overlays: false,
    uploads: true,
    audioRooms: true,
    logs: true,
  })
})

test('recordings sort by time and contain no character that a file system rejects', () => {
  const startedAt = new Date('2026-11-21T10:15:00.123Z')
  expect(recordingName(startedAt)).toBe('2026-11-21T10-15-00Z.mp4')
  expect(folderName('../Ünit 7')).toBe('____nit_7')
  expect(recordingArguments('/x.mp4', { video: 'h265', audio: 'mp2', labels: {} })).not.toContain(
    'aac_adtstoasc',
  )
})

test('an output must be an address of its protocol', () => {
  const suits = (protocol: 'srt' | 'rtmp' | 'mpegts', url: string) =>
    suitsProtocol({ id: '1', protocol, url })
  expect(suits('srt', 'srt://far.example:9000?latency=300000')).toBe(true)
  expect(suits('rtmp', 'rtmps://far.example/live/key')).toBe(true)
  expect(suits('mpegts', 'udp://239.1.1.1:5000')).toBe(true)
  expect(suits('mpegts', '/etc/passwd')).toBe(false)
  expect(suits('srt', 'file:///tmp/x')).toBe(false)
  expect(outputArguments({ id: '1', protocol: 'mpegts', url: 'udp://h:1' }).at(-1)).toBe(
    'udp://h:1?pkt_size=1316',
  )
})

test('a transport stream takes every track of sound, other outputs the first', () => {
  const soundOf = (protocol: 'srt' | 'rtmp' | 'mpegts' | 'rtsp', url: string) =>
    outputArguments({ id: '1', protocol, url }).find((word) => word.startsWith('0:a'))
  expect(soundOf('srt', 'srt://far.example:9000')).toBe('0:a?')
  expect(soundOf('mpegts', 'udp://239.1.1.1:5000')).toBe('0:a?')
  expect(soundOf('rtmp', 'rtmp://far.example/live/key')).toBe('0:a:0?')
  expect(soundOf('rtsp', 'rtsp://far.example/live')).toBe('0:a:0?')
})

test('what goes to a stream provider is encoded for it, under its title', () => {
  const broadcast = { videoKbps: 4500, height: 720, title: '-i /etc/passwd' }
  const args = outputArguments({ id: '1', protocol: 'rtmp', url: 'rtmp://h/live/key', broadcast })
  const after = (name: string) => args[args.lastIndexOf(name) + 1]
  expect(['-b:v', '-vf', '-metadata', '-c:v', '-f'].map(after)).toEqual([
    '4500k',
    'scale=-2:720,format=yuv420p',
    'title=-i /etc/passwd',
    'libx264',
    'flv',
  ])
  expect(args.at(-1)).toBe('rtmp://h/live/key')
})
