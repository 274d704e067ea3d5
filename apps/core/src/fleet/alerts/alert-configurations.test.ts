// The settings of the group, or of the unit, decide which alerts the users of a group see.

import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import {
  type AlertsConfiguration,
  type AlertsMode,
  defaultAlertsConfiguration,
} from '@backhaul/contract/nouns/alert-configuration'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, sampleOf, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const calls = api.alerts

describe.each(enginesOfNight)('the configuration of alerts on %s', (engine) => {
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

  it('[ALERT-002] of a unit takes precedence over that of its groups, and can be read for each mode', async () => {
    await batteryAt(40)
    const byGroup = { ...defaultAlertsConfiguration, mode: 'byGroup' }
    expect(await nora.call(calls.ofUnit, { params: { id: unit.id } })).toEqual(byGroup)
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
    await ofGroup('london', saying('automatic', 60, 30))
    expect(await possible({ mode: 'byGroup', groupId: 'london' })).toEqual(byGroup)
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

  const first = defaultAlertsConfiguration.thresholds
  const camera = {
    connected: true,
    kind: 'SDI',
    width: 1920,
    height: 1080,
    fps: 25,
    codec: 'H.264/AVC',
  } as const
  const noCamera = { ...camera, connected: false }
  const gravities = async () => (await shown('london')).toSorted()
  const live = { applications: { video: { state: 'streaming' } } }
  const second = async (device: TestDevice, kbps: number) => {
    const { links, ...rest } = sampleOf(fleet.clock.nowMs())
    const each = links.map((link) => ({ ...link, up: kbps > 0, kbps: kbps / links.length }))
    device.send({ type: 'telemetry', samples: [{ ...rest, links: each }] })
    await fleet.pass(1000)
  }

  it('[ALERT-003] has thresholds for battery, camera, bit rate, processor and storage, which groups and units change', async () => {
    const hub = await fleet.server('MCR')
    const use = async (cpuPercent: number, storagePercent: number) => {
      const usage = { cpuPercent, memoryPercent: 1, storagePercent }
      hub.send({ type: 'serverTelemetry', ts: fleet.clock.nowMs(), usage, channels: [] })
      await fleet.pass()
    }
    await use(79, 94)
    expect(await gravities()).toEqual(['serverStorage warning'])
    await use(95, 95)
    expect(await gravities()).toEqual(['serverCpu critical', 'serverStorage critical'])
    const servers = {
      serverCpuPercent: { warning: 96, critical: 97 },
      serverStoragePercent: { warning: 90, critical: 97 },
    }
    await ofGroup('london', { mode: 'byGroup', severity: 'warning', thresholds: { ...first, ...servers } })
    expect(await gravities()).toEqual(['serverStorage warning'])
    await use(10, 10)

    unit.report({ ...live, camera: noCamera })
    for (let at = 0; at < 20; at++) await second(unit, 4000)
    expect(await gravities()).toEqual(['cameraDisconnected critical'])
    await ofUnit({ mode: 'manual', severity: 'warning', thresholds: { ...first, cameraDisconnected: false } })
    expect(await gravities()).toEqual([])
    await second(unit, 2700)
    expect(await gravities()).toEqual(['bitrateDrop warning'])
    const bitrateDropPercent = { warning: 20, critical: 30 }
    await ofUnit({
      mode: 'manual',
      severity: 'warning',
      thresholds: { ...first, cameraDisconnected: false, bitrateDropPercent },
    })
    expect(await gravities()).toEqual(['bitrateDrop critical'])
    await ofUnit(saying('manual', 60, 30))
    unit.report({ applications: {}, camera })
    await batteryAt(60)
    await fleet.pass()
    expect(await gravities()).toEqual(['battery warning'])
    await batteryAt(30)
    expect(await gravities()).toEqual(['battery critical'])
  })

  it('[ALERT-006] applies to units that are active for alerts and whose model supports them, and to servers', async () => {
    const empty = { battery: { connected: true, charging: false, percentage: 5 } }
    const models = [
      'LU-200',
      'LU-Smart',
      'LU-Lite',
      'LU-300',
      'LU-500',
      'LU-610',
      'LU-700',
      'LU-800',
      'LU-810',
    ]
    const units = await Promise.all(models.map((product) => fleet.unit(`Is-${product}`, { product })))
    const raised = async () => {
      const alerts = await nora.call(calls.active, { query: { groupId: 'london' } })
      return alerts.map(({ name, type }) => `${name} ${type}`).toSorted()
    }
    const supported = models.slice(3)
    // Idle: the battery alone.
    for (const one of units) {
      one.report({ camera: noCamera })
      one.send({ type: 'telemetry', samples: [sampleOf(fleet.clock.nowMs(), empty)] })
    }
    await fleet.pass(6000)
    for (const one of units) one.send({ type: 'telemetry', samples: [sampleOf(fleet.clock.nowMs(), empty)] })
    await fleet.pass()
    expect(await raised()).toEqual(supported.map((product) => `Is-${product} battery`))
    // Sending: the camera too.
    for (const one of units) one.report(live)
    for (let at = 0; at < 8; at++) {
      for (const one of units)
        one.send({ type: 'telemetry', samples: [sampleOf(fleet.clock.nowMs(), empty)] })
      await fleet.pass(1000)
    }
    expect(await raised()).toEqual(
      supported.flatMap((product) => [`Is-${product} battery`, `Is-${product} cameraDisconnected`]),
    )
    const box = await fleet.server('Gateway', 0, { product: 'Databridge Gateway' })
    const usage = { cpuPercent: 99, memoryPercent: 1, storagePercent: 1 }
    for (const one of [box, await fleet.server('Hub')])
      one.send({ type: 'serverTelemetry', ts: fleet.clock.nowMs(), usage, channels: [] })
    await fleet.pass()
    expect((await raised()).filter((text) => text.endsWith('Cpu'))).toEqual(['Hub serverCpu'])
  })
})
