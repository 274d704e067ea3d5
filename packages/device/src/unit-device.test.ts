import { because } from '@backhaul/contract/define/refusals'
import { closeCodes } from '@backhaul/contract/gateway/shared'
import type { UnitActual, UnitWanted } from '@backhaul/contract/gateway/units'
import type { SpeedTest } from '@backhaul/contract/nouns/speed-tests'
import { createTestClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { afterEach, expect, test } from 'vitest'
import { Refused } from './refused.ts'
import { startCoreDouble } from './testing/core-double.ts'
import { createScriptedUnit, type ScriptedUnit } from './testing/scripted-unit.ts'
import type { DeviceToken, TokenStore } from './token-store.ts'
import { createUnitDevice } from './unit-device.ts'
import { UpgradeFailed } from './upgrading.ts'

/** Whether `whole` contains all of `part`. */
const isMatch = (whole: Partial<UnitActual>, part: Partial<UnitActual>) =>
  Object.entries(part).every(([name, value]) => whole[name as keyof UnitActual] === value)

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

const identity = { product: 'LU-600', serialNumber: '600-1', name: 'LU600-MTL-03', swVersion: '7.2.1' }
const transmission = {
  id: 't-1',
  channelId: 'ch-1',
  key: 'a2V5',
  targets: [{ host: '192.0.2.1', port: 20000 }],
}
const rest: UnitWanted = { channelId: null, delayMs: 1000, transmission: null, disabledLinks: [] }

function memoryTokens(kept?: DeviceToken): TokenStore & { kept: DeviceToken | undefined } {
  const store = {
    kept,
    load: () => store.kept,
    save(token: DeviceToken) {
      store.kept = token
    },
    clear() {
      store.kept = undefined
    },
  }
  return store
}

async function build({ token, upgrade }: { token?: DeviceToken } & Pick<ScriptedUnit, 'upgrade'> = {}) {
  const clock = createTestClock()
  const lines: string[] = []
  const core = await startCoreDouble(clock.nowMs)
  cleanUps.push(core.stop)
  const hardware = createScriptedUnit(clock.nowMs)
  const tokens = memoryTokens(token)
  const device = createUnitDevice({
    coreUrl: core.url,
    identity,
    registrationKey: 'key-of-the-group',
    tokens,
    hardware: upgrade ? Object.assign(hardware, { upgrade }) : hardware,
    clock,
    random: () => 0,
    log: createLog({ name: 'unit', format: 'pretty', write: (line) => lines.push(line.slice(9)) }),
  })
  cleanUps.push(device.stop)
  return { clock, core, hardware, tokens, device, lines }
}

test('a device that has to wait for core keeps its connection', async () => {
  const { core, clock } = await build()
  core.answers = false
  await core.next('register')
  await clock.advanceAsync(8000)
  core.send({ type: 'queued' })
  core.send({ type: 'registered', deviceId: '600-1', token: 'a-token' })
  await core.next('hello')
  await clock.advanceAsync(5000)
  core.send({ type: 'welcome', deviceId: '600-1', serverTime: clock.nowMs() })
  await core.next('report')
  expect(core.dials).toHaveLength(1)
})

test('a device without a token registers, keeps the token before it greets, and reports everything after the welcome', async () => {
  const { core, tokens, device } = await build()
  expect(await core.next('register')).toMatchObject({
    ...identity,
    kind: 'unit',
    registrationKey: 'key-of-the-group',
  })
  expect(await core.next('hello')).toMatchObject({ ...identity, appliedRevision: 0, reportIntervalMs: 1000 })
  expect(tokens.kept).toEqual({ deviceId: '600-1', token: 'token-of-600-1' })
  const { actual } = await core.next('report')
  expect(actual).toEqual({
    state: 'idle',
    applications: {},
    channelId: null,
    transmissionId: null,
    failure: null,
    failureCause: null,
    delayMs: 1000,
    workingMode: 'video',
    links: expect.any(Array),
    storages: [],
    camera: null,
    capabilities: { hevc: true },
    speedTest: null,
    appliedRevision: 0,
  })
  expect(device.isConnected()).toBe(true)
  expect(core.dials).toEqual([undefined])
})

test('a wanted transmission is accepted, started and confirmed by reports of what changed', async () => {
  const { clock, core, hardware } = await build()
  await core.next('report')
  core.send({
    type: 'wanted',
    revision: 7,
    state: { ...rest, channelId: 'ch-1', delayMs: 2000, transmission },
  })
  expect(await core.next('outcome')).toEqual({ type: 'outcome', revision: 7, state: 'accepted' })
  await clock.advanceAsync(100)
  expect((await core.next('report')).actual).toEqual({
    state: 'streaming',
    applications: { video: { state: 'streaming', since: expect.any(Number) } },
    channelId: 'ch-1',
    transmissionId: 't-1',
    delayMs: 2000,
    appliedRevision: 7,
  })
  expect(hardware.calls).toEqual(['channel ch-1', 'delay 2000', 'start t-1 2000'])
})

test.each([-86_400_000, -3_600_000, 3_600_000, 86_400_000])(
  'a unit whose clock is set by %i ms continues to report, to measure, and to follow core',
  async (stepMs) => {
    const { clock, core, hardware } = await build()
    await core.next('report')
    /** The state received by core in all reports after some time. */
    const known: Partial<UnitActual> = {}
    async function toldAs(wanted: Partial<UnitActual>): Promise<boolean> {
      for (let turn = 0; turn < 3 && !isMatch(known, wanted); turn++) {
        await clock.advanceAsync(100)
        Object.assign(known, (await core.next('report')).actual)
      }
      return isMatch(known, wanted)
    }
    const coreStartMs = clock.nowMs() - clock.monotonicMs()
    await clock.advanceAsync(100)
    clock.stepWall(stepMs)
    core.send({ type: 'wanted', revision: 1, state: { ...rest, transmission } })
    await core.next('outcome')
    expect(await toldAs({ state: 'streaming', appliedRevision: 1 })).toBe(true)

    // Core's own clock has not moved: its deadline is still to come.
    const deadlineMs = coreStartMs + clock.monotonicMs() + 5000
    core.send({ type: 'order', id: 'o-1', name: 'virtual_channels_updated', args: {}, deadlineMs })
    expect(await core.next('outcome')).toMatchObject({ id: 'o-1', state: 'accepted' })

    clock.stepWall(-2 * stepMs)
    core.send({ type: 'wanted', revision: 2, state: rest })
    await core.next('outcome')
    expect(await toldAs({ state: 'idle', appliedRevision: 2 })).toBe(true)
    expect(hardware.calls.at(-1)).toBe('stop')
  },
)

test('in another working mode than one of video a transmission ends and none starts, until the mode is one again', async () => {
  const { clock, core, hardware } = await build()
  hardware.settings = { workingMode: 'video' }
  await core.next('report')
  const want = async (revision: number, workingMode: 'video' | 'databridge') => {
    core.send({ type: 'wanted', revision, state: { ...rest, transmission, settings: { workingMode } } })
    await core.next('outcome')
    await clock.advanceAsync(100)
    return (await core.next('report')).actual
  }
  await want(1, 'video')
  expect(await want(2, 'databridge')).toMatchObject({ state: 'idle', workingMode: 'databridge' })
  expect(hardware.calls.at(-2)).toBe('stop')
  expect(await want(3, 'databridge')).toMatchObject({
    state: 'connecting',
    failure: 'The unit does not transmit in its working mode.',
    failureCause: { code: 'workingMode.noVideo' },
  })
  const before = hardware.calls.length
  await want(4, 'video')
  await clock.advanceAsync(5000)
  expect(hardware.calls.slice(before)).toContain('start t-1 1000')
})

test('an order for servers is refused, not confirmed', async () => {
  const { clock, core } = await build()
  await core.next('report')
  const deadlineMs = clock.nowMs() + 5000
  for (const name of ['put_overlay', 'play_file', 'receive_file', 'reset_instance'] as const) {
    core.send({ type: 'order', id: name, name, args: {}, deadlineMs })
    expect(await core.next('outcome')).toMatchObject({ id: name, state: 'accepted' })
    expect(await core.next('outcome')).toMatchObject({
      id: name,
      state: 'refused',
      reason: `A unit does not support ${name}.`,
      cause: { code: 'unit.cannot', params: { action: name } },
    })
  }
})

test('a speed test is reported every second and ends by itself, with or without a connection to core', async () => {
  const { clock, core, hardware } = await build()
  await core.next('report')
  const sample = hardware.sample
  let kbps = 0
  hardware.sample = () => {
    kbps += 1000
    return { ...sample(), links: sample().links.map((link) => ({ ...link, kbps })) }
  }
  /** Moves the clock until the test is reported in this state. */
  async function reportsUntil(state: SpeedTest['state']): Promise<SpeedTest[]> {
    const reports: SpeedTest[] = []
    while (reports.at(-1)?.state !== state) {
      let report: Awaited<ReturnType<typeof core.next<'report'>>> | undefined
      void core.next('report').then((message) => {
        report = message
      })
      while (!report) {
        await clock.advanceAsync(100)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      if (report.actual.speedTest) reports.push(report.actual.speedTest)
    }
    return reports
  }
  const wanted = { ...rest, transmission: { ...transmission, speedTestMs: 3000 } }
  core.send({ type: 'wanted', revision: 1, state: wanted })
  await core.next('outcome')
  const reports = await reportsUntil('done')
  expect(reports[0]).toMatchObject({ transmissionId: 't-1', state: 'running', links: [{ uplinkKbps: 1000 }] })
  // The rates of the first half are not used.
  const links = [{ port: 0, uplinkKbps: 2500, downlinkKbps: null, lossPercent: 0 }]
  expect(reports.at(-1)).toEqual({ transmissionId: 't-1', state: 'done', links })
  // Core has sent nothing new: the same wanted state does not start it again.
  core.send({ type: 'wanted', revision: 2, state: { ...wanted, delayMs: 2000 } })
  await core.next('outcome')
  await clock.advanceAsync(500)
  expect(hardware.calls).toEqual(['start t-1 1000', 'stop', 'delay 2000'])

  const next = { ...transmission, id: 't-2', speedTestMs: 3000 }
  core.send({ type: 'wanted', revision: 3, state: { ...rest, delayMs: 2000, transmission: next } })
  await core.next('outcome')
  core.send({ type: 'wanted', revision: 4, state: { ...rest, delayMs: 2000 } })
  await core.next('outcome')
  expect((await reportsUntil('cancelled')).at(-1)).toEqual({
    transmissionId: 't-2',
    state: 'cancelled',
    links: [],
  })
})

test('the newest wanted revision wins and an older one is ignored', async () => {
  const { clock, core, hardware } = await build()
  await core.next('report')
  core.send({ type: 'wanted', revision: 7, state: { ...rest, delayMs: 3000 } })
  core.send({ type: 'wanted', revision: 6, state: { ...rest, delayMs: 5000 } })
  await core.next('outcome')
  await clock.advanceAsync(100)
  expect((await core.next('report')).actual).toEqual({ delayMs: 3000, appliedRevision: 7 })
  expect(hardware.calls).toEqual(['delay 3000'])
})

test('a wanted state that the hardware cannot follow is refused with the reason', async () => {
  const { core, hardware } = await build()
  await core.next('report')
  hardware.updateDelay = () => {
    throw new Error('The encoder at /dev/video0 does not answer')
  }
  core.send({ type: 'wanted', revision: 3, state: { ...rest, delayMs: 3000 } })
  await core.next('outcome')
  expect(await core.next('outcome')).toEqual({
    type: 'outcome',
    revision: 3,
    state: 'refused',
    reason: 'The encoder at video0 does not answer',
  })
  hardware.updateDelay = () => {
    throw new Refused(because('device.noAnswerFrom', { address: `/run/${'x'.repeat(400)}` }))
  }
  core.send({ type: 'wanted', revision: 4, state: { ...rest, delayMs: 4000 } })
  await core.next('outcome')
  const { reason, cause } = await core.next('outcome')
  expect(reason).toHaveLength(255)
  expect(cause).toEqual({ code: 'device.noAnswerFrom', params: { address: 'x'.repeat(255) } })
})

test('why a transmission does not run is reported with its code, until it runs', async () => {
  const { clock, core, hardware } = await build()
  await core.next('report')
  const { startTransmission } = hardware
  hardware.startTransmission = async () => {
    throw new Refused('unit.noLink')
  }
  core.send({ type: 'wanted', revision: 1, state: { ...rest, transmission } })
  await core.next('outcome')
  await clock.advanceAsync(100)
  expect((await core.next('report')).actual).toMatchObject({
    failure: 'The unit has no usable link.',
    failureCause: { code: 'unit.noLink', params: {} },
  })
  hardware.startTransmission = startTransmission
  await clock.advanceAsync(2000)
  expect((await core.next('report')).actual).toMatchObject({ failure: null, failureCause: null })
})

test('without core the transmission continues, and the samples of the meantime are sent after the reconnect', async () => {
  const { clock, core, hardware } = await build()
  await core.next('report')
  core.send({ type: 'wanted', revision: 1, state: { ...rest, transmission } })
  await core.next('outcome')
  core.answers = false
  core.close(closeCodes.coreStops)
  await expect.poll(() => core.devices.size).toBe(0)
  await clock.advanceAsync(5000)
  expect(await core.next('hello')).toMatchObject({ appliedRevision: 1 })
  expect(hardware.calls).toEqual(['start t-1 1000'])
  core.send({ type: 'welcome', deviceId: 'u-1', serverTime: clock.nowMs() })
  expect((await core.next('report')).actual).toMatchObject({ state: 'streaming', transmissionId: 't-1' })
  await clock.advanceAsync(1000)
  const { samples } = await core.next('telemetry')
  expect(samples.length).toBeGreaterThanOrEqual(5)
  expect(core.dials).toEqual([undefined, 'Bearer token-of-600-1'])
})

test('the tally of core is shown, and is off soon after core is gone, when the unit restarts and when it ends', async () => {
  const { clock, core, hardware, device } = await build()
  const shown: boolean[] = []
  hardware.onTally = (onAir) => shown.push(onAir)
  const send = async (onAir: boolean) => {
    const before = shown.length
    core.send({ type: 'tally', onAir })
    await expect.poll(() => shown.slice(before)).toEqual([onAir])
  }
  const connected = () => expect.poll(() => device.isConnected()).toBe(true)
  /** The unit has noticed, and dials again. */
  const coreGone = async () => {
    core.close(closeCodes.coreStops)
    await expect.poll(() => device.isConnected()).toBe(false)
  }
  await core.next('report')
  await send(true)
  core.send({ type: 'tally', onAir: true })
  await send(false)
  await send(true)
  // Core is back in time, and sends it again: the light does not go off.
  await coreGone()
  await clock.advanceAsync(2000)
  await connected()
  core.send({ type: 'tally', onAir: true })
  core.send({
    type: 'order',
    id: 'o-1',
    name: 'virtual_channels_updated',
    args: {},
    deadlineMs: clock.nowMs(),
  })
  await core.next('outcome')
  await clock.advanceAsync(60_000)
  expect(shown).toEqual([true, false, true])
  // Core is back, and does not send it: it may not know any more.
  await coreGone()
  await clock.advanceAsync(4000)
  await connected()
  expect(shown).toEqual([true, false, true])
  await clock.advanceAsync(1000)
  expect(shown).toEqual([true, false, true, false])
  await send(true)
  core.send({ type: 'order', id: 'o-2', name: 'reboot', args: {}, deadlineMs: clock.nowMs() + 1000 })
  await expect.poll(() => shown.at(-1)).toBe(false)
  await connected()
  await send(true)
  await device.stop()
  expect(shown.slice(4)).toEqual([true, false, true, false])
})

test('a device whose token is unknown registers again, and logs it', async () => {
  const { clock, core, tokens, lines } = await build({ token: { deviceId: 'u-9', token: 'old' } })
  await core.next('hello')
  core.close(closeCodes.unknownToken)
  await expect.poll(() => tokens.kept).toBeUndefined()
  await clock.advanceAsync(1000)
  await core.next('register')
  expect(core.dials).toEqual(['Bearer old', undefined])
  await expect
    .poll(() => lines)
    .toEqual([
      'unit warn  core does not know the token of the device, which registers again\n',
      'unit info  core has registered the device deviceId=600-1\n',
    ])
})

test('a device whose identity is in use remains disconnected for a minute', async () => {
  const { clock, core } = await build({ token: { deviceId: 'u-1', token: 'mine' } })
  await core.next('report')
  core.close(closeCodes.identityInUse)
  await expect.poll(() => core.devices.size).toBe(0)
  await clock.advanceAsync(59_000)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(core.dials).toHaveLength(1)
  await clock.advanceAsync(1500)
  await core.next('hello')
  expect(core.dials).toHaveLength(2)
})

test('an order is done once however often it is received, and not at all after its deadline', async () => {
  const { clock, core, hardware } = await build()
  const { bootId } = await core.next('hello')
  await core.next('report')
  const order = {
    type: 'order',
    id: 'o-1',
    name: 'reboot',
    args: {},
    deadlineMs: clock.nowMs() + 1000,
  } as const
  core.send({ ...order, id: 'o-0', deadlineMs: clock.nowMs() - 1 })
  expect(await core.next('outcome')).toMatchObject({ id: 'o-0', state: 'refused' })
  core.send(order)
  core.send(order)
  expect(await core.next('outcome')).toMatchObject({ id: 'o-1', state: 'accepted' })
  expect((await core.next('hello')).bootId).not.toBe(bootId)
  expect(await core.next('outcome')).toMatchObject({ id: 'o-1', state: 'confirmed' })
  core.send(order)
  expect(await core.next('outcome')).toMatchObject({ id: 'o-1', state: 'confirmed' })
  expect(hardware.calls).toEqual(['reboot'])
})

test('only the changed fact is reported', async () => {
  const { clock, core, hardware } = await build()
  await core.next('report')
  await clock.advanceAsync(500)
  hardware.links = hardware.links.map((link) => ({ ...link, technology: 'LTE' }))
  hardware.emit({ kind: 'facts' })
  expect((await core.next('report')).actual).toEqual({ links: hardware.links })
})

test('an upgrade reports its progress, and the unit comes back with the version; a failed one reports the reason', async () => {
  let isBroken = false
  const { clock, core, hardware } = await build({
    async upgrade({ version, path }, tellPercent) {
      hardware.calls.push(`install ${version} from ${path}`)
      tellPercent(50)
      if (isBroken) throw new UpgradeFailed(107)
    },
  })
  await core.next('hello')
  await core.next('report')
  const order = (id: string) =>
    core.send({
      type: 'order',
      id,
      name: 'upgrade',
      deadlineMs: clock.nowMs() + 1000,
      args: { upgradeId: id, version: '8.0', path: 'r/8.0' },
    })
  order('u-1')
  const at = { type: 'upgradeProgress', upgradeId: 'u-1', resultCode: null }
  expect(await core.next('upgradeProgress')).toEqual({ ...at, percent: 0 })
  expect(await core.next('upgradeProgress')).toEqual({ ...at, percent: 50 })
  expect(await core.next('hello')).toMatchObject({ swVersion: '8.0' })
  expect(hardware.calls).toEqual(['install 8.0 from r/8.0', 'reboot'])
  await core.next('outcome')
  isBroken = true
  order('u-2')
  await core.next('upgradeProgress')
  await core.next('upgradeProgress')
  expect(await core.next('upgradeProgress')).toMatchObject({ percent: 50, resultCode: 107 })
  expect(await core.next('outcome')).toMatchObject({ id: 'u-2', state: 'refused', reason: 'Backup failed.' })
  expect(hardware.calls).toHaveLength(3)
})

test('a unit that cannot install other software refuses the order', async () => {
  const { clock, core } = await build()
  await core.next('report')
  const args = { upgradeId: 'u-1', version: '8.0', path: 'r/8.0' }
  core.send({ type: 'order', id: 'u-1', name: 'upgrade', args, deadlineMs: clock.nowMs() + 1000 })
  expect(await core.next('outcome')).toMatchObject({ state: 'accepted' })
  expect(await core.next('outcome')).toMatchObject({
    state: 'refused',
    reason: 'The device cannot upgrade itself.',
    cause: { code: 'upgrade.unsupported', params: {} },
  })
})

test('addresses that core wants are applied when their socket is plugged in, and core is dialled again with them', async () => {
  const { core, clock, hardware } = await build()
  await core.next('report')
  const socket = {
    mac: '',
    dhcp: true,
    ip: '',
    subnetMask: '',
    defaultGateway: '',
    dns1: '',
    dns2: '',
  }
  const fixed = { ...socket, dhcp: false, ip: '10.0.0.2', subnetMask: '255.255.255.0' }
  core.send({ type: 'wanted', revision: 3, state: { ...rest, settings: { ethernet: { 4: fixed } } } })
  await core.next('outcome')
  await clock.advanceAsync(2000)
  expect(hardware.calls).toEqual([])
  hardware.settings = { ethernet: { 4: socket } }
  hardware.emit({ kind: 'facts' })
  await clock.advanceAsync(2000)
  expect(hardware.calls).toEqual([`set ${JSON.stringify({ ethernet: { 4: fixed } })}`])
  while (core.dials.length < 2) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    await clock.advanceAsync(200)
  }
  expect(core.dials).toHaveLength(2)
})
