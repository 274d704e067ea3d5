/** Watches a channel's picture where it leaves the hub for browsers: MPEG-TS over a WebSocket, by way of core. */
import { streamPath } from '@backhaul/contract/nouns/previews'
import {
  createContinuityCheck,
  createPacketAligner,
  packetBytes,
  pidOf,
  ptsOf,
  stampDistance,
  startsUnit,
  ticksToMs,
} from '@backhaul/ffmpeg/ts-packets'
import { createStreamFinder } from '@backhaul/ffmpeg/ts-streams'
import { WebSocket } from 'ws'
import type { Person } from '../../tests/stage/person.ts'

const gapMs = 200
const reopenAfterMs = 1000

export interface StreamWatch {
  read(): StreamFigures
  close(): void
}

export interface StreamFigures {
  readonly frames: number
  /** Steps of the frames' stamps above 200 ms: a picture that was never sent. */
  readonly stampGaps: number
  readonly longestStampGapMs: number
  /** Times above 200 ms between the arrivals of two frames: a picture that came late, or never. */
  readonly arrivalGaps: number
  readonly longestArrivalGapMs: number
  readonly continuityErrors: number
  /** The number of times that the connection was opened again; what was missed then is counted as arrival. */
  readonly reconnects: number
}

export function watchStream(url: string, person: Person, channelId: string): StreamWatch {
  let figures: StreamFigures = {
    frames: 0,
    stampGaps: 0,
    longestStampGapMs: 0,
    arrivalGaps: 0,
    longestArrivalGapMs: 0,
    continuityErrors: 0,
    reconnects: 0,
  }
  let isClosed = false
  let arrivedMs: number | undefined
  let socket: WebSocket | undefined

  function noteFrame(stepMs: number): void {
    const nowMs = performance.now()
    const waitedMs = arrivedMs === undefined ? 0 : nowMs - arrivedMs
    arrivedMs = nowMs
    figures = {
      ...figures,
      frames: figures.frames + 1,
      stampGaps: figures.stampGaps + (stepMs > gapMs ? 1 : 0),
      longestStampGapMs: Math.max(figures.longestStampGapMs, stepMs),
      arrivalGaps: figures.arrivalGaps + (waitedMs > gapMs ? 1 : 0),
      longestArrivalGapMs: Math.max(figures.longestArrivalGapMs, waitedMs),
    }
  }

  function open(): void {
    const finder = createStreamFinder()
    const check = createContinuityCheck()
    let lastPts: number | undefined
    let errors = 0
    const aligner = createPacketAligner((packets) => {
      check.push(packets)
      figures = { ...figures, continuityErrors: figures.continuityErrors + check.errors() - errors }
      errors = check.errors()
      for (let at = 0; at < packets.length; at += packetBytes) {
        finder.push(packets, at)
        if (!startsUnit(packets, at) || pidOf(packets, at) !== finder.video()?.pid) continue
        const pts = ptsOf(packets, at)
        if (pts === undefined) continue
        noteFrame(lastPts === undefined ? 0 : ticksToMs(stampDistance(lastPts, pts)))
        lastPts = pts
      }
    })
    const address = url.replace(/^http/, 'ws') + streamPath(channelId)
    socket = new WebSocket(address, { headers: { cookie: person.cookie } })
    socket.on('message', (bytes) => aligner.push(bytes as Buffer))
    socket.on('error', () => {})
    socket.on('close', () => {
      if (isClosed) return
      figures = { ...figures, reconnects: figures.reconnects + 1 }
      setTimeout(() => {
        if (!isClosed) open()
      }, reopenAfterMs)
    })
  }

  open()
  return {
    read: () => figures,
    close() {
      isClosed = true
      socket?.terminate()
    },
  }
}
