import { describe, expect, it } from 'vitest'
import { mayDo, rolesOfAction } from '../define/actions.ts'
import { rule } from '../define/refusals.ts'
import { Role, UserType } from '../define/role-schemas.ts'
import { hasRegularRole, isUnauthorized, roleOfUserType } from '../define/roles.ts'
import { exampleChannel } from '../examples/channels.ts'
import { exampleUnit } from '../examples/units.ts'
import { type AlertSeverity, alertThresholds, byUrgency, severityAbove, severityBelow } from './alerts.ts'
import { batteryColour, batteryLevel } from './battery.ts'
import {
  Channel,
  type ChannelKind,
  ChannelStatus,
  channelGroupStatus,
  channelIcon,
  channelIsIn,
  channelKind,
  channelRefusal,
  countChannels,
  countedChannelState,
  describeChannel,
  displayedChannelName,
  isMultipointName,
  smpteRefusal,
  versionRefusal,
} from './channels.ts'
import { delayChoices, delayFault, isLowDelay } from './delays.ts'
import { formatDelay, formatMbps } from './formats.ts'
import { Comment, MetadataText, Name } from './names.ts'
import { countUnits, isStale, Unit } from './units.ts'
import { compareVersions, isAtLeast } from './versions.ts'

describe('battery', () => {
  const battery = (percentage: number | null, charging = false) => ({ connected: true, charging, percentage })
  it.each([
    [null, 'unknown', 'grey'],
    [0, 'unknown', 'grey'],
    [1, '10', 'red'],
    [10, '10', 'red'],
    [11, '30', 'red'],
    [19, '30', 'red'],
    [20, '30', 'yellow'],
    [30, '30', 'yellow'],
    [31, '50', 'yellow'],
    [49, '50', 'yellow'],
    [50, '50', 'green'],
    [51, '100', 'green'],
    [100, '100', 'green'],
  ])('at %s percent shows level %s in %s', (percentage, level, colour) => {
    expect(batteryLevel(battery(percentage))).toBe(level)
    expect(batteryColour(battery(percentage))).toBe(colour)
  })
  it('shows charging at any percentage, and unknown without a battery', () => {
    expect(batteryLevel(battery(7, true))).toBe('charging')
    expect(batteryLevel(null)).toBe('unknown')
    expect(batteryColour(undefined)).toBe('grey')
  })
})

describe('delay', () => {
  it.each([
    ['LU-Lite', '9.0', 1000, 10000, 7],
    ['LU-Smart', '5.0.9', 1000, 10000, 6],
    ['LU-Smart', '5.1', 800, 10000, 9],
    ['LU-600', '7.0', 400, 20000, 15],
    ['LU-610', '10.1.0', 400, 20000, 15],
    ['LU-700', '7.2', 500, 20000, 14],
    ['LU-200', '8.0', 1000, 10000, 7],
    ['LU-600', '6.5', 800, 15000, 10],
    ['LU-300', '5.0', 800, 15000, 10],
    ['LU-800', '10.0', 400, 20000, 13],
    ['LU-500', '4.2', 1000, 10000, 6],
    ['LU-500', '3.9', 1000, 5000, 4],
  ])('%s at version %s offers %i to %i ms in %i steps', (product, version, least, most, count) => {
    const choices = delayChoices(product, version)
    expect([choices[0], choices.at(-1), choices.length]).toEqual([least, most, count])
    expect(choices.every((choice, i) => i === 0 || choice > choices[i - 1]!)).toBe(true)
  })
  const change = { product: 'LU-800', softwareVersion: '10.0', transmitting: true }
  it('[CONF-013] may be changed while transmitting only within a normal configuration', () => {
    expect(delayFault({ ...change, currentMs: 1000, wantedMs: 900 })).toBeUndefined()
    expect(delayFault({ ...change, currentMs: 1000, wantedMs: 800 })).toBe('delay.minimumWhileLive')
    expect(delayFault({ ...change, currentMs: 800, wantedMs: 1000 })).toBe('delay.lowWhileLive')
    expect(delayFault({ ...change, currentMs: 800, wantedMs: 400 })).toBe('delay.lowWhileLive')
    expect(delayFault({ ...change, currentMs: 800, wantedMs: 800 })).toBeUndefined()
    expect(delayFault({ ...change, transmitting: false, currentMs: 800, wantedMs: 20000 })).toBeUndefined()
    expect(delayFault({ ...change, currentMs: 1000, wantedMs: 1234 })).toMatchObject({ code: 'delay.oneOf' })
  })
  it('[CONF-013] is low below one second', () => {
    expect([isLowDelay(999), isLowDelay(1000)]).toEqual([true, false])
    expect([formatDelay(800), formatDelay(1000), formatDelay(1500)]).toEqual(['800 ms', '1 s', '1.5 s'])
  })
})

