// RTP for the WebRTC viewers of one channel, made once for all of them, and not at all without viewers. H.264 that browsers play is
// put into packets here; ffmpeg makes H.264 of any other picture, and Opus of the sound.
import { createSocket, type Socket } from 'node:dgram'
import { feedChild } from '@backhaul/ffmpeg/child-feed'
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import type { SupervisedChild } from '@backhaul/runtime/child-process'
import type { Log } from '@backhaul/runtime/log'
import { noCounts, type ProgramCounts } from '../bus/program-counts.ts'
import type { Overlaid } from '../outputs/overlay.ts'
import { createCatchUp, createContinuity, isRtp, opensGroup, payloadTypeOf } from '../rtp-packets.ts'
import { createPacketiser, createPictureReader } from './h264-packets.ts'
import { AUDIO_PAYLOAD_TYPE, isPlayableAsIs, rtpArguments, VIDEO_PAYLOAD_TYPE } from './rtp-arguments.ts'
import { createRtpHistory } from './rtp-history.ts'

/** A viewer who switches between channels soon comes back. */
const LINGER_MS = 10_000
const RESTART_MS = 1000
/** Stamps that go further than this, or back, are of another source. */
const MOST_TICKS_AHEAD = 2 * 90_000

/** Gets whole RTP packets; `opens` marks the first of a group of pictures. */
export type RtpReader = (kind: 'video' | 'audio', packet: Buffer, opens: boolean) => void

/**
 * 1. resting: there are no viewers, nothing is made;
 * 2. waiting: there are viewers, the channel has no picture yet; the first `refresh` after one came leads to 3;
 * 3. running: packets are made; it begins again when the program ends or when the channel's streams change;
 * 4. lingering: the last viewer left; after 10 s back to 1, a new viewer leads to 3.
 */
export interface RtpFeed {
  join(read: RtpReader): () => void
  /** The video since the newest group of pictures began, for who joins in the middle of it. */
  group(): readonly Buffer[]
  /** A packet that was made a short time ago. */
  find(kind: 'video' | 'audio', sequence: number): Buffer | undefined
  /** Checks the channel again: its streams may have come, changed or gone. */
  refresh(): void
  /** The process id of the program, where one is needed. */
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
  const history = { video: createRtpHistory(), audio: createRtpHistory() }
  const catchUp = createCatchUp(48_000)
  let running: { child: SupervisedChild | undefined; end: () => void; layout: string } | undefined
  let socket: Promise<Socket> | undefined
  const layoutNow = () => JSON.stringify([bus.layout(), over()])
  let timer: NodeJS.Timeout | undefined

  function receive(packet: Buffer): void {
    if (!isRtp(packet)) return
    const type = payloadTypeOf(packet)
    const kind = type === VIDEO_PAYLOAD_TYPE ? 'video' : type === AUDIO_PAYLOAD_TYPE ? 'audio' : undefined
    if (!kind) return
    if (kind === 'audio' && !catchUp.isOver(packet, performance.now())) return
    pass(kind, packet)
  }

  function pass(kind: 'video' | 'audio', packet: Buffer): void {
    continuity[kind].rewrite(packet, performance.now())
    const opens = kind === 'video' && opensGroup(packet)
    history[kind].put(packet, opens)
    for (const read of readers) read(kind, packet, opens)
  }

  function packVideo(): () => void {
    const pack = createPacketiser(VIDEO_PAYLOAD_TYPE, (packet) => pass('video', packet))
    let last: number | undefined
    const read = createPictureReader((picture, stamp) => {
      const ahead = last === undefined ? 0 : (stamp - last) | 0
      if (ahead < 0 || ahead > MOST_TICKS_AHEAD) beginVideo()
      last = stamp
      pack(picture, stamp)
    })
    return bus.subscribe((packets) => read(packets, bus.video()?.pid))
  }

  function beginVideo(): void {
    continuity.video.begin()
    history.video.endGroup()
  }

  function startProgram(needs: Parameters<typeof rtpArguments>[0]) {
    const child = runFfmpeg({
      path: ffmpegPath,
      args: rtpArguments(needs),
      onMessage: (line) => log.debug({ line }, 'ffmpeg message of the preview'),
      onExit: () => {
        if (running?.child !== child) return
        running.end()
        running = undefined
        if (readers.size > 0) timer = setTimeout(refresh, RESTART_MS)
      },
    })
    return { child, endFeed: feedChild({ bus, child, onBehind: () => (counts.dropped += 1) }) }
  }

  async function run(): Promise<void> {
    socket ??= openSocket(receive)
    const { port } = (await socket).address()
    if (running || readers.size === 0 || !bus.hasKeyFrame()) return
    const picture = bus.picture()
    const hasAudio = hasOpus && bus.audio() !== undefined
    if (!picture && !hasAudio) return
    beginVideo()
    continuity.audio.begin()
    catchUp.begin()
    const isPlayable = picture !== undefined && !over() && isPlayableAsIs(picture)
    const coded = isPlayable ? undefined : picture
    const program =
      coded || hasAudio ? startProgram({ picture: coded, hasAudio, port, over: over() }) : undefined
    const endVideo = isPlayable ? packVideo() : () => {}
    running = {
      child: program?.child,
      end() {
        endVideo()
        program?.endFeed()
      },
      layout: layoutNow(),
    }
  }

  async function rest(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const ending = running
    running = undefined
    ending?.end()
    await ending?.child?.stop()
    if (readers.size > 0 || running) return
    history.video.clear()
    history.audio.clear()
    const unused = socket
    socket = undefined
    ;(await unused)?.close()
  }

  function refresh(): void {
    if (running && bus.hasKeyFrame() && running.layout !== layoutNow()) {
      if (running.child) return void running.child.stop()
      running.end()
      running = undefined
    }
    if (!running && readers.size > 0)
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
    group: history.video.group,
    find: (kind, sequence) => history[kind].find(sequence),
    refresh,
    pid: () => running?.child?.pid(),
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
