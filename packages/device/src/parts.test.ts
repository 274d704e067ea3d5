import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAX_FRAME_BYTES } from '@backhaul/contract/gateway/shared'
import type { UnitSample } from '@backhaul/contract/gateway/units'
import { createTestClock } from '@backhaul/runtime/clock'
import { expect, test } from 'vitest'
import { differenceOf } from './reporter.ts'
import { createSampleBacklog } from './sample-backlog.ts'
import { createTicker } from './ticker.ts'
import { createTokenFile } from './token-store.ts'

const link = (port: number) => ({
  port,
  up: true,
  kbps: 2140,
  downKbps: 60,
  rttMs: 46,
  lossPercent: 0.4,
  rtxPercent: 0.6,
  capacityKbps: 2600,
  signal: { rsrp: -84, bars: 4 },
})
const sample = (ts: number, links = 1): UnitSample => ({
  ts,
  links: Array.from({ length: links }, (_, port) => link(port)),
  encoderKbps: null,
  capacityKbps: null,
})

test('the newest 60 samples are kept through an interruption, and each message fits into a frame', () => {
  let open = false
  const messages: string[] = []
  const clock = createTestClock(0)
  const backlog = createSampleBacklog((message) => open && messages.push(JSON.stringify(message)) > 0, clock)
  for (let ts = 0; ts < 70; ts++) {
    backlog.add(sample(ts, 12))
    clock.advance(1)
  }
  open = true
  backlog.add(sample(70, 12))
  const sent = messages.flatMap((text) => (JSON.parse(text) as { samples: UnitSample[] }).samples)
  expect(sent.map(({ ts }) => ts)).toEqual(Array.from({ length: 60 }, (_, i) => i + 11))
  expect(messages.length).toBeGreaterThan(1)
  expect(Math.max(...messages.map(({ length }) => length))).toBeLessThan(MAX_FRAME_BYTES)
})

test.each([-86_400_000, -3_600_000, 3_600_000, 86_400_000])(
  'samples that wait while the clock is set by %i ms are stamped by the clock as it is when they are sent',
  (stepMs) => {
    const clock = createTestClock(1_000_000_000)
    let open = false
    const sent: number[] = []
    const backlog = createSampleBacklog(({ samples }) => {
      if (open) sent.push(...samples.map(({ ts }) => ts))
      return open
    }, clock)
    const add = () => {
      backlog.add(sample(clock.nowMs()))
      clock.advance(1000)
    }
    add()
    add()
    clock.stepWall(stepMs)
    add()
    open = true
    add()
    const newestMs = clock.nowMs() - 1000
    expect(sent).toEqual([3000, 2000, 1000, 0].map((age) => newestMs - age))
  },
)

test('a shared ticker gives every device one turn a period, spread over its phases, and stops when none is left', () => {
  const clock = createTestClock(0)
  const ticker = createTicker(clock, 1000, 4)
  const turns: number[] = []
  const ends = Array.from({ length: 8 }, () => ticker.onTurn(() => turns.push(clock.nowMs())))
  clock.advance(1000)
  expect(turns).toEqual([250, 250, 500, 500, 750, 750, 1000, 1000])
  for (const end of ends) end()
  expect(clock.pendingCount()).toBe(0)
})

test('a difference contains the fields whose content changed', () => {
  expect(differenceOf({ a: [1], b: 2 }, { a: [1], b: 3 })).toEqual({ b: 3 })
  expect(differenceOf({ a: { deep: [1] } }, { a: { deep: [1] } })).toBeUndefined()
})

test('a token file is readable by its owner alone, and a damaged one counts as none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backhaul-token-'))
  const path = join(folder, 'deep', 'identity.json')
  const tokens = createTokenFile(path)
  expect(await tokens.load()).toBeUndefined()
  await tokens.save({ deviceId: 'u-1', token: 'secret' })
  expect(await tokens.load()).toEqual({ deviceId: 'u-1', token: 'secret' })
  expect((await stat(path)).mode & 0o077).toBe(0)
  await writeFile(path, (await readFile(path, 'utf8')).slice(0, 9))
  expect(await tokens.load()).toBeUndefined()
  await tokens.clear()
  await rm(folder, { recursive: true })
})
