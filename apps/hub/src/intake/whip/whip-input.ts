// Receives a sender by WHIP: a browser, or an encoder that speaks WebRTC. One at a time, with the channel's key.
import { randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import type { SupervisedChild } from '@backhaul/runtime/child-process'
import { freePair } from '../../ports.ts'
import { opensGroup } from '../../rtp-packets.ts'
import {
  createRefusals,
  GIVES_WAY_MS,
  type Input,
  type InputOptions,
  isSameKey,
  SILENT_MS,
} from '../input.ts'
import { rtpArguments, rtpScript } from '../remux-arguments.ts'
import { type OfferedMedia, receivableMedia } from './offered-codecs.ts'
import { answerSender, type MediaKind, type WhipSession } from './whip-session.ts'

const CHECK_MS = 500
/** Browsers send a key frame only on request; viewers, recordings and HLS begin with one. */
const KEY_FRAME_EVERY_MS = 2000
const AGAIN_MS = 1000

export interface WhipInput extends Input {
  /** Whether the key is that of the channel; another one is reported. */
  admits(key: string, from: string): boolean
  publish(offer: string, from: string): Promise<Publication>
  /** Ends the session of a sender. Returns whether there was one. */
  unpublish(id: string): boolean
}

/** `offer`: it cannot be answered; `codec`: it names no codec that the hub receives; `busy`: another sender has the input. */
export type Publication = { readonly id: string; readonly answer: string } | 'offer' | 'codec' | 'busy'

export interface WhipInputOptions extends Omit<InputOptions, 'port' | 'onMoved'> {
  localAddresses: readonly string[]
}

interface Publisher {
  readonly id: string
  readonly media: OfferedMedia
  /** The remote address, for the log. */
  readonly from: string
  session: WhipSession | undefined
  child: SupervisedChild | undefined
  timer: NodeJS.Timeout | undefined
  ports: Readonly<Record<MediaKind, number>> | undefined
  receivedMs: number
  /** The time of the newest key frame, since ffmpeg was started. */
  keyFrameMs: number | undefined
  /** ffmpeg has read the stream. */
  isRead: boolean
}

export function startWhipInput(options: WhipInputOptions): WhipInput {
  const { ffmpegPath, localAddresses, onData, onGone, log } = options
  const wrongKeys = createRefusals()
  const strangeCodecs = createRefusals()
  const endings = new Set<Promise<unknown>>()
  const socket = createSocket('udp4')
  let key: string | undefined
  let publisher: Publisher | undefined
  let stopping = false

  function awaitEnd(ending: Promise<unknown> | undefined): void {
    if (!ending) return
    endings.add(ending)
    void ending.finally(() => endings.delete(ending))
  }

  function end(ending: Publisher, why: string): void {
    if (publisher !== ending) return
    publisher = undefined
    clearTimeout(ending.timer)
    awaitEnd(ending.session?.close())
    awaitEnd(ending.child?.stop())
    log.info({ from: ending.from, why }, 'WHIP sender disconnected')
    onGone()
  }

  async function read(of: Publisher): Promise<void> {
    const ports = { video: await freePair(), audio: await freePair() }
    if (publisher !== of) return
    of.ports = ports
    of.keyFrameMs = undefined
    of.isRead = false
    const child = runFfmpeg({
      path: ffmpegPath,
      args: rtpArguments(),
      onStdout(chunk) {
        if (publisher !== of) return
        of.isRead = true
        onData(chunk)
      },
      onMessage: (line) => log.debug({ line }, 'ffmpeg message'),
      onExit() {
        of.child = undefined
        if (publisher === of) of.timer = setTimeout(() => void read(of), AGAIN_MS)
      },
    })
    of.child = child
    child.write(Buffer.from(rtpScript({ media: of.media, ports })))
    child.endInput()
  }

  function take(of: Publisher, kind: MediaKind, packet: Buffer, isReport: boolean): void {
    if (publisher !== of) return
    if (!isReport) of.receivedMs = performance.now()
    if (kind === 'video' && !isReport && opensGroup(packet)) of.keyFrameMs = performance.now()
    if (!of.ports || (of.media.video && of.keyFrameMs === undefined)) return
    // A packet that cannot be sent counts as lost on the way.
    socket.send(packet, of.ports[kind], '127.0.0.1', () => {})
  }

  function isInNeed({ media, isRead, keyFrameMs = Number.NEGATIVE_INFINITY }: Publisher): boolean {
    return media.video && performance.now() - keyFrameMs > (isRead ? KEY_FRAME_EVERY_MS : AGAIN_MS)
  }

  async function publish(offer: string, from: string): Promise<Publication> {
    const media = receivableMedia(offer)
    if (!media) {
      if (strangeCodecs.note()) log.warn({ from }, 'WHIP sender refused: it offers no H.264, or no Opus')
      return 'codec'
    }
    if (publisher && performance.now() - publisher.receivedMs < GIVES_WAY_MS) {
      log.warn({ from, holder: publisher.from }, 'WHIP sender refused: another one is sending')
      return 'busy'
    }
    if (publisher) end(publisher, 'silent, and another sender came')
    const next: Publisher = {
      id: randomUUID(),
      media,
      from,
      session: undefined,
      child: undefined,
      timer: undefined,
      ports: undefined,
      receivedMs: performance.now(),
      keyFrameMs: undefined,
      isRead: false,
    }
    publisher = next
    const session = await answerSender({
      offer,
      localAddresses,
      onPacket: (kind, packet, isReport) => take(next, kind, packet, isReport),
      onClosed: () => end(next, 'closed by the sender'),
    }).catch((error: unknown) => {
      log.info({ from, error: String(error) }, 'WHIP offer could not be answered')
      return undefined
    })
    if (!session) end(next, 'its offer could not be answered')
    if (publisher !== next || !session) {
      awaitEnd(session?.close())
      return 'offer'
    }
    next.session = session
    wrongKeys.clear()
    strangeCodecs.clear()
    log.info({ from }, 'WHIP sender connected')
    void read(next)
    return { id: next.id, answer: session.answer }
  }

  const watch = setInterval(() => {
    if (!publisher) return
    if (performance.now() - publisher.receivedMs > SILENT_MS) end(publisher, 'silent')
    else if (isInNeed(publisher)) publisher.session?.requestKeyFrame()
  }, CHECK_MS)

  return {
    pid: () => publisher?.child?.pid(),
    problem() {
      if (publisher) return performance.now() - publisher.receivedMs > GIVES_WAY_MS ? 'silent' : null
      return strangeCodecs.isNews() ? 'codec' : wrongKeys.isNews() ? 'wrongKey' : null
    },
    setKey(next) {
      if (next === key) return
      key = next
      if (publisher) end(publisher, 'the key was changed')
    },
    admits(given, from) {
      if (!stopping && isSameKey(given, key)) return true
      if (wrongKeys.note()) log.warn({ from }, 'WHIP sender refused: its key is not that of the channel')
      return false
    },
    publish,
    unpublish(id) {
      if (publisher?.id !== id) return false
      end(publisher, 'left')
      return true
    },
    async stop() {
      stopping = true
      clearInterval(watch)
      if (publisher) end(publisher, 'the hub stops')
      await Promise.all(endings)
      socket.close()
    },
  }
}
