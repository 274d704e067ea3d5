// Whole frames over a stream of a tunnel, at a limited rate: what exceeds it is dropped, as on a slow network, so that
// nothing waits for long and the other traffic of the links is left alone.
//
// Wire: the length of a frame (2 bytes), and the frame. A frame of no bytes means that this end is ready.
import type { Duplex } from 'node:stream'
import { type BondingClock, steadyClock } from './clock.ts'

const HEAD_BYTES = 2
const LONGEST_FRAME = 2000
/** The time for which unused rate can be used later. */
const SEND_BURST_MS = 500
/** More for received frames: a tunnel that repairs delivers all delayed ones at once. */
const RECEIVE_BURST_MS = 3000

export interface FramePipe {
  /** Reports to the other end that frames can come. */
  ready(): void
  send(frame: Uint8Array): void
}

export interface FramePipeOptions {
  readonly stream: Duplex
  /** In each direction. */
  readonly kbps: number
  readonly onReady?: () => void
  readonly onFrame: (frame: Buffer) => void
  readonly clock?: BondingClock
}

/** Ends with its stream, which an invalid frame destroys. */
export function createFramePipe(options: FramePipeOptions): FramePipe {
  const { stream, kbps, onReady, onFrame, clock = steadyClock } = options
  const [maySend, mayReceive] = [SEND_BURST_MS, RECEIVE_BURST_MS].map((ms) => createBucket(kbps, ms, clock))
  let rest: Buffer = Buffer.alloc(0)

  function write(frame: Uint8Array): void {
    const head = Buffer.alloc(HEAD_BYTES)
    head.writeUInt16BE(frame.length)
    stream.write(Buffer.concat([head, frame]))
  }

  stream.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length >= HEAD_BYTES) {
      const length = rest.readUInt16BE(0)
      if (length > LONGEST_FRAME) return stream.destroy(new Error(`a frame of ${length} bytes`))
      if (rest.length < HEAD_BYTES + length) return
      const frame = rest.subarray(HEAD_BYTES, HEAD_BYTES + length)
      rest = rest.subarray(HEAD_BYTES + length)
      if (length === 0) onReady?.()
      else if (mayReceive?.(length)) onFrame(frame)
    }
  })

  return {
    ready: () => write(Buffer.alloc(0)),
    send(frame) {
      if (frame.length === 0 || frame.length > LONGEST_FRAME) return
      // A frame that cannot be sent now would be late by the time that it can.
      if (stream.writableNeedDrain || !stream.writable || !maySend?.(frame.length)) return
      write(frame)
    },
  }
}

/** Whether this many bytes fit into the rate now. */
function createBucket(kbps: number, burstMs: number, clock: BondingClock): (bytes: number) => boolean {
  const most = kbps * burstMs
  let bits = most
  let atMs = clock.nowMs()
  return (bytes) => {
    const nowMs = clock.nowMs()
    bits = Math.min(most, bits + (nowMs - atMs) * kbps)
    atMs = nowMs
    if (bits < bytes * 8) return false
    bits -= bytes * 8
    return true
  }
}
