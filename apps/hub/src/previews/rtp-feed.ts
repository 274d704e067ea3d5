// RTP for the WebRTC viewers of one channel: one ffmpeg for all of them, and none without viewers.
import { createSocket, type Socket } from 'node:dgram'
import { feedChild } from '@backhaul/ffmpeg/child-feed'
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import type { SupervisedChild } from '@backhaul/runtime/child-process'
import type { Log } from '@backhaul/runtime/log'
import { noCounts, type ProgramCounts } from '../bus/program-counts.ts'
import type { Overlaid } from '../outputs/overlay.ts'
import { createCatchUp, createContinuity, isRtp, opensGroup, payloadTypeOf } from '../rtp-packets.ts'
import { AUDIO_PAYLOAD_TYPE, rtpArguments, VIDEO_PAYLOAD_TYPE } from './rtp-arguments.ts'

/** A viewer who switches between channels soon comes back. */
const LINGER_MS = 10_000
const RESTART_MS = 1000

/** Gets whole RTP packets; `opens` marks the first of a group of pictures. */
export type RtpReader = (kind: 'video' | 'audio', packet: Buffer, opens: boolean) => void

/**
 * 1. resting: there are no viewers, no program runs;
 * 2. waiting: there are viewers, the channel has no picture yet; the first `refresh` after one came leads to 3;
 * 3. running: the program runs; it is started again when it ends or when the channel's streams change;
 * 4. lingering: the last viewer left; after 10 s back to 1, a new viewer leads to 3.
 */
export interface RtpFeed {
  join(read: RtpReader): () => void
  /** Checks the channel again: its streams may have come, changed or gone. */
  refresh(): void
  pid(): number | undefined
  stop(): Promise<void>
}

export interface RtpFeedOptions {
  ffmpegPath: string
  hasOpus: boolean
  bus: TsBus
  /** The graphic over the picture now. */
  over?: () => Overlaid | undefined
  counts?: ProgramCounts
  log: Log
  lingerMs?: number
}

export function createRtpFeed({
  ffmpegPath,
  hasOpus,
  bus,
  over = () => undefined,
  counts = noCounts(),
  log,
  lingerMs = LINGER_MS,
}: RtpFeedOptions): RtpFeed {
  const readers = new Set<RtpReader>()
  const continuity = { video: createContinuity(90_000), audio: createContinuity(48_000) }
  const catchUp = createCatchUp(48_000)
  let program: { child: SupervisedChild; endFeed: () => void; layout: string } | undefined
  let socket: Promise<Socket> | undefined
  const layoutNow = () => JSON.stringify([bus.layout(), over()])
  let timer: NodeJS.Timeout | undefined

  function receive(packet: Buffer): void {
    if (!isRtp(packet)) return
    const type = payloadTypeOf(packet)
    const kind = type === VIDEO_PAYLOAD_TYPE ? 'video' : type === AUDIO_PAYLOAD_TYPE ? 'audio' : undefined
    if (!kind) return
    if (kind === 'audio' && !catchUp.isOver(packet, performance.now())) return
    continuity[kind].rewrite(packet, performance.now())
    const opens = kind === 'video' && opensGroup(packet)
    for (const read of readers) read(kind, packet, opens)
  }

  async function run(): Promise<void> {
    socket ??= openSocket(receive)
    const { port } = (await socket).address()
    if (program || readers.size === 0 || !bus.hasKeyFrame()) return
    const picture = bus.picture()
    const hasAudio = hasOpus && bus.audio() !== undefined
    if (!picture && !hasAudio) return
    continuity.video.begin()
    continuity.audio.begin()
    catchUp.begin()
    const child = runFfmpeg({
      path: ffmpegPath,
      args: rtpArguments({ picture, hasAudio, port, over: over() }),
      onMessage: (line) => log.debug({ line }, 'preview'),
      onExit: () => {
        if (program?.child !== child) return
        program.endFeed()
        program = undefined
        if (readers.size > 0) timer = setTimeout(refresh, RESTART_MS)
      },
    })
    program = {
      child,
      endFeed: feedChild({ bus, child, onBehind: () => (counts.dropped += 1) }),
      layout: layoutNow(),
    }
  }

  async function rest(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const ending = program
    program = undefined
    ending?.endFeed()
    await ending?.child.stop()
    if (readers.size > 0 || program) return
    const unused = socket
    socket = undefined
    ;(await unused)?.close()
  }

  function refresh(): void {
    if (program && bus.hasKeyFrame() && program.layout !== layoutNow()) {
      const { child } = program
      void child.stop()
      return
    }
    if (!program && readers.size > 0)
      void run().catch((error) => log.error(error, 'preview program could not be started'))
  }

  return {
    join(read) {
      readers.add(read)
      clearTimeout(timer)
      timer = undefined
      refresh()
      return () => {
        if (!readers.delete(read) || readers.size > 0) return
        timer = setTimeout(() => void rest(), lingerMs)
      }
    },
    refresh,
    pid: () => program?.child.pid(),
    async stop() {
      readers.clear()
      await rest()
    },
  }
}

function openSocket(onPacket: (packet: Buffer) => void): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = createSocket('udp4')
  socket.once('error', reject)
  socket.on('message', onPacket)
  socket.bind({ address: '127.0.0.1', port: 0, exclusive: true }, () => {
    socket.setRecvBufferSize(4 << 20)
    resolve(socket)
  })
  return promise
}
