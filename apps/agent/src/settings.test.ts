import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readAgentSettings } from './settings.ts'

const core = { BACKHAUL_CORE_URL: 'http://10.0.0.1:8080' }

test('a flag takes precedence over its variable, and the rest has defaults', () => {
  const settings = readAgentSettings(['--core', 'https://console.example', '--codec', 'h265'], core)
  expect(settings).toMatchObject({
    BACKHAUL_CORE_URL: 'wss://console.example/gateway',
    BACKHAUL_CODEC: 'h265',
    BACKHAUL_SOURCE: { kind: 'testPattern' },
    BACKHAUL_BITRATE_KBPS: 4000,
    BACKHAUL_ADDRESSES_WITHIN_S: 60,
  })
  expect(settings.BACKHAUL_LINKS).toBeUndefined()
})

test('the encoder is chosen automatically, or is software or one kind of hardware', () => {
  expect(readAgentSettings([], core).BACKHAUL_CODER).toBe('auto')
  expect(readAgentSettings(['--coder', 'vaapi'], core).BACKHAUL_CODER).toBe('vaapi')
  expect(() => readAgentSettings(['--coder', 'qsv'], core)).toThrow(
    'BACKHAUL_CODER: must be auto, software, nvenc, vaapi or v4l2m2m',
  )
})

test('core is found by its plain address or by that of its gateway', () => {
  expect(readAgentSettings([], core).BACKHAUL_CORE_URL).toBe('ws://10.0.0.1:8080/gateway')
  const exact = { BACKHAUL_CORE_URL: 'ws://10.0.0.1:8080/gateway' }
  expect(readAgentSettings([], exact).BACKHAUL_CORE_URL).toBe('ws://10.0.0.1:8080/gateway')
})

test('links are addresses with or without a name', () => {
  const { BACKHAUL_LINKS } = readAgentSettings(['--links', '127.0.0.2, Modem 1=127.0.0.3'], core)
  expect(BACKHAUL_LINKS).toEqual([
    { id: '127.0.0.2', kind: 'ethernet', address: '127.0.0.2' },
    { id: 'Modem 1', kind: 'modem', address: '127.0.0.3' },
  ])
})

test('key and source may be in files, which are named when they cannot be read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-agent-'))
  const [key, source] = [join(folder, 'key'), join(folder, 'source')]
  writeFileSync(key, 'key-of-the-group\n')
  writeFileSync(source, 'rtsp://bob:pw@camera/1\n')
  const files = { ...core, BACKHAUL_REGISTRATION_KEY_FILE: key }
  expect(readAgentSettings(['--source-file', source], files)).toMatchObject({
    BACKHAUL_REGISTRATION_KEY: 'key-of-the-group',
    BACKHAUL_SOURCE: { kind: 'url', url: 'rtsp://bob:pw@camera/1' },
  })
  expect(readAgentSettings(['--key', 'another-key'], files).BACKHAUL_REGISTRATION_KEY).toBe('another-key')
  expect(() => readAgentSettings(['--key-file', join(folder, 'none')], core)).toThrow(
    'BACKHAUL_REGISTRATION_KEY_FILE: cannot be read',
  )
  writeFileSync(source, 'rtsp://camera/1\nfile /etc/passwd')
  expect(() => readAgentSettings(['--source-file', source], core)).toThrow(
    'BACKHAUL_SOURCE: must be one line',
  )
})

test('a wrong setting is named with its rule', () => {
  expect(() => readAgentSettings([], {})).toThrow('BACKHAUL_CORE_URL: is not set')
  expect(() => readAgentSettings(['--links', 'eth0'], core)).toThrow(
    'BACKHAUL_LINKS: must be local addresses',
  )
  expect(() => readAgentSettings(['--databridge-address', 'eth1'], core)).toThrow(
    'BACKHAUL_DATABRIDGE_ADDRESS: must be an IPv4 address of this machine',
  )
  expect(() => readAgentSettings(['--ip-pipe-bridge', 'a network'], core)).toThrow(
    'BACKHAUL_IP_PIPE_BRIDGE: must be the name of a bridge of this machine',
  )
  expect(() => readAgentSettings(['--codec', 'av1'], core)).toThrow('BACKHAUL_CODEC: must be h264 or h265')
  expect(() => readAgentSettings(['--colour', 'red'], core)).toThrow("Unknown option '--colour'")
})