describe('channels', () => {
  const none = {
    sdi: false,
    output: false,
    forwardRtmp: false,
    ndi: false,
    forceOutput: false,
    smpte: false,
    distributor: false,
  }
  const kinds: [ChannelKind, Partial<Parameters<typeof channelKind>[0]>][] = [
    ['PREVIEW_CHANNEL', {}],
    ['INPUT_CHANNEL', { sdi: true }],
    ['INPUT_CHANNEL', { inputType: 'srt' }],
    ['INPUT_CHANNEL', { inputType: 'rtmp' }],
    ['OUTPUT_CHANNEL', { sdi: true, output: true }],
    ['OUTPUT_CHANNEL', { forwardRtmp: true }],
    ['OUTPUT_CHANNEL', { ndi: true }],
    ['OUTPUT_CHANNEL', { forceOutput: true }],
    ['OUTPUT_CHANNEL', { smpte: true }],
    ['DISTRIBUTOR_CHANNEL', { distributor: true, sdi: true }],
  ]
  it.each(kinds)('[CHAN-003] derives %s (%#)', (kind, features) => {
    expect(channelKind({ ...none, ...features })).toBe(kind)
  })
  it('puts every status into the sets of the specification', () => {
    const members = (set: Parameters<typeof channelIsIn>[1]) =>
      ChannelStatus.options.filter((status) => channelIsIn(status, set))
    expect(members('offline')).toEqual(['offline', 'unavailable'])
    expect(members('onlineish')).toEqual(['idle', 'online', 'forwarding'])
    expect(members('busy')).toEqual([
      'collecting',
      'PlayStoredFile',
      'playstoredfile',
      'upgrading',
      'videoReturnInputConnected',
    ])
    expect(members('idleLike')).toEqual(['idle', 'connecting'])
    expect(members('collecting')).toEqual(['collecting'])
    expect(countedChannelState('forwarding')).toBe('idle')
  })
  it('aggregates a group: idle before collecting before offline', () => {
    expect(channelGroupStatus(['collecting', 'idle', 'offline'])).toBe('idle')
    expect(channelGroupStatus(['offline', 'collecting'])).toBe('collecting')
    expect(channelGroupStatus(['offline', 'upgrading'])).toBe('offline')
    expect(channelGroupStatus([])).toBe('offline')
  })
  it('[CHAN-003] makes the icon of kind, sharing and colour', () => {
    const icon = (status: ChannelStatus, isSharing = false) =>
      channelIcon({ kind: 'INPUT_CHANNEL', isSharing, status })
    expect(icon('collecting', true)).toEqual({ kind: 'INPUT_CHANNEL', sharing: true, colour: 'green' })
    expect([icon('upgrading').colour, icon('idle').colour, icon('unavailable').colour]).toEqual([
      'amber',
      'blue',
      'grey',
    ])
    expect(describeChannel(exampleChannel).icon).toBe('PREVIEW_CHANNEL-green')
  })
  it('[STREAM-006] hides the technical suffixes and knows the multipoint prefix', () => {
    expect(displayedChannelName('London-1_Instance')).toBe('London-1')
    expect(displayedChannelName('London-1_VideoReturnInstance')).toBe('London-1')
    expect([isMultipointName('Boss150-A'), isMultipointName('A-Boss150')]).toEqual([true, false])
  })
  it('counts by status and by what a channel can', () => {
    const idle: Channel = { ...exampleChannel, status: 'idle', studio: true, sharing: true, hasCdn: true }
    const input: Channel = {
      ...exampleChannel,
      kind: 'INPUT_CHANNEL',
      status: 'offline',
      sdiNo: 1,
      smpte: true,
      distributor: true,
    }
    const output: Channel = { ...exampleChannel, kind: 'OUTPUT_CHANNEL' }
    expect(countChannels([exampleChannel, idle, input, output])).toEqual({
      busy: 2,
      idle: 1,
      offline: 1,
      sdi: 1,
      smpte: 1,
      cdn: 1,
      preview: 2,
      studio: 1,
      share: 1,
      distributor: 1,
      output: 1,
      input: 1,
    })
  })
  it('gives the reason why a unit cannot use a channel', () => {
    const free: Channel = { ...exampleChannel, status: 'idle', allocatedToUnitUid: null }
    expect(channelRefusal(free, 'u-1')).toBeUndefined()
    expect(channelRefusal(undefined, 'u-1')).toBe('channelTip.external')
    expect(channelRefusal({ ...free, status: 'offline' }, 'u-1')).toBe('channelTip.offline')
    expect(channelRefusal(exampleChannel, 'u-1')).toBe('channelTip.busy')
    expect(channelRefusal(exampleChannel, 'u-lon-03')).toBeUndefined()
    expect(channelRefusal({ ...free, status: 'PlayStoredFile' }, 'u-1')).toBe('channelTip.busy')
    const returning = { ...free, serverProductType: 'Video Return Server' }
    expect(channelRefusal(returning, 'u-1')).toBe('p2p.cannotReceive')
    expect(channelRefusal({ ...free, kind: 'INPUT_CHANNEL' }, 'u-1')).toBe('p2p.cannotReceive')
    expect(channelRefusal({ ...exampleChannel, kind: 'INPUT_CHANNEL' }, 'u-1')).toBe('channelTip.busy')
    const smpte = { ...free, smpte: true }
    expect(smpteRefusal(free)).toBeUndefined()
    expect(smpteRefusal(smpte)).toBe('channelTip.noSmpte')
    const smpteMetadata = { isConfigured: true, lastUpdate: '2026-11-21T10:00:00.000Z' }
    expect(smpteRefusal({ ...smpte, smpteMetadata })).toBeUndefined()
  })
  it('[STREAM-004] compares the version of a channel with that of the unit', () => {
    const refusalAt = (liveuVersion: string, swVersion: string) =>
      versionRefusal({ liveuVersion }, { swVersion })
    expect(refusalAt('7.3', '7.3.0')).toBeUndefined()
    expect(refusalAt('10.0.4', '7.3.0')).toBeUndefined()
    expect(refusalAt('7.3.0', '7.3.1')).toBe('channelTip.versionTooLow')
    expect(refusalAt('9.8.2', '10.1.0-b4')).toBe('channelTip.versionTooLow')
  })
})

