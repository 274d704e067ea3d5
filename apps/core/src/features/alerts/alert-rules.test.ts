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
const steady = Array.from({ length: 59 }, () => 4000)
const quiet: UnitSituation = {
  unit: live,
  battery: null,
  kbps: steady,
  cameraGoneSinceMs: undefined,
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
  ['30 % under the mean', { kbps: [...steady, 2700] }, 'bitrateDrop warning 2700'],
  ['60 % under the mean', { kbps: [...steady, 1500] }, 'bitrateDrop critical 1500'],
  ['20 % under the mean', { kbps: [...steady, 3200] }, ''],
  ['a drop of a unit that is idle', { kbps: [...steady, 0], unit: idle }, ''],
  ['a drop in the first seconds', { kbps: [4000, 0] }, ''],
  ['the camera gone for 5 s', { cameraGoneSinceMs: 95_000 }, 'cameraDisconnected critical null'],
  ['the camera gone for 4 s', { cameraGoneSinceMs: 96_000 }, ''],
  ['the camera gone from an idle unit', { cameraGoneSinceMs: 1000, unit: idle }, ''],
])('%s', (_, change, expected) => {
  const alerts = unitAlerts({ ...quiet, ...change }, byDefault)
  expect(alerts.map(({ type, severity, value }) => `${type} ${severity} ${value}`).join()).toBe(expected)
})

it('warns of a server’s processor and storage', () => {
  expect(serverAlerts({ cpuPercent: 79, storagePercent: 79 }, byDefault)).toEqual([])
  expect(serverAlerts({ cpuPercent: 80, storagePercent: 95 }, byDefault)).toEqual([
    { type: 'serverCpu', severity: 'warning', value: 80 },
    { type: 'serverStorage', severity: 'critical', value: 95 },
  ])
  expect(serverAlerts(null, byDefault)).toEqual([])
})

it('goes by the thresholds, and keeps back what is not grave enough', () => {
  const sensitive = {
    ...byDefault,
    thresholds: {
      ...byDefault.thresholds,
      batteryPercent: { warning: 60, critical: 30 },
      cameraDisconnected: false,
    },
  }
  const situation = { ...quiet, battery: battery(40), cameraGoneSinceMs: 1000 }
  expect(unitAlerts(situation, sensitive)).toEqual([{ type: 'battery', severity: 'warning', value: 40 }])
  expect(unitAlerts(situation, { ...sensitive, severity: 'critical' })).toEqual([])
  const usage = { cpuPercent: 85, storagePercent: 97 }
  expect(serverAlerts(usage, { ...byDefault, severity: 'critical' }).map(({ type }) => type)).toEqual([
    'serverStorage',
  ])
})
