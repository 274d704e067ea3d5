// Bad input and faults at the gateway, through real sockets: each has a clear answer and no effect on others.
import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestFleet, sampleOf, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'

describe('the gateway', () => {
  let fleet: TestFleet
  let bystander: TestDevice
  beforeEach(async () => {
    fleet = await createTestFleet('sqlite', { localKey: 'a-local-key-of-the-launcher' })
    bystander = await fleet.unit('BYSTANDER')
  })
  afterEach(async () => {
    // After any fault of another socket, this one is still served.
    bystander.report({ state: 'unharmed' })
    await until(() => fleet.core.units.values(bystander.id)?.state === 'unharmed')
    expect(bystander.closed).toBeUndefined()
    await fleet.remove()
  })

  const counted = async (reason: string) => {
    const line = (await fleet.core.metrics.metrics())
      .split('\n')
      .find((one) => one.includes(`reason="${reason}"`))
    return Number(line?.split(' ').at(-1) ?? 0)
  }

  async function expectRefusal(device: TestDevice, code: number, message: string | RegExp) {
    expect(await device.gone()).toBe(code)
    expect(device.newest('refused')).toMatchObject({ code, message: expect.stringMatching(message) })
  }

  it('refuses an unknown token', async () => {
    const stranger = await fleet.dial('not-a-token')
    await expectRefusal(stranger, 4401, 'Unknown device token.')
    expect(await counted('unknownToken')).toBe(1)
  })

  it('refuses an invalid registration key, and the local key with an unknown group', async () => {
    const register = (await fleet.unit('KNOWN')).hello as object
    for (const registrationKey of ['key-nowhere', 'a-local-key-of-the-launcher/nowhere']) {
      const device = await fleet.dial()
      device.send({ ...register, type: 'register', registrationKey })
      await expectRefusal(device, 4403, 'registrationKey')
    }
  })

  it("admits a device on core's machine into the group that its key names", async () => {
    const unit = await fleet.unit('LOCAL', { registrationKey: 'a-local-key-of-the-launcher/cairo' })
    const sam = await fleet.signedIn('sam')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
    const units = await sam.call(api.units.ofGroup, { query: { group: 'cairo' } })
    expect(units).toMatchObject([{ name: 'LOCAL', inventoryId: 'south' }])
  })

  it('gives two devices of one name different names, and one serial number one identity', async () => {
    const first = await fleet.unit('TWIN', { serialNumber: 'a' })
    const second = await fleet.unit('TWIN', { serialNumber: 'b' })
    expect(fleet.core.devices.get(second.id)?.name).toBe('TWIN-2')
    first.socket.close()
    await until(() => fleet.core.units.values(first.id)?.offline === true)
    const again = await fleet.unit('TWIN', { serialNumber: 'a' })
    expect(again.id).toBe(first.id)
    expect(again.token).not.toBe(first.token)
    await expectRefusal(await fleet.dial(first.token), 4401, 'Unknown')
  })

  it('refuses what is not a message of the contract and names the field', async () => {
    const bad: [string | object, RegExp][] = [
      ['{"type":', /JSON/],
      [`{"type":"report","actual":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, /more than 32 levels deep/],
      [{ type: 'dance' }, /unknown message type "dance"/],
      [{ type: 'telemetry', samples: [{ ts: 'now', links: [] }] }, /samples\.0\.ts/],
      [{ type: 'report', actual: { delayMs: 'long' } }, /actual\.delayMs/],
    ]
    for (const [at, [message, text]] of bad.entries()) {
      const unit = await fleet.unit(`BAD-${at}`)
      unit.send(message)
      await expectRefusal(unit, 4400, text)
    }
    expect(await counted('malformed')).toBe(bad.length)
  })

  it('refuses messages before hello, and those that another kind of device sends', async () => {
    const early = await fleet.dial()
    early.send({ type: 'report', actual: {} })
    await expectRefusal(early, 4400, 'Register first')
    const unit = await fleet.unit('AMBITIOUS')
    unit.telemetry([])
    await expectRefusal(unit, 4403, 'A unit may not send serverTelemetry')
  })

  it('closes a socket that sends nothing for 10 s', async () => {
    const mute = await fleet.dial()
    await fleet.pass(10_100)
    await expectRefusal(mute, 4408, 'No hello')
  })

  it('closes a socket with a frame over 64 KB', async () => {
    const unit = await fleet.unit('LOUD')
    unit.send(JSON.stringify({ type: 'report', actual: { state: 'x'.repeat(70_000) } }))
    expect(await unit.gone()).toBe(1009)
    expect(await counted('tooLarge')).toBe(1)
  })

  it('closes a socket that floods, and not one that catches up in a burst', async () => {
    const calm = await fleet.unit('CALM')
    for (let i = 0; i < 90; i++) calm.report({ state: `s${i}` })
    const flood = await fleet.unit('FLOOD')
    for (let i = 0; i < 200; i++) flood.report({ state: `s${i}` })
    await expectRefusal(flood, 4429, 'Too many messages')
    await until(() => fleet.core.units.values(calm.id)?.state === 's89')
    expect(calm.closed).toBeUndefined()
  })

  it('lets the same software take over its identity immediately', async () => {
    const unit = await fleet.unit('MOBILE')
    const again = await fleet.again(unit)
    await again.greet()
    again.report({ state: 'again' })
    await until(() => fleet.core.units.values(unit.id)?.state === 'again')
    expect(await unit.gone()).toBe(1006)
    expect(fleet.core.units.values(unit.id)?.offline).toBe(false)
  })

  it('refuses a second machine with the identity of one that is alive, and records it', async () => {
    const unit = await fleet.unit('ORIGINAL')
    const twin = await fleet.again(unit, { bootId: 'another-machine' })
    twin.send(twin.hello as object)
    await expectRefusal(twin, 4409, 'Another machine')
    expect(unit.closed).toBeUndefined()
    const olivia = await fleet.signedIn('olivia')
    const events = await olivia.call(api.units.events, { params: { id: unit.id }, query: {} })
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'connection',
        severity: 'warning',
        text: expect.stringContaining('127.0.0.1'),
      }),
    )
  })

  it('lets a machine that restarted take over from its own dead socket', async () => {
    const unit = await fleet.unit('RESTARTED')
    // The power failed: this socket is not read any more.
    unit.socket.pause()
    const again = await fleet.again(unit, { bootId: 'second-boot' })
    const greeted = again.greet()
    await fleet.pass(3200)
    await greeted
    again.report({ state: 'restarted' })
    await until(() => fleet.core.units.values(unit.id)?.state === 'restarted')
  })

  it('ignores a message that names an unknown unit, or another one', async () => {
    const unit = await fleet.unit('HONEST')
    for (const unitId of ['u-unknown', bystander.id]) {
      unit.send({ type: 'report', unitId, actual: { state: 'forged' } })
      unit.send({ type: 'telemetry', unitId, samples: [sampleOf(Date.now())] })
    }
    unit.send({ type: 'report', unitId: unit.id, actual: { state: 'honest' } })
    await until(() => fleet.core.units.values(unit.id)?.state === 'honest')
    expect(fleet.core.units.values(bystander.id)?.state).not.toBe('forged')
    expect(fleet.core.units.values(unit.id)?.uplink).toBeNull()
    expect(unit.closed).toBeUndefined()
    expect(await counted('unknownUnit')).toBe(4)
  })

  it('ignores what a server reports of a channel that is not its own', async () => {
    const [mine, theirs] = [await fleet.server('MINE'), await fleet.server('THEIRS')]
    const foreign = theirs.channelIds[0] as string
    mine.telemetry([
      { channelId: foreign, status: 'collecting' },
      { channelId: 'ch-unknown', status: 'collecting' },
      { channelId: mine.channelIds[0] as string, status: 'online' },
    ])
    await until(() => fleet.core.channels.known(mine.channelIds[0] ?? '')?.status === 'online')
    expect(fleet.core.channels.known(foreign)?.status).toBe('idle')
  })

  it('considers a device disconnected when it leaves two pings unanswered', async () => {
    const unit = await fleet.unit('SILENT')
    unit.socket.pause()
    await fleet.pass(45_100)
    await until(() => fleet.core.units.values(unit.id)?.offline === true)
  })

  it('pings a device that is silent, and none that reports each second', async () => {
    const [silent, talking] = [await fleet.unit('SILENT'), await fleet.unit('TALKING')]
    const pinged: string[] = []
    for (const [name, { socket }] of Object.entries({ silent, talking }))
      socket.on('ping', () => pinged.push(name))
    for (let second = 0; second < 34; second++) {
      talking.send({ type: 'telemetry', samples: [sampleOf(fleet.clock.nowMs())] })
      await fleet.pass(1000)
    }
    expect(pinged).toEqual(['silent', 'silent'])
  })
})
