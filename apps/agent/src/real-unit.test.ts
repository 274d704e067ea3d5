import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createReceiver } from '@backhaul/bonding/receiver'
import { openLinkGate } from '@backhaul/bonding/testing/link-gate'
import type { Reason } from '@backhaul/contract/define/refusals'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { createContinuityCheck, packetBytes } from '@backhaul/ffmpeg/ts-packets'
import { createStreamFinder, startsKeyFrame } from '@backhaul/ffmpeg/ts-streams'
import { systemClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { patientMs, until } from '@backhaul/runtime/testing/until'
import { afterEach, expect, test } from 'vitest'
import type { CameraSocket, CameraSockets } from './cameras.ts'
import { explicitInterfaces } from './hardware/interfaces.ts'
import { openPortAssignments } from './hardware/port-assignments.ts'
import { createRealUnit } from './real-unit.ts'

const ffmpegPath = findFfmpeg()
const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4']
const key = Buffer.alloc(32, 7)
const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

/** A busy machine appears as a narrow link, after which a unit raises its rate again within a minute. */
const rateBackMs = patientMs(90_000)
const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1000))

const pattern: CameraSocket = {
  source: { kind: 'testPattern' },
  picture: { width: 640, height: 360, framesPerSecond: 30 },
  clockStyle: {},
}

function createUnit(encoderFault?: Reason, cameras: CameraSockets = [pattern]) {
  const dataFolder = mkdtempSync(join(tmpdir(), 'backhaul-unit-'))
  const log = createLog({ name: 'test', format: 'json', level: 'silent' })
  const unit = createRealUnit({
    mediaFolder: dataFolder,
    clock: systemClock,
    log,
    scanInterfaces: () => explicitInterfaces(addresses),
    portAssignments: openPortAssignments(join(dataFolder, 'links.json'), log),
    dataCountsPath: join(dataFolder, 'link-data.json'),
    position: { current: () => null, close: () => {} },
    capabilities: {},
    logs: () => '',
    encoderFault,
    limits: { lowestKbps: 250, highestKbps: 2000, audioKbps: 96 },
    encoder: { ffmpegPath: ffmpegPath!, codec: 'h264' },
    cameras,
    openUrl: (url) => ({ kind: 'url', url }),
    restart: () => {},
  })
  cleanUps.push(() => unit.close())
  return unit
}

/** A receiver of the session behind three links of 1.5 Mbit/s and 20 ms each. */
async function openReceiver(sessionId: string) {
  const receiver = await createReceiver({ bindHost: '127.0.0.1', port: 0, bufferMs: 600, sessionId, key })
  cleanUps.push(() => receiver.close())
  const gate = await openLinkGate(receiver.port, { kbps: 1500, delayMs: 20, jitterMs: 5 })
  cleanUps.push(() => gate.close())
  const check = createContinuityCheck()
  const finder = createStreamFinder()
  let keyFrames = 0
  receiver.onData((payload) => {
    check.push(payload)
    for (let at = 0; at < payload.length; at += packetBytes) {
      finder.push(payload, at)
      const video = finder.video()
      if (video && startsKeyFrame(payload, at, video)) keyFrames++
    }
  })
  return { receiver, gate, check, keyFrames: () => keyFrames }
}

const transmissionTo = (port: number, id: string) => ({
  id,
  channelId: 'channel',
  key: key.toString('base64'),
  targets: [{ host: '127.0.0.1', port }],
})

test.runIf(ffmpegPath)(
  'a picture arrives over three links, sealed, and the cut of one costs nothing',
  async () => {
    const { receiver, gate, check, keyFrames } = await openReceiver('live')
    const unit = createUnit()
    await unit.startTransmission(transmissionTo(gate.port, 'live'), 600, new AbortController().signal)
    await until(() => unit.sample().encoderKbps === 2000, rateBackMs)
    const linksUp = () => unit.sample().links.map(({ up }) => up)
    await until(() => keyFrames() >= 3 && linksUp().every(Boolean))
    const before = await until(() => {
      const now = unit.sample()
      return now.links.every(({ kbps, rttMs }) => kbps > 100 && (rttMs ?? 0) > 15) ? now : undefined
    })
    expect(unit.facts().camera).toMatchObject({ connected: true, codec: 'H.264/AVC', height: 360 })

    gate.cut('127.0.0.3')
    const atCut = keyFrames()
    await until(() => keyFrames() >= atCut + 3)
    await until(() => linksUp().join() === 'true,false,true')
    expect(unit.sample().links[1]!.kbps).toBeLessThan(before.links[1]!.kbps)
    expect(check.errors()).toBe(0)
    expect(receiver.stats().totals).toMatchObject({ lost: 0, rejected: 0 })

    await unit.stopTransmission()
    expect(unit.sample()).toMatchObject({ encoderKbps: null, capacityKbps: null })
  },
)