test('the light of the tally is a command, an LED by its name, or none', () => {
  const none = readAgentSettings([], core)
  expect([none.BACKHAUL_TALLY_COMMAND, none.BACKHAUL_TALLY_LED]).toEqual([undefined, undefined])
  expect(
    readAgentSettings(['--tally-command', 'relay --pin 4', '--tally-led', 'red:tally'], core),
  ).toMatchObject({
    BACKHAUL_TALLY_COMMAND: 'relay --pin 4',
    BACKHAUL_TALLY_LED: 'red:tally',
  })
  for (const led of ['../../etc', '/sys/class/leds/red', '..', '.'])
    expect(() => readAgentSettings(['--tally-led', led], core)).toThrow(
      'BACKHAUL_TALLY_LED: must be the name of an LED in /sys/class/leds',
    )
})

test("the unit's own page is off, and has a password where other machines reach it", () => {
  const read = (...args: string[]) => readAgentSettings(args, core)
  expect(read().BACKHAUL_PAGE_PORT).toBeUndefined()
  expect(read('--page-port', '8090')).toMatchObject({
    BACKHAUL_PAGE_PORT: 8090,
    BACKHAUL_PAGE_HOST: '127.0.0.1',
  })
  const open = ['--page-port', '8090', '--page-host', '0.0.0.0']
  expect(() => read(...open)).toThrow(
    'BACKHAUL_PAGE_PASSWORD: is not set, and BACKHAUL_PAGE_HOST is for other machines',
  )
  const file = join(mkdtempSync(join(tmpdir(), 'backhaul-agent-')), 'password')
  writeFileSync(file, 'crew-of-van-1\n')
  expect(read(...open, '--page-password-file', file).BACKHAUL_PAGE_PASSWORD).toBe('crew-of-van-1')
  const short = { ...core, BACKHAUL_PAGE_PASSWORD: 'secret7' }
  expect(() => readAgentSettings([], short)).toThrow(
    'BACKHAUL_PAGE_PASSWORD: must have at least 8 characters (given "…")',
  )
  expect(() => read('--page-host', 'van-1')).toThrow('must be an IPv4 address of this machine')
})

test('further cameras and the picture are read, and a picture that cannot be sent is refused by its rule', () => {
  const needed = { BACKHAUL_CORE_URL: 'http://core:8080' }
  const read = (...args: string[]) => readAgentSettings(args, needed)
  expect(read('--source-2', '/dev/video2', '--picture', '1920x1080p50')).toMatchObject({
    BACKHAUL_SOURCE_2: { kind: 'camera', device: '/dev/video2' },
    BACKHAUL_PICTURE: { width: 1920, height: 1080, framesPerSecond: 50 },
  })
  expect(read().BACKHAUL_PICTURE).toBe('source')
  expect(() => read('--picture', '1080p')).toThrow('BACKHAUL_PICTURE: must be source, or size and rate')
  for (const picture of ['4096x2160p30', '1920x1080p90', '1921x1080p30'])
    expect(() => read('--picture', picture)).toThrow('must be 3840x2160p60 at most')
  expect(() => read('--source-3', 'a\nb')).toThrow('BACKHAUL_SOURCE_3: must be one line')
})

test('headsets are devices of a sound server or of ALSA, or commands', () => {
  const flags = ['--microphone-1', 'pulse', '--speaker-1', 'alsa:hw:1,0', '--ifb-speaker', 'sox - -d']
  expect(readAgentSettings(flags, core)).toMatchObject({
    BACKHAUL_MICROPHONE_1: { kind: 'pulse', device: undefined },
    BACKHAUL_SPEAKER_1: { kind: 'alsa', device: 'hw:1,0' },
    BACKHAUL_IFB_SPEAKER: { kind: 'command', command: 'sox - -d' },
  })
  expect(readAgentSettings([], core).BACKHAUL_SPEAKER_2).toBeUndefined()
  expect(() => readAgentSettings(['--speaker-2', 'one\ntwo'], core)).toThrow(
    'BACKHAUL_SPEAKER_2: must be pulse, alsa',
  )
})
