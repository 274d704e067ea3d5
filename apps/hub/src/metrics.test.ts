import { execFileSync } from 'node:child_process'
import { type MetricsDoor, serveMetrics } from '@backhaul/runtime/metrics-door'
import { signalProcess } from '@backhaul/runtime/testing/processes'
import { until } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hubMetrics } from './metrics.ts'
import { type RunningHub, runHub, type Sender, sendByFfmpeg, wantedChannel } from './testing/running-hub.ts'
import { playWhep } from './testing/whep-client.ts'

const channelId = 'channel-of-srt-1'
const labels = 'slot="srt-1",channel="srt-1"'
let hub: RunningHub
let door: MetricsDoor
let sender: Sender

beforeAll(async () => {
  hub = await runHub({ bonded: 1, inputs: ['srt'] })
  door = await serveMetrics(hubMetrics(hub), '127.0.0.1', 0)
  want()
  sender = sendByFfmpeg(['-f', 'mpegts', hub.inputUrl('srt-1')])
})
afterAll(async () => {
  sender.stop()
  await door.close()
  await hub.stop()
})

const want = (more: Parameters<typeof wantedChannel>[1] = {}) =>
  void hub.hardware.apply({ channels: [wantedChannel('srt-1', more)] }, new AbortController().signal)

/** The value of a series of the input, as Prometheus reads it; undefined where there is none. */
async function value(name: string, more = ''): Promise<number | undefined> {
  const lines = (await (await fetch(door.url)).text()).split('\n')
  const start = `backhaul_hub_channel_${name}{${labels}${more}} `
  const line = lines.find((one) => one.startsWith(start))
  return line === undefined ? undefined : Number(line.slice(start.length))
}
const reads = (name: string, wanted: number, more?: string) =>
  until(async () => (await value(name, more)) === wanted)

test('a channel that collects reports it, with its rate and its losses', async () => {
  await reads('collecting', 1)
  await until(async () => ((await value('received_bits_per_second')) ?? 0) > 200_000)
  for (const name of ['continuity_errors', 'packets_recovered', 'packets_lost', 'dropped_total'])
    expect([name, await value(name)]).toEqual([name, 0])
})

test('viewers, recordings and destinations are counted while they last', async () => {
  await reads('collecting', 1)
  const path = `/channels/${channelId}/whep`
  const viewer = await playWhep(hub.previewUrl(path), hub.headers(path, 'POST'))
  await reads('viewers', 1)
  const gone = await fetch(viewer.location, {
    method: 'DELETE',
    headers: hub.headers(new URL(viewer.location).pathname, 'DELETE'),
  })
  expect(gone.status).toBe(200)
  await viewer.close()
  await reads('viewers', 0)

  const outputs = [
    { id: 'there', protocol: 'mpegts' as const, url: 'udp://127.0.0.1:9' },
    { id: 'nowhere', protocol: 'rtmp' as const, url: 'rtmp://127.0.0.1:9/live/key' },
  ]
  want({ recording: true, outputs })
  await reads('recording', 1)
  await reads('outputs', 1, ',state="sending"')
  await reads('outputs', 1, ',state="failed"')
  // The one without a receiver is retried again and again.
  await until(async () => ((await value('program_restarts_total')) ?? 0) > 1)
  want()
  await reads('recording', 0)
  await reads('outputs', 0, ',state="sending"')
})

test('a program that was killed counts as started again', async () => {
  await reads('collecting', 1)
  const before = (await value('program_restarts_total')) ?? 0
  const own = await until(() => {
    const found = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], {
      encoding: 'utf8',
    })
    return found.split('\n').find((line) => line.includes('signalstats'))
  })
  signalProcess(Number(own.trim().split(' ')[0]), 'SIGKILL')
  await until(async () => ((await value('program_restarts_total')) ?? 0) > before)
})

test('a channel that core does not use any more has no figures', async () => {
  void hub.hardware.apply({ channels: [] }, new AbortController().signal)
  await until(async () => (await value('collecting')) === undefined)
  want()
  await reads('collecting', 1)
})
