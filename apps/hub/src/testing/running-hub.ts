// A hub for tests: real sockets, real ffmpeg, only core is played by the test.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChannelTelemetry, WantedChannel } from '@backhaul/contract/gateway/servers'
import { PREVIEW_SIGNATURE_HEADER } from '@backhaul/contract/gateway/shared'
import { createLog } from '@backhaul/runtime/log'
import { createLogTail } from '@backhaul/runtime/log-tail'
import { signRequest, steadyMs } from '@backhaul/runtime/signed-requests'
import { findCapabilities } from '../capabilities.ts'
import { createHub, type Hub } from '../hub.ts'
import type { HubSlot, InputProtocol, ReturnSource } from '../messages.ts'
import { chooseSlots } from '../ports.ts'

const PREVIEW_KEY = 'key-of-the-test'

/** The key that senders present to inputs. */
export const INPUT_KEY = 'k7m2p9qxw4rtn8vcb3hd6fgj'

export interface RunningHub extends Hub {
  readonly folder: string
  previewUrl(path: string): string
  /** The address of the door for the public. */
  webUrl(path: string): string
  /** As core signs its requests. */
  headers(path: string, method?: string): Record<string, string>
  channel(id: string): ChannelTelemetry | undefined
  inputPort(slot: string): number
  /** Where a standard encoder sends to, with the key. */
  inputUrl(slot: string): string
  ristPort(slot: string): number
}

export interface HubForTest {
  bonded?: number
  inputs?: InputProtocol[]
  loops?: number
  returnSources?: readonly ReturnSource[]
  ifbSources?: readonly ReturnSource[]
  withoutFfmpeg?: boolean
  mayStreamToOwnNetwork?: boolean
  /** Whether the hub has a door for the public. */
  web?: boolean
  /** The port of that door; by default a free one. */
  webPort?: number
  /** Whether the hub has outputs in the networks of a studio. */
  smpte?: boolean
  /** Between the choice of the ports and their use. */
  beforeStart?: (slots: readonly HubSlot[]) => Promise<void>
  /** Data folder of an earlier hub; by default an empty folder, removed at the end. */
  folder?: string
  /** The log of the media thread, and so of the channels. */
  logLevel?: 'info'
}

