import { defaultAlertsConfiguration as byDefault } from '@backhaul/contract/nouns/alert-configuration'
import { expect, it } from 'vitest'
import { serverAlerts, type UnitSituation, unitAlerts } from './alert-rules.ts'

const live = { applications: { video: { state: 'streaming' } } }
const idle = { applications: {} }
const battery = (percentage: number | null, more = {}) => ({
  connected: true,
  charging: false,
  percentage,
  ...more,
})
const rate = (kbps: number) => ({ kbps, usualKbps: 4000, isStarved: false })
const nothing = { kbps: 3, usualKbps: undefined, isStarved: true }
const quiet: UnitSituation = {
  unit: live,
  battery: null,
  bitrate: rate(4000),
  isWanted: true,
  isEnding: false,
  cameraGoneSinceMs: undefined,
  cameras: [],
  nowMs: 100_000,
}

it.each<[string, Partial<UnitSituation>, string]>([
  ['nothing is wrong', {}, ''],
  ['battery at 20 %', { battery: battery(20), unit: idle }, 'battery warning 20'],
  ['battery at 21 %', { battery: battery(21) }, ''],
  ['battery at 10 %, even idle', { battery: battery(10), unit: idle }, 'battery critical 10'],
  ['battery charging', { battery: battery(5, { charging: true }) }, ''],
  ['battery not identified', { battery: battery(null) }, ''],
  ['no battery', { battery: battery(0, { connected: false }) }, ''],
  ['30 % under the mean', { bitrate: rate(2700) }, 'bitrateDrop warning 2700'],
  ['60 % under the mean', { bitrate: rate(1500) }, 'bitrateDrop critical 1500'],
  ['20 % under the mean', { bitrate: rate(3200) }, ''],
  ['a drop of a unit that is idle', { bitrate: rate(0), unit: idle, isWanted: false }, ''],
  ['a drop that was requested', { bitrate: rate(0), isEnding: true }, ''],
  ['next to nothing from the beginning', { bitrate: nothing }, 'bitrateDrop critical 3'],
  ['the camera gone for 5 s', { cameraGoneSinceMs: 95_000 }, 'cameraDisconnected critical null'],
  ['the camera gone for 4 s', { cameraGoneSinceMs: 96_000 }, ''],
  ['the camera gone from an idle unit', { cameraGoneSinceMs: 1000, unit: idle }, ''],
])('%s', (_, change, expected) => {
  const alerts = unitAlerts({ ...quiet, ...change }, byDefault, [])
  expect(alerts.map(({ type, severity, value }) => `${type} ${severity} ${value}`).join()).toBe(expected)
})

it.each<[string, Partial<UnitSituation>, string]>([
  ['is kept while nothing is known of the bit rate', { bitrate: undefined }, 'critical'],
  [
    'is kept while the unit is offline and its transmission wanted',
    { unit: { applications: null } },
    'critical',
  ],
  ['clears when the unit is away and nothing wanted', { unit: { applications: null }, isWanted: false }, ''],
  ['is kept while the unit starts again', { unit: idle, bitrate: undefined }, 'critical'],
  ['clears when the unit is to stop', { bitrate: nothing, isEnding: true }, ''],
  ['clears when the rate is back', {}, ''],
])('an active alert %s', (_, change, expected) => {
  const alerts = unitAlerts({ ...quiet, ...change }, byDefault, [
    { type: 'bitrateDrop', severity: 'critical', value: 3 },
  ])
  expect(alerts.map(({ severity }) => severity).join()).toBe(expected)
})

it('warns of a server’s processor and storage', () => {
  expect(serverAlerts({ cpuPercent: 79, storagePercent: 79 }, [], byDefault, [])).toEqual([])
  expect(serverAlerts({ cpuPercent: 80, storagePercent: 95 }, [], byDefault, [])).toEqual([
    { type: 'serverCpu', severity: 'warning', value: 80 },
    { type: 'serverStorage', severity: 'critical', value: 95 },
  ])
  expect(serverAlerts(null, [], byDefault, [])).toEqual([])
})

it('uses the thresholds, and hides alerts that are not severe enough', () => {
  const sensitive = {
    ...byDefault,
    thresholds: {
      ...byDefault.thresholds,
      batteryPercent: { warning: 60, critical: 30 },
      cameraDisconnected: false,
    },
  }
  const situation = { ...quiet, battery: battery(40), cameraGoneSinceMs: 1000 }
  expect(unitAlerts(situation, sensitive, [])).toEqual([{ type: 'battery', severity: 'warning', value: 40 }])
  expect(unitAlerts(situation, { ...sensitive, severity: 'critical' }, [])).toEqual([])
  const usage = { cpuPercent: 85, storagePercent: 97 }
  expect(serverAlerts(usage, [], { ...byDefault, severity: 'critical' }, []).map(({ type }) => type)).toEqual(
    ['serverStorage'],
  )
})

it('warns of frames that a unit loses on air, of each camera with its reason', () => {
  const camera = {
    connected: true,
    kind: 'sdi',
    width: 3840,
    height: 2160,
    fps: 60,
    codec: 'H.264/AVC',
  } as const
  const losing = (percent: number) => ({ ...camera, frameLoss: { percent, reason: 'Too slow' } })
  const found = (cameras: UnitSituation['cameras'], more: Partial<UnitSituation> = {}) =>
    unitAlerts({ ...quiet, cameras, ...more }, byDefault, [])
  expect(found([losing(5)])).toEqual([
    { type: 'encoderBehind', severity: 'warning', value: 5, reason: 'Too slow' },
  ])
  expect(found([camera, losing(40)])).toEqual([
    {
      type: 'encoderBehind',
      severity: 'critical',
      value: 40,
      about: { id: 'camera 2', name: '2' },
      reason: 'Too slow',
    },
  ])
  expect(found([losing(40)], { unit: idle })).toEqual([])
  const { thresholds } = byDefault
  const patient = {
    ...byDefault,
    thresholds: { ...thresholds, frameLossPercent: { warning: 50, critical: 60 } },
  }
  expect(unitAlerts({ ...quiet, cameras: [losing(40)] }, patient, [])).toEqual([])
})

it('leaves out failures of destinations and of what a server was to start where they are switched off', () => {
  const usage = { cpuPercent: 1, storagePercent: 1 }
  const failures = [{ type: 'destinationFailed' as const }, { type: 'recordingFailed' as const }]
  const typesWith = (flags: { destinationFailed?: boolean; serverFailed?: boolean }) =>
    serverAlerts(
      usage,
      failures,
      { ...byDefault, thresholds: { ...byDefault.thresholds, ...flags } },
      [],
    ).map(({ type }) => type)
  expect(typesWith({})).toEqual(['destinationFailed', 'recordingFailed'])
  expect(typesWith({ destinationFailed: false })).toEqual(['recordingFailed'])
  expect(typesWith({ serverFailed: false })).toEqual(['destinationFailed'])
})
