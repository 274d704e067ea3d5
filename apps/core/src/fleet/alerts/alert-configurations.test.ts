// The settings of the group, or of the unit, decide which alerts the users of a group see.

import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import {
  type AlertsConfiguration,
  type AlertsMode,
  defaultAlertsConfiguration,
} from '@backhaul/contract/nouns/alert-configuration'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { createTestFleet, sampleOf, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const calls = api.alerts

describe.each(engines)('the configuration of alerts on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  let unit: TestDevice
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    nora = await fleet.signedIn('nora')
    unit = await fleet.unit('LOW')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
  })
  afterEach(() => fleet.remove())

  const saying = (mode: AlertsMode, warning: number, critical: number): AlertsConfiguration => ({
    ...defaultAlertsConfiguration,
    mode,
    thresholds: { ...defaultAlertsConfiguration.thresholds, batteryPercent: { warning, critical } },
  })
  const ofGroup = (id: string, body: AlertsConfiguration) =>
    nora.call(calls.setOfGroup, { params: { id }, body })
  const ofUnit = (body: AlertsConfiguration) => nora.call(calls.setOfUnit, { params: { id: unit.id }, body })
  const shown = async (groupId: string) => {
    const alerts = await nora.call(calls.active, { query: { groupId } })
    return alerts.map(({ type, severity }) => `${type} ${severity}`)
  }
  const batteryAt = async (percentage: number) => {
    const battery = { connected: true, charging: false, percentage }
    unit.send({ type: 'telemetry', samples: [sampleOf(fleet.clock.nowMs(), { battery })] })
    await until(() => fleet.core.units.values(unit.id)?.battery?.percentage === percentage)
  }

  it('applies to each group separately, immediately, also for a unit in more than one group', async () => {
    await fleet.core.groups.addMember('leeds', 'unit', unit.id)
    await batteryAt(40)
    expect(await shown('london')).toEqual([])
    await ofGroup('london', saying('byGroup', 60, 30))
    expect([await shown('london'), await shown('leeds')]).toEqual([['battery warning'], []])
    await ofGroup('leeds', saying('byGroup', 80, 50))
    expect([await shown('london'), await shown('leeds')]).toEqual([['battery warning'], ['battery critical']])
    await ofGroup('leeds', saying('automatic', 80, 50))
    expect([await shown('london'), await shown('leeds')]).toEqual([['battery warning'], []])
    await ofGroup('london', { ...saying('byGroup', 60, 30), severity: 'critical' })
    expect(await shown('london')).toEqual([])
  })

  it('reaches the topic of the group, survives a restart, and applies to servers too', async () => {
    const follower = await fleet.follow(nora, ['group.london'])
    await batteryAt(40)
    await ofGroup('london', saying('byGroup', 60, 30))
    await fleet.pass(200)
    await follower.sees('group.london', {
      alerts: await nora.call(calls.active, { query: { groupId: 'london' } }),
    })
    await fleet.restart()
    nora = await fleet.signedIn('nora')
    expect(await shown('london')).toEqual(['battery warning'])
    expect(await nora.call(calls.ofGroup, { params: { id: 'london' } })).toEqual(saying('byGroup', 60, 30))
    const hub = await fleet.server('MCR')
    const usage = { cpuPercent: 60, memoryPercent: 1, storagePercent: 1 }
    hub.send({ type: 'serverTelemetry', ts: fleet.clock.nowMs(), usage, channels: [] })
    await fleet.pass()
    expect(await shown('london')).not.toContain('serverCpu warning')
    const { thresholds } = defaultAlertsConfiguration
    const serverCpuPercent = { warning: 50, critical: 70 }
    await ofGroup('london', {
      mode: 'byGroup',
      severity: 'warning',
      thresholds: { ...thresholds, serverCpuPercent },
    })
    expect(await shown('london')).toContain('serverCpu warning')
  })

  it('of a unit takes precedence over that of its groups, and can be read for each mode', async () => {
    await batteryAt(40)
    await ofGroup('london', saying('byGroup', 60, 30))
    await ofUnit(saying('automatic', 90, 80))
    expect(await shown('london')).toEqual([])
    await ofUnit(saying('manual', 90, 80))
    expect(await shown('london')).toEqual(['battery critical'])
    await ofUnit(saying('byGroup', 90, 80))
    expect(await shown('london')).toEqual(['battery warning'])
    const params = { id: unit.id }
    expect(await nora.call(calls.ofUnit, { params })).toEqual(saying('byGroup', 90, 80))
    const possible = (query: { mode: AlertsMode; groupId?: string }) =>
      nora.call(calls.possible, { params, query })
    expect(await possible({ mode: 'automatic' })).toEqual(defaultAlertsConfiguration)
    expect(await possible({ mode: 'manual' })).toEqual(saying('manual', 90, 80))
    expect(await possible({ mode: 'byGroup', groupId: 'london' })).toEqual(saying('byGroup', 60, 30))
    await expect(possible({ mode: 'byGroup' })).rejects.toMatchObject({ fields: [{ field: 'groupId' }] })
    await expect(possible({ mode: 'byGroup', groupId: 'cairo' })).rejects.toMatchObject({ status: 404 })
    expect(await nora.call(calls.standard, {})).toEqual(defaultAlertsConfiguration)
  })

  it('is stored with the group, and refused where critical is not more severe than warning', async () => {
    const configuration = saying('byGroup', 60, 30)
    await ofGroup('london', configuration)
    expect(await nora.call(api.groupAdministration.one, { params: { id: 'london' } })).toMatchObject({
      alertsMode: 'byGroup',
      alertThresholds: configuration.thresholds,
      alertConfiguration: configuration,
    })
    await expect(ofGroup('london', saying('byGroup', 30, 60))).rejects.toMatchObject({
      status: 400,
      fields: [fault('thresholds.batteryPercent.critical', 'threshold.below')],
    })
  })
})