export async function runHub(options: HubForTest = {}): Promise<RunningHub> {
  const { bonded = 1, inputs = [], loops = 0, withoutFfmpeg = false } = options
  const unitHost = '0.0.0.0'
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'hub-'))
  const log = createLog({ name: 'hub', format: 'json', level: 'silent' })
  const env = withoutFfmpeg ? { FFMPEG_PATH: '/nowhere' } : process.env
  const { capabilities, ffmpeg } = await findCapabilities(env, log, {
    web: options.web ?? false,
    smpte: options.smpte ?? false,
  })
  const slots = await chooseSlots({ base: 0, unitHost, bonded, inputs })
  await options.beforeStart?.(slots)
  const hub = createHub({
    settings: {
      slots,
      returnSources: options.returnSources ?? [],
      ifbSources: options.ifbSources ?? [],
      ffmpeg,
      dataFolder: folder,
      unitHost,
      previewHost: '127.0.0.1',
      previewPort: 0,
      speechPort: 0,
      web: options.web ? { host: '127.0.0.1', port: options.webPort ?? 0 } : undefined,
      localAddresses: ['127.0.0.1'],
      loops,
      mayStreamToOwnNetwork: options.mayStreamToOwnNetwork ?? true,
      logFormat: 'json',
      logLevel: options.logLevel ?? (process.env.HUB_TEST_LOG ? 'debug' : 'silent'),
    },
    capabilities,
    region: null,
    logs: createLogTail(),
    addresses: ['127.0.0.1'],
    log,
  })
  await hub.ready
  hub.setPreviewKey({ secret: PREVIEW_KEY, coreAheadMs: 0 })
  const ports = (slot: string) => hub.hardware.facts().ports.find((entry) => entry.slot === slot)
  return {
    ...hub,
    folder,
    previewUrl: (path) => `http://127.0.0.1:${hub.hardware.facts().previewPort}${path}`,
    webUrl: (path) => `${hub.hardware.facts().webAddress?.replace('{host}', '127.0.0.1')}${path}`,
    headers: (path, method = 'GET') => ({
      [PREVIEW_SIGNATURE_HEADER]: signRequest(PREVIEW_KEY, { method, path }, steadyMs()),
    }),
    channel: (id) => hub.hardware.sample().channels.find(({ channelId }) => channelId === id),
    inputPort: (slot) => Number(/:(\d+)/.exec(ports(slot)?.inputAddress?.slice(6) ?? '')?.[1]),
    inputUrl(slot) {
      const address = (ports(slot)?.inputAddress ?? '').replace('{host}', '127.0.0.1')
      if (address.startsWith('rist')) return `${address}?aes-type=128&secret=${INPUT_KEY}`
      return address + (address.startsWith('srt') ? `?passphrase=${INPUT_KEY}` : `/${INPUT_KEY}`)
    },
    ristPort: (slot) => ports(slot)?.ristPort ?? 0,
    async stop() {
      await hub.stop()
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const wantedChannel = (slot: string, more: Partial<WantedChannel> = {}): WantedChannel => ({
  channelId: `channel-of-${slot}`,
  slot,
  name: slot,
  intake: null,
  ...(/^(srt|rist|rtmp|webrtc)-/.test(slot) && { inputKey: INPUT_KEY }),
  recording: false,
  outputs: [],
  ...more,
})

const picture = 'testsrc2=size=640x360:rate=25'
const tone = 'sine=frequency=440:sample_rate=48000'
/** A whole number of pictures and of sound blocks lasts this long, so that the end fits the beginning. */
const takeSeconds = 9.6
const quiet = ['-hide_banner', '-v', 'error', '-nostdin']
let take: string | undefined

/** Encoded once for all senders of a process, which repeat it: to encode again costs eight times as much. */
function takeFile(): string {
  if (take) return take
  const file = join(mkdtempSync(join(process.env.TEST_FOLDER || tmpdir(), 'take-')), 'take.mkv')
  const source = ['-f', 'lavfi', '-i', `${picture}[out0];${tone}[out1]`, '-t', String(takeSeconds)]
  const video =
    '-c:v libx264 -preset ultrafast -tune zerolatency -profile:v baseline -g 25 -b:v 1M -maxrate 1M -bufsize 500k'
  execFileSync('ffmpeg', [...quiet, ...source, ...video.split(' '), '-c:a', 'aac', '-ac', '2', file])
  take = file
  return file
}

const liveSource = () => [...quiet, '-re', '-stream_loop', '-1', '-i', takeFile(), '-c', 'copy']

/** FFV1 has no place in a transport stream: a receiver finds neither a picture nor sound. */
export const sendUnreadable = (url: string): ChildProcess =>
  spawn(
    'ffmpeg',
    [...quiet, '-re', '-f', 'lavfi', '-i', 'testsrc2=size=160x90', '-c:v', 'ffv1', '-f', 'mpegts', url],
    { stdio: 'ignore' },
  )

const redialMs = 200

export interface Sender {
  stop(): void
}

/** A standard encoder: plain ffmpeg without our code. It retries when there is no answer, as encoders do. */
export function sendByFfmpeg(output: readonly string[], onData?: (chunk: Buffer) => void): Sender {
  let isStopped = false
  let child = dial()
  function dial() {
    const next = spawn('ffmpeg', [...liveSource(), ...output], { stdio: ['ignore', 'pipe', 'inherit'] })
    next.stdout.on('data', onData ?? (() => {}))
    next.once('exit', () => {
      if (!isStopped) setTimeout(again, redialMs)
    })
    return next
  }
  function again() {
    if (!isStopped) child = dial()
  }
  return {
    stop() {
      isStopped = true
      child.kill('SIGKILL')
    },
  }
}

/** An encoder whose picture stops while it remains connected: one program makes the stream, another sends it. */
export function sendUntilMuted(output: readonly string[]): { mute(): void; stop(): void } {
  const source = spawn('ffmpeg', [...liveSource(), '-f', 'mpegts', 'pipe:1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const copying = ['-v', 'error', '-f', 'mpegts', '-i', 'pipe:0', '-map', '0', '-c', 'copy']
  const sender = spawn('ffmpeg', [...copying, ...output], { stdio: ['pipe', 'ignore', 'ignore'] })
  source.stdout.pipe(sender.stdin)
  sender.stdin.on('error', () => {})
  return {
    mute: () => void source.kill('SIGSTOP'),
    stop() {
      for (const program of [sender, source]) program.kill('SIGKILL')
    },
  }
}
