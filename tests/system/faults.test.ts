// Parts of a running installation that break or misbehave, with the real programs as whole processes.

import { randomInt } from 'node:crypto'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { type LinkGate, openLinkGate } from '@backhaul/bonding/testing/link-gate'
import { api } from '@backhaul/contract/api/api'
import { english } from '@backhaul/contract/define/refusals'
import { GATEWAY_PATH, MAX_FRAME_BYTES } from '@backhaul/contract/gateway/shared'
import { type Channel, receivesUnits } from '@backhaul/contract/nouns/channels'
import type { Unit } from '@backhaul/contract/nouns/units'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { signalProcess } from '@backhaul/runtime/testing/processes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { goOnFromEachOther } from '../stage/chains.ts'
import { type Listener, type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { pause, until } from '../stage/until.ts'

describe.runIf(findFfmpeg())('a unit on air', () => {
  let stage: Stage
  let person: Person
  let push: Listener
  let unit: Unit
  let channel: Channel
  let gate: LinkGate
  let transmissionId: string

  beforeAll(async () => {
    stage = await openStage({ demo: 0, hasOwnCore: true })
    const port = 30_000 + 2 * randomInt(4000)
    await stage.start('hub', {
      env: {
        BACKHAUL_HUB_ADDRESS: '127.0.0.11',
        BACKHAUL_HUB_UNIT_HOST: '127.0.0.21',
        BACKHAUL_HUB_MEDIA_PORT: String(port),
      },
    })
    await stage.start('agent', {
      env: { BACKHAUL_LINKS: '127.0.0.2,127.0.0.3', BACKHAUL_BITRATE_KBPS: '800' },
    })
    person = await signIn(stage.url, 'admin', adminPassword)
    channel = await until('a channel', async () =>
      (await channels()).find(({ inputType }) => inputType === null),
    )
    const addresses = { host: '127.0.0.11', port: channel.port ?? 0, receiverHost: '127.0.0.21' }
    gate = await openLinkGate(channel.port ?? 0, {}, addresses)
    unit = await until('the unit', async () => (await units()).find(({ idle }) => idle))
    await listen()
    await person.call(api.unitCommands.start, {
      params: { id: unit.uid },
      body: { channel: channel.uniqueId },
    })
    await push.until(`channel.${channel.uniqueId}`, ({ status }) => status === 'collecting')
    transmissionId = (await shown()).transmission?.id ?? ''
  })
  afterAll(async () => {
    push?.close()
    await gate?.close()
    await stage?.stop()
  })

  const channels = () => person.call(api.channels.ofGroup, { query: { group: 'newsroom' } })
  const units = () => person.call(api.units.ofGroup, { query: { group: 'newsroom' } })
  const shown = () => person.call(api.units.byId, { params: { id: unit.uid } })
  const reception = () => push.state(`channel.${channel.uniqueId}`).reception as Channel['reception']
  /** Packets lost after repair so far; a test only counts those of its own time. */
  const losses = () => {
    const { continuityErrors, uncorrected } = reception() ?? {}
    return { continuityErrors, uncorrected }
  }
  goOnFromEachOther()

  async function listen(): Promise<void> {
    push?.close()
    push = await person.listen([`unit.${unit.uid}`, `channel.${channel.uniqueId}`])
  }

  test('unknown devices, and devices with too large or too many messages are disconnected, and the picture continues', async () => {
    const before = losses()
    const stranger = dial(stage.url, 'not-a-token')
    expect(await stranger.closed).toBe(4401)
    const wrongKey = dial(stage.url)
    wrongKey.send({ ...introduction('register'), registrationKey: 'an-unknown-key' })
    expect(await wrongKey.closed).toBe(4403)
    const large = dial(stage.url)
    large.send('x'.repeat(MAX_FRAME_BYTES + 1))
    expect(await large.closed).toBe(1009)
    const flood = await comeIn(stage, 'Flood')
    for (let at = 0; at < 500; at++) flood.send({ type: 'report', actual: { state: `idle ${at}` } })
    expect(await flood.closed).toBe(4429)
    const confused = await comeIn(stage, 'Confused')
    confused.send({ type: 'report', unitId: 'unknown', actual: { state: 'streaming' } })
    confused.send('{"type":')
    expect(await confused.closed).toBe(4400)
    await pause(1500)
    expect((await shown()).status).toBe('streaming')
    expect(losses()).toEqual(before)
  })

  test('a second machine with the identity of the unit is refused, and the unit is informed', async () => {
    const before = losses()
    await stage.end('twin')
    cpSync(join(stage.dataFolder, 'agent'), join(stage.dataFolder, 'twin'), { recursive: true })
    await stage.start('agent', { as: 'twin', env: { BACKHAUL_LINKS: '127.0.0.4' } })
    await until('the refusal among the events of the unit', async () =>
      (await person.call(api.units.events, { params: { id: unit.uid }, query: {} })).find(({ text }) =>
        text.includes('uses this identity and was refused'),
      ),
    )
    await stage.end('twin')
    expect(await shown()).toMatchObject({ status: 'streaming', transmission: { id: transmissionId } })
    expect(await units()).toHaveLength(3)
    expect(losses()).toEqual(before)
  })

  test('a hub killed in mid-transmission: the channel goes offline and collects again by itself', async () => {
    signalProcess(stage.pidOf('hub'), 'SIGKILL')
    const topic = `channel.${channel.uniqueId}`
    await push.until(topic, ({ status }) => status === 'offline')
    expect((await shown()).transmission?.id).toBe(transmissionId)
    await push.until(topic, ({ status }) => status === 'collecting')
    expect(push.state(topic)).toMatchObject({ allocatedToUnitUid: unit.uid })
    await expect.poll(shown).toMatchObject({ status: 'streaming', transmission: { id: transmissionId } })
  })

  test('while core is away the unit sends and the hub receives; what core had acknowledged is there again', async () => {
    const corePid = stage.pidOf('core')
    const body = { name: 'Renamed-1', comment: 'Sent before the crash' }
    await person.call(api.units.update, { params: { id: unit.uid }, body })
    await person.call(api.unitCommands.setDelay, { params: { id: unit.uid }, body: { delay: 3000 } })
    await push.until(`unit.${unit.uid}`, ({ delay }) => delay === 3000)
    // The delay begins a new count, which comes with the next figures, at the latest a second later.
    await pause(2000)
    const before = losses()
    signalProcess(corePid, 'SIGSTOP')
    const atFirst = gate.passed()
    await until("hundreds of datagrams up, and the hub's answers down", () => {
      const { up, down } = gate.passed()
      return up - atFirst.up > 300 && down - atFirst.down > 20
    })
    signalProcess(corePid, 'SIGKILL')
    await until('core again', () =>
      fetch(`${stage.url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    await listen()
    await push.until(`channel.${channel.uniqueId}`, ({ status }) => status === 'collecting')
    await push.until(`unit.${unit.uid}`, ({ status, delay }) => status === 'streaming' && delay === 3000)
    expect(await shown()).toMatchObject({ ...body, transmission: { id: transmissionId } })
    await until('figures of the hub', () => (reception()?.kbps ?? 0) > 0)
    expect(losses()).toEqual(before)
  })
})

describe('a fleet of 120', () => {
  const groups = ['london-news', 'paris-news', 'montreal-news', 'new-york-news']
  let stage: Stage
  let person: Person

  beforeAll(async () => {
    stage = await openStage({ demo: 120, hasOwnCore: true })
    await stage.start('simulator', { args: ['--no-desks', '--no-switching'] })
    person = await signIn(stage.url, 'chief', 'Backhaul-demo-1')
    await until('the fleet', async () => (await online()) === 120)
    await until(
      'units and channels to start',
      async () => (await ready()).length >= 44 && (await free()).length >= 14,
    )
  })
  afterAll(() => stage?.stop())

  async function online(): Promise<number> {
    const text = await (await fetch(stage.metricsUrl)).text()
    return Number(/^backhaul_core_devices_online\{kind="unit"\} (\d+)/m.exec(text)?.[1] ?? 0)
  }
  const perGroup = async <T>(read: (group: string) => Promise<T[]>) =>
    (await Promise.all(groups.map(read))).flat()
  const units = () => perGroup((group) => person.call(api.units.ofGroup, { query: { group } }))
  const channels = () => perGroup((group) => person.call(api.channels.ofGroup, { query: { group } }))
  const ready = async () => (await units()).filter(({ idle, transmission }) => idle && transmission === null)
  const free = async () =>
    (await channels()).filter(
      (one) =>
        receivesUnits(one) && one.status === 'idle' && one.allocatedTo === null && one.inputType === null,
    )

  const start = (unit: Unit, channel: Channel) =>
    person.call(api.unitCommands.start, { params: { id: unit.uid }, body: { channel: channel.uniqueId } })

  test('of two units started on one channel at the same instant exactly one gets it', async () => {
    const [first, second] = await ready()
    const [channel] = await free()
    const ends = await Promise.allSettled([start(first!, channel!), start(second!, channel!)])
    const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    expect(reasons).toMatchObject([{ status: 409, message: english('channel.busyOrOffline') }])
    const winner = ends[0]?.status === 'fulfilled' ? first : second
    await until('the winner on air', async () =>
      (await units()).find(({ uid, status }) => uid === winner?.uid && status === 'streaming'),
    )
    const [holder] = (await channels()).filter(({ uniqueId }) => uniqueId === channel?.uniqueId)
    expect(holder?.allocatedToUnitUid).toBe(winner?.uid)
  })

  test('a reader that stops reading costs the others nothing and comes back to the newest', async () => {
    const topics = (await units()).map(({ uid }) => `unit.${uid}`)
    const reader = await person.listen(topics)
    const lazy = await person.listen(topics)
    await until('both snapshots', () =>
      topics.every((topic) => reader.state(topic).name && lazy.state(topic).name),
    )
    lazy.hold()
    // Data that were read before are still processed.
    await pause(300)
    const heardBefore = lazy.messages.length
    const seenBefore = reader.messages.length
    // Every unit measures once a second.
    await until('seconds of the fleet', () => reader.messages.length - seenBefore > 5 * 60)
    expect(lazy.messages.length).toBe(heardBefore)
    lazy.goOn()
    const [topic] = topics
    const newest = Number(reader.state(topic!).reportedAt)
    await lazy.until(topic!, ({ reportedAt }) => Number(reportedAt) >= newest)
    reader.close()
    lazy.close()
  })

  test('core killed in mid-write: acknowledged writes are kept, and the picture of the fleet is exact again', async () => {
    const toStart = (await ready()).slice(0, 12)
    const open = await free()
    for (const [at, unit] of toStart.entries()) if (open[at]) await start(unit, open[at])
    await until('units on air', async () => {
      const now = await units()
      const isOnWay = ({ transmission, status }: Unit) => transmission !== null && status === 'idle'
      return now.filter(({ status }) => status === 'streaming').length >= 12 && !now.some(isOnWay)
    })
    const before = new Map((await units()).map((unit) => [unit.uid, unit]))
    const idle = (await ready()).slice(0, 30)
    const channel = (await free())[0]!

    const acknowledged: { uid: string; now: Partial<Unit> }[] = []
    const write = (uid: string, now: Partial<Unit>, request: Promise<unknown>) =>
      request.then(
        () => void acknowledged.push({ uid, now }),
        () => {},
      )
    const requests = idle.flatMap(({ uid, delay }, at) => [
      write(
        uid,
        { name: `Renamed-${at}` },
        person.call(api.units.rename, { body: { uid, name: `Renamed-${at}` } }),
      ),
      write(
        uid,
        { comment: `note ${at}` },
        person.call(api.units.update, { params: { id: uid }, body: { comment: `note ${at}` } }),
      ),
      write(
        uid,
        { delay: delay === 2000 ? 3000 : 2000 },
        person.call(api.unitCommands.setDelay, {
          params: { id: uid },
          body: { delay: delay === 2000 ? 3000 : 2000 },
        }),
      ),
      write(
        uid,
        { channelId: channel.uniqueId },
        person.call(api.unitCommands.command, {
          params: { id: uid, command: 'set_virtual_channel' },
          body: { virtualChannelName: channel.uniqueId },
        }),
      ),
    ])
    await until('some acknowledgements', () => acknowledged.length >= 15)
    signalProcess(stage.pidOf('core'), 'SIGKILL')
    await Promise.all(requests)
    expect(acknowledged.length).toBeGreaterThanOrEqual(15)
    const killedMs = Date.now()

    await until('core again', () =>
      fetch(`${stage.url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    const there = [...before.values()].filter(({ offline }) => !offline)
    const after = await until('reports of every unit', async () => {
      const now = new Map((await units()).map((unit) => [unit.uid, unit]))
      const hasReported = ({ uid }: Unit) =>
        (now.get(uid)?.reportedAt ?? 0) > killedMs && now.get(uid)?.offline === false
      return there.filter((unit) => !hasReported(unit)).length === 0 ? now : undefined
    })
    for (const { uid, now } of acknowledged) expect(after.get(uid)).toMatchObject(now)
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort())
    for (const { uid, status, transmission, serialNumber } of there) {
      expect(after.get(uid)).toMatchObject({ transmission, serialNumber })
      // Other activities of a unit end by themselves.
      if (status === 'idle' || status === 'streaming') expect(after.get(uid)?.status).toBe(status)
    }
    // Units and channels agree.
    const onAir = [...after.values()].filter(({ transmission }) => transmission !== null)
    await until('every channel on air collecting again', async () => {
      const held = (await channels()).filter(({ allocatedToUnitUid }) => allocatedToUnitUid !== null)
      return (
        held.length === onAir.length &&
        held.every(({ status }) => status === 'collecting') &&
        held.every(({ uniqueId, allocatedToUnitUid }) =>
          onAir.some(
            ({ uid, transmission }) => uid === allocatedToUnitUid && transmission?.channelId === uniqueId,
          ),
        )
      )
    })
  })
})

/** A device of a few lines: the messages that it gets when it is refused. */
function dial(url: string, token?: string) {
  const socket = new WebSocket(url.replace(/^http/, 'ws') + GATEWAY_PATH, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
  const received: { type: string }[] = []
  const opened = new Promise((resolve) => socket.once('open', resolve))
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  socket.on('error', () => {})
  socket.on('message', (data) => received.push(JSON.parse(String(data)) as { type: string }))
  return {
    received,
    closed,
    send(message: object | string): void {
      void opened.then(() => socket.send(typeof message === 'string' ? message : JSON.stringify(message)))
    },
  }
}

const introduction = (type: 'register' | 'hello', name = 'Stranger') => ({
  type,
  protocol: 1,
  kind: 'unit',
  product: 'LU-600',
  serialNumber: `serial-of-${name}`,
  name,
  swVersion: '10.1.0',
})

/** A unit that was admitted and may send. */
async function comeIn(stage: Stage, name: string) {
  const unit = dial(stage.url)
  unit.send({ ...introduction('register', name), registrationKey: stage.localKey })
  await until('the identity', () => unit.received.find(({ type }) => type === 'registered'))
  unit.send({
    ...introduction('hello', name),
    bootId: `boot-${name}`,
    reportIntervalMs: 1000,
    appliedRevision: 0,
  })
  await until('the welcome', () => unit.received.find(({ type }) => type === 'welcome'))
  return unit
}
