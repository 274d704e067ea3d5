/**
 * One stream of a clip as RTP to two peers of the hub's viewers: Janus, whose streaming plugin takes it so, and a bare Node
 * process that only seals and sends each packet.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { memoryOf } from '../scripts/program.ts'
import { freePort, startLoad, startProcess } from './load/load-program.ts'
import { cpuMs } from './load/process-cost.ts'

const stream = 1
/** A program that has just begun is still being compiled. */
const secondsToSettle = 10

const settingsOf = (port: number, rtp: { video: number; audio: number }): Record<string, string> => ({
  'janus.jcfg': `general: { session_timeout = 0, debug_level = 0, server_name = "bench" }
    plugins: { disable = "libjanus_audiobridge.so,libjanus_videoroom.so,libjanus_sip.so,libjanus_nosip.so,libjanus_lua.so,libjanus_duktape.so" }
    transports: { disable = "libjanus_websockets.so,libjanus_pfunix.so,libjanus_mqtt.so,libjanus_rabbitmq.so,libjanus_nanomsg.so" }\n`,
  'janus.transport.http.jcfg': `general: { json = "compact", http = true, port = ${port}, ip = "127.0.0.1" }\n`,
  'janus.plugin.streaming.jcfg': `bench: { type = "rtp", id = ${stream}, media = (
    { type = "video", mid = "v", port = ${rtp.video}, pt = 96, codec = "h264",
      fmtp = "profile-level-id=42e01f;packetization-mode=1" },
    { type = "audio", mid = "a", port = ${rtp.audio}, pt = 111, codec = "opus" }) }\n`,
})

/** The clip without end as RTP; its sound is coded for WebRTC, as it is for viewers of the hub. */
function feed(stack: AsyncDisposableStack, clip: string, { video, audio }: { video: number; audio: number }) {
  const to = (port: number) => `rtp://127.0.0.1:${port}?pkt_size=1200`
  const input = ['-nostdin', '-v', 'error', '-re', '-stream_loop', '-1', '-i', clip]
  const picture = ['-map', '0:v', '-c', 'copy', '-payload_type', '96', '-f', 'rtp', to(video)]
  const sound = ['-map', '0:a', '-c', 'libopus', '-payload_type', '111', '-f', 'rtp', to(audio)]
  startProcess(stack, 'ffmpeg', [...input, ...picture, ...sound])
}

interface Load {
  clip: string
  /** Viewers after the first one. */
  count: number
  /** Percent of one core over some time, of what `spentMs` counts. */
  percentOf: (spentMs: () => number) => Promise<number>
}

/** Percent of one core that a further viewer takes, or why there is none. */
export async function measureJanus(
  whole: AsyncDisposableStack,
  load: Load,
): Promise<{ viewer: number } | { missing: string }> {
  if (spawnSync('janus', ['--version']).error) return { missing: 'janus is not installed' }
  const stack = whole.use(new AsyncDisposableStack())
  try {
    return { viewer: await costOfViewer(stack, load) }
  } catch (error) {
    return { missing: `Janus brought no picture to its viewers (${String(error)})` }
  } finally {
    await stack.disposeAsync()
  }
}

async function costOfViewer(stack: AsyncDisposableStack, load: Load): Promise<number> {
  const { clip, count, percentOf } = load
  const [port, video, audio] = [await freePort(), await freePort(), await freePort()]
  const folder = join(clip, '..', 'janus')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(settingsOf(port, { video, audio })))
    writeFileSync(join(folder, name), text)
  const janus = startProcess(stack, 'janus', ['-F', folder])
  await untilThere(`http://127.0.0.1:${port}/janus/info`)
  feed(stack, clip, { video, audio })
  const viewers = startLoad(stack, 'load/janus-viewers', [port, stream])
  const spentMs = () => cpuMs(janus.pid)
  await viewers.request({ add: 1 })
  await wait(3000)
  const one = await percentOf(spentMs)
  await viewers.request({ add: count })
  await wait(3000)
  const before = (await viewers.request<{ packets: number[] }>({})).packets
  const more = await percentOf(spentMs)
  const after = (await viewers.request<{ packets: number[] }>({})).packets
  const least = Math.min(...after.map((packets, at) => packets - (before[at] ?? 0)))
  if (least <= 0) throw new Error('a viewer got no packets')
  return (more - one) / count
}

/** Percent of one core that a further viewer takes of the least that Node can do. */
export async function measureLeastViewer(
  whole: AsyncDisposableStack,
  { clip, count, percentOf }: Load,
): Promise<number> {
  const stack = whole.use(new AsyncDisposableStack())
  const [video, audio] = [await freePort(), await freePort()]
  const least = startLoad(stack, 'peers/least-viewers', [video, audio], memoryOf('hub').args)
  await least.request({})
  feed(stack, clip, { video, audio })
  const readers = startLoad(stack, 'load/packet-readers')
  const percentWith = async (more: number): Promise<number> => {
    const { ports } = await readers.request<{ ports: number[] }>({ add: more })
    await least.request({ add: ports.slice(-more) })
    await wait(secondsToSettle * 1000)
    return await percentOf(() => cpuMs(least.pid))
  }
  const one = await percentWith(1)
  const more = await percentWith(count)
  const { packets } = await readers.request<{ packets: number[] }>({})
  if (Math.min(...packets) === 0) throw new Error('a reader got no packets')
  await stack.disposeAsync()
  return (more - one) / count
}

async function untilThere(url: string): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    const isThere = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isThere) return
    await wait(200)
  }
  throw new Error(`nothing answers at ${url}`)
}
