import { expect, test } from 'vitest'
import {
  AlertsConfiguration,
  type AlertsMode,
  configurationFor,
  defaultAlertsConfiguration,
} from './alert-configuration.ts'

const of = (mode: AlertsMode, critical: number): AlertsConfiguration => ({
  mode,
  thresholds: { ...defaultAlertsConfiguration.thresholds, batteryPercent: { warning: 60, critical } },
  severity: 'warning',
})

test('the mode of a unit selects the configuration, and without one that of the group', () => {
  const whose = (group?: AlertsMode, own?: AlertsMode) =>
    configurationFor(group && of(group, 30), own && of(own, 40)).thresholds.batteryPercent.critical
  expect([whose(), whose('automatic'), whose('byGroup'), whose('manual')]).toEqual([10, 10, 30, 10])
  expect([whose('byGroup', 'automatic'), whose('automatic', 'byGroup'), whose('byGroup', 'manual')]).toEqual([
    10, 10, 40,
  ])
})

test('critical must be more severe than warning, else the field is faulty', () => {
  const faults = (thresholds: object) => {
    const whole = {
      ...defaultAlertsConfiguration,
      thresholds: { ...defaultAlertsConfiguration.thresholds, ...thresholds },
    }
    return AlertsConfiguration.safeParse(whole).error?.issues.map(({ path, message }) => [
      path.join('.'),
      message,
    ])
  }
  expect(faults({})).toBeUndefined()
  expect(faults({ batteryPercent: { warning: 20, critical: 20 } })).toEqual([
    ['thresholds.batteryPercent.critical', 'threshold.below'],
  ])
  expect(faults({ serverCpuPercent: { warning: 95, critical: 80 } })).toEqual([
    ['thresholds.serverCpuPercent.critical', 'threshold.above'],
  ])
  expect(faults({ bitrateDropPercent: { warning: 0, critical: 101 } })).toHaveLength(2)
})