describe('units', () => {
  it('examples satisfy their schemas', () => {
    expect(Unit.parse(exampleUnit)).toEqual(Unit.parse(structuredClone(exampleUnit)))
    expect(Channel.parse(exampleChannel)).toEqual(exampleChannel)
  })
  it('[UNIT-011] counts a group by state, kind, camera mode and active alerts', () => {
    const alert = {
      id: 'a',
      uid: 'u',
      name: 'u',
      severity: 'warning',
      type: 'battery',
      since: 1,
      value: 15,
    } as const
    const of = (type: string, applications: Unit['applications'], alerts: Unit['alerts'] = []) => ({
      type,
      status: 'idle' as const,
      applications,
      alerts,
    })
    expect(
      countUnits([
        of('LU-600', { video: { state: 'streaming' } }, [alert]),
        of('LU-800', { multiCamera: { state: 'streaming' } }),
        of('LU-Lite', {}),
        of('LU-Smart', null),
        of('MultiPoint', {}),
        of('P2P', {}, [alert, alert]),
      ]),
    ).toEqual({
      busy: 2,
      idle: 3,
      offline: 1,
      field: 2,
      camera: 1,
      lite: 1,
      smart: 1,
      ptmp: 1,
      ptp: 1,
      activeAlerts: 3,
    })
  })
  it('are stale when older than two report intervals', () => {
    expect(isStale({ reportedAt: 10_000, reportIntervalMs: 1000 }, 12_000)).toBe(false)
    expect(isStale({ reportedAt: 10_000, reportIntervalMs: 1000 }, 12_001)).toBe(true)
    expect(isStale({ reportedAt: null, reportIntervalMs: 1000 }, 0)).toBe(true)
  })
  it('write bit rates in Mbps with two decimals', () => {
    expect([formatMbps(4120), formatMbps(0), formatMbps(27_634)]).toEqual([
      '4.12 Mbps',
      '0.00 Mbps',
      '27.63 Mbps',
    ])
  })
})

