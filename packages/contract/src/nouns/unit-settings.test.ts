import { expect, test } from 'vitest'
import { fault } from '../define/errors.ts'
import { because } from '../define/refusals.ts'
import {
  allowedKbps,
  IpInput,
  ipInputAddress,
  isSubnetMask,
  linkLimits,
  settingFaults,
  UnitSettings,
  unconfirmedOf,
  withoutRefused,
} from './unit-settings.ts'

const several = {
  numberOfFeeds: 2,
  channelSelectionMode: 'custom' as const,
  customSelectedChannels: [],
  channel: null,
}
const sdi = { kind: 'sdi', connected: true, width: 1920, height: 1080, fps: 50, codec: 'H.265/HEVC' } as const

test('[CONF-016] four channels of each camera are the most while several cameras are sent', () => {
  const faultsOf = (audioChannels: 4 | 8 | 16, multipleCamera: typeof several | null) =>
    settingFaults({ audioChannels }, {}, { camera: sdi, multipleCamera }).map(({ cause }) => cause?.code)
  expect(faultsOf(4, several)).toEqual([])
  expect(faultsOf(8, several)).toEqual(['audio.channelsPerCamera'])
  expect(faultsOf(16, null)).toEqual([])
})

test('[CONF-016] as many channels can be chosen as the source has; one that does not report it has two, or is SDI', () => {
  const faultsOf = (audioChannels: 2 | 4 | 8 | 16, of: { kind: string; audioChannels?: number }) =>
    settingFaults({ audioChannels }, {}, { camera: { ...sdi, ...of }, multipleCamera: null })
  expect(faultsOf(16, { kind: 'sdi' })).toEqual([])
  expect(faultsOf(4, { kind: 'hdmi' })).toEqual([fault('audioChannels', 'audio.needsSdi')])
  expect(faultsOf(8, { kind: 'file', audioChannels: 8 })).toEqual([])
  expect(faultsOf(16, { kind: 'file', audioChannels: 8 })).toEqual([
    fault('audioChannels', because('audio.sourceHas', { most: 8 })),
  ])
})

test('[CONF-009] several cameras together take 15 Mbps at most, one takes 20', () => {
  const faultsOf = (totalLimitKbps: number, multipleCamera: typeof several | null) =>
    settingFaults({ totalLimitKbps }, {}, { camera: sdi, multipleCamera })
  expect(faultsOf(20_000, null)).toEqual([])
  expect(faultsOf(15_000, several)).toEqual([])
  expect(faultsOf(15_001, several)).toEqual([
    fault('totalLimitKbps', because('number.orLess', { most: 15_000 })),
  ])
  expect(UnitSettings.safeParse({ totalLimitKbps: 20_001 }).success).toBe(false)
})

test('the lower of limit and capping applies', () => {
  expect(allowedKbps({})).toEqual({ totalKbps: Infinity, cellularKbps: Infinity })
  const capping = { option: 'custom', customMbps: 4.5 } as const
  expect(allowedKbps({ totalLimitKbps: 8000, totalCapping: capping, cellularLimitKbps: 3000 })).toEqual({
    totalKbps: 4500,
    cellularKbps: 3000,
  })
})

test('a subnet mask is ones, then zeros', () => {
  for (const mask of ['255.255.255.0', '255.255.255.255', '128.0.0.0', '255.255.240.0'])
    expect(isSubnetMask(mask)).toBe(true)
  for (const wrong of ['0.0.0.0', '255.0.255.0', '255.255.255', '24', ''])
    expect(isSubnetMask(wrong)).toBe(false)
})

test('values in another order are the same', () => {
  const wanted = { metadata: { a: '1', b: '2' }, ntp: true }
  expect(unconfirmedOf(wanted, { metadata: { b: '2', a: '1' } })).toEqual(['ntp'])
  expect(unconfirmedOf(wanted, { metadata: { a: '1' }, ntp: true })).toEqual(['metadata'])
})

const socket = {
  mac: '02:00:00:00:00:01',
  dhcp: false,
  ip: '10.0.0.2',
  subnetMask: '255.255.255.0',
  defaultGateway: '10.0.0.1',
  dns1: '',
  dns2: '',
}

test('[CONF-003] a socket has what was requested, regardless of the addresses that DHCP chose', () => {
  const open = (wanted: object, actual: object) =>
    unconfirmedOf(
      { ethernet: { 0: { ...socket, ...wanted } } },
      { ethernet: { 0: { ...socket, ...actual } } },
    )
  expect(open({}, {})).toEqual([])
  expect(open({ mac: '' }, {})).toEqual([])
  expect(open({ ip: '10.0.0.3' }, {})).toEqual(['ethernet'])
  expect(open({ dhcp: true }, {})).toEqual(['ethernet'])
  expect(open({ dhcp: true }, { dhcp: true, ip: '192.168.1.9', dns1: '192.168.1.1' })).toEqual([])
  expect(open({ powerOverEthernet: true }, { powerOverEthernet: false })).toEqual(['ethernet'])
})

test('a socket that is not plugged in is not waited for, and a unit without sockets does not confirm any', () => {
  const wanted = { ethernet: { 0: socket, 3: socket } }
  expect(unconfirmedOf(wanted, { ethernet: { 0: socket } })).toEqual([])
  expect(unconfirmedOf(wanted, {})).toEqual(['ethernet'])
})

test('settings that were refused are no longer wanted, but for those that were changed again since', () => {
  const refused = { ntp: true, totalLimitKbps: 2000, filenamePrefix: 'A' }
  const wanted = { ...refused, filenamePrefix: 'B' }
  expect(withoutRefused(wanted, refused, { totalLimitKbps: 2000 })).toEqual({
    totalLimitKbps: 2000,
    filenamePrefix: 'B',
  })
})

test('an IP input is a host with its port, or a whole address of its own protocol and of no other', () => {
  const input = { protocol: 'rtsp', url: 'camera.local/stream/1', port: 554, enabled: true } as const
  expect(ipInputAddress(input)).toBe('rtsp://camera.local:554/stream/1')
  expect(ipInputAddress({ ...input, protocol: 'mpegts', url: '239.1.1.1' })).toBe('udp://239.1.1.1:554')
  expect(ipInputAddress({ ...input, url: 'rtsps://bob:pw@camera/1' })).toBe('rtsps://bob:pw@camera/1')
  const isTaken = (changes: object) => IpInput.safeParse({ ...input, ...changes }).success
  expect(isTaken({})).toBe(true)
  expect(isTaken({ url: 'rtsp://camera/1' })).toBe(true)
  for (const url of [
    'file:///etc/passwd',
    'http://camera/1',
    'srt://camera:9',
    "a'b",
    'a b',
    'a\nfile x',
    '',
  ])
    expect(isTaken({ url })).toBe(false)
  expect(isTaken({ url: '', enabled: false })).toBe(true)
})

test('limits hold for each link, for all modems and for all links together', () => {
  const links = [
    { port: 0, kind: 'ethernet' },
    { port: 1, kind: 'modem' },
    { port: 2, kind: 'modem' },
  ] as const
  expect(linkLimits({}, links)).toEqual([])
  const share = { priority: 1, limitKbps: 2000 } as const
  const settings = { links: { 1: share }, cellularLimitKbps: 3000, totalLimitKbps: 8000 }
  expect(linkLimits(settings, links)).toEqual([
    { ports: [1], kbps: 2000 },
    { ports: [1, 2], kbps: 3000 },
    { ports: [0, 1, 2], kbps: 8000 },
  ])
})