test.runIf(ffmpegPath)(
  'when the links carry less the picture is encoded at a lower rate, which passes cleanly',
  async () => {
    const { gate, check, keyFrames } = await openReceiver('narrow')
    const unit = createUnit()
    await unit.startTransmission(transmissionTo(gate.port, 'narrow'), 1500, new AbortController().signal)
    await until(() => keyFrames() >= 2)
    gate.setShape({ kbps: 500 })
    await until(() => (unit.sample().encoderKbps ?? 2000) < 1600)
    // Data sent too fast before the change has passed after the delay.
    await seconds(1.7)
    let [errors, keys] = [check.errors(), keyFrames()]
    await until(() => {
      // A stretch with an error does not count, the next one may.
      if (check.errors() !== errors) [errors, keys] = [check.errors(), keyFrames()]
      return keyFrames() >= keys + 2
    })
  },
)

test.runIf(ffmpegPath)('a link that the operator switched off carries nothing', async () => {
  const { gate, keyFrames } = await openReceiver('off')
  const unit = createUnit()
  unit.setEnabledLinks([1])
  await unit.startTransmission(transmissionTo(gate.port, 'off'), 600, new AbortController().signal)
  await until(() => keyFrames() >= 1)
  expect(unit.facts().links.map(({ enabled }) => enabled)).toEqual([true, false, true])
  expect(unit.sample().links[1]).toMatchObject({ up: false, kbps: 0 })
})

test.runIf(ffmpegPath)(
  'links are filled by their priority and within their limits, on air and one by one',
  async () => {
    const { receiver, gate, keyFrames } = await openReceiver('shares')
    gate.setShape({ kbps: 6000 })
    const unit = createUnit()
    const share = (limitKbps: number) => ({
      leastCostBonding: 'per interface priority' as const,
      links: {
        0: { priority: 1 as const, limitKbps },
        1: { priority: 2 as const, limitKbps: 0 },
        2: { priority: 3 as const, limitKbps: 0 },
      },
    })
    await unit.applySettings(share(0))
    await unit.startTransmission(transmissionTo(gate.port, 'shares'), 600, new AbortController().signal)
    const kbps = () => {
      const links = receiver.stats().links.toSorted((a, b) => a.address.localeCompare(b.address))
      return links.map((link) => link.kbps)
    }
    await until(() => unit.sample().encoderKbps === 2000 && keyFrames() >= 3, rateBackMs)
    await until(() => kbps()[0]! > 1000 && kbps()[1]! < 100 && kbps()[2]! < 100, rateBackMs)
    expect(unit.facts().settings).toMatchObject(share(0))

    await unit.applySettings(share(1000))
    await until(
      () => kbps()[0]! > 500 && kbps()[0]! <= 1000 && kbps()[1]! > 300 && kbps()[2]! < 200,
      rateBackMs,
    )

    await unit.applySettings({ leastCostBonding: 'disabled', totalLimitKbps: 1000 })
    await until(() => unit.sample().encoderKbps! < 1000)
    await until(() => kbps().reduce((sum, one) => sum + one, 0) < 1000 && kbps()[2]! > 100, rateBackMs)
  },
)

test.runIf(ffmpegPath)(
  '[CHAN-013] the limit of a channel is kept over all links together, from the start and when it changes on air',
  async () => {
    const { receiver, gate, keyFrames } = await openReceiver('limited')
    gate.setShape({ kbps: 6000 })
    const unit = createUnit()
    const wanted = transmissionTo(gate.port, 'limited')
    const sentKbps = () => receiver.stats().links.reduce((sum, { kbps }) => sum + kbps, 0)
    const signal = new AbortController().signal
    await unit.startTransmission({ ...wanted, limitKbps: 1000 }, 600, signal)
    await until(() => keyFrames() >= 3 && sentKbps() > 500, rateBackMs)
    expect(sentKbps()).toBeLessThan(1100)
    expect(unit.sample().encoderKbps).toBeLessThan(1000)
    unit.limitTransmission(wanted)
    await until(() => unit.sample().encoderKbps! > 1200 && sentKbps() > 1200, rateBackMs)
    unit.limitTransmission({ ...wanted, limitKbps: 1000 })
    await until(() => unit.sample().encoderKbps! < 1000 && sentKbps() < 1100)
  },
)

test('a cancelled start leaves nothing behind, and a unit without an encoder reports the reason', async () => {
  const unit = createUnit()
  const abort = new AbortController()
  const start = unit.startTransmission(transmissionTo(20_000, 'none'), 600, abort.signal)
  abort.abort()
  await expect(start).rejects.toThrow('cancelled')
  expect(unit.sample().capacityKbps).toBeNull()
  const broken = createUnit('unit.noFfmpeg')
  const failed = broken.startTransmission(transmissionTo(20_000, 'x'), 600, new AbortController().signal)
  await expect(failed).rejects.toThrow('The unit has no ffmpeg')
})