describe('names, versions, alerts and roles', () => {
  it('allow letters, numbers, underscores and hyphens in names, 100 characters in comments, no semicolon in metadata', () => {
    expect(Name.safeParse('LU600-MTL_03').success).toBe(true)
    expect(Name.safeParse('Zürich-1').success).toBe(true)
    for (const bad of ['', 'a b', 'a;b', 'a/b', 'x'.repeat(256)])
      expect(Name.safeParse(bad).success).toBe(false)
    expect(Comment.safeParse('x'.repeat(101)).error?.issues[0]?.message).toBe(
      rule('text.atMost', { most: 100 }),
    )
    expect(MetadataText.safeParse('a;b').success).toBe(false)
  })
  it('compare versions part by part', () => {
    expect(compareVersions('10.0', '9.2.6')).toBeGreaterThan(0)
    expect(compareVersions('7', '7.0.0-b12')).toBe(0)
    expect([isAtLeast('8.5.1', '8.5'), isAtLeast('8.4.9', '8.5')]).toEqual([true, false])
  })
  it('clear an alert by a margin of a fifth of its threshold, and of at most 10 points [ALERT-003]', () => {
    const cpu = { warning: 80, critical: 95 }
    expect([85, 84].map((value) => severityAbove(value, cpu, 'critical'))).toEqual(['critical', 'warning'])
    expect([70, 69].map((value) => severityAbove(value, cpu, 'warning'))).toEqual(['warning', undefined])
    expect(severityAbove(94, cpu, 'warning')).toBe('warning')
    const loss = { warning: 5, critical: 25 }
    expect([20, 19].map((value) => severityAbove(value, loss, 'critical'))).toEqual(['critical', 'warning'])
    expect([4, 3.9].map((value) => severityAbove(value, loss, 'warning'))).toEqual(['warning', undefined])
    const battery = { warning: 20, critical: 10 }
    expect([12, 13].map((value) => severityBelow(value, battery, 'critical'))).toEqual([
      'critical',
      'warning',
    ])
    expect([24, 25].map((value) => severityBelow(value, battery, 'warning'))).toEqual(['warning', undefined])
    expect(severityBelow(11, battery, 'warning')).toBe('warning')
    const cautious = { warning: 95, critical: 90 }
    expect([99, 100].map((value) => severityBelow(value, cautious, 'critical'))).toEqual([
      'critical',
      undefined,
    ])
  })
  it('grade values and put critical alerts first', () => {
    const cpu = (value: number, active?: AlertSeverity) =>
      severityAbove(value, alertThresholds.serverCpuPercent, active)
    expect([80, 95, 79].map((value) => cpu(value))).toEqual(['warning', 'critical', undefined])
    const battery = (value: number, active?: AlertSeverity) =>
      severityBelow(value, alertThresholds.batteryPercent, active)
    expect([20, 10, 21].map((value) => battery(value))).toEqual(['warning', 'critical', undefined])
    const alert = (id: string, severity: 'warning' | 'critical', since: number) => ({
      id,
      uid: 'u',
      name: 'u',
      severity,
      type: 'battery' as const,
      since,
      value: null,
    })
    const sorted = [alert('a', 'warning', 9), alert('b', 'critical', 1), alert('c', 'critical', 2)].sort(
      byUrgency,
    )
    expect(sorted.map(({ id }) => id)).toEqual(['c', 'b', 'a'])
  })
  it('give every user type a role and every action its roles', () => {
    expect(Role.options).toHaveLength(16)
    expect(UserType.options.map((type) => roleOfUserType[type])).toHaveLength(15)
    expect(mayDo(['luc_read'], 'viewUnits')).toBe(true)
    expect(mayDo(['luc_read'], 'operateUnits')).toBe(false)
    expect(mayDo(['luc_regular'], 'powerUnits')).toBe(false)
    const { administerServices: _, ...others } = rolesOfAction
    for (const roles of Object.values(others)) expect(roles).toContain('super_user')
  })
  it('know the regular role and the unauthorized', () => {
    expect([
      hasRegularRole(['luc_read']),
      hasRegularRole(['staff']),
      hasRegularRole(['luc_multipoint']),
    ]).toEqual([false, false, false])
    expect([hasRegularRole(['luc_regular']), hasRegularRole(['luc_partner'])]).toEqual([true, true])
    expect([
      isUnauthorized([]),
      isUnauthorized(['luc_studio']),
      isUnauthorized(['luc_multipoint', 'luc_admin']),
    ]).toEqual([true, true, false])
  })
})
