// Plays a transport stream file over and over in real time, as one endless stream, without any program.
import {
  hasPayload,
  packetBytes,
  payloadStart,
  pcrOf,
  pidOf,
  ptsOf,
  setContinuity,
  stampModulus,
  startsUnit,
  ticksToMs,
} from '@backhaul/ffmpeg/ts-packets'
import { createStreamFinder, startsKeyFrame } from '@backhaul/ffmpeg/ts-streams'

const TICK_MS = 40

/** A file cut at its clock references. */
export interface TsClip {
  readonly bytes: Buffer
  /** When the packets from this offset on are due, in milliseconds from the start; ascending. */
  readonly marks: readonly { offset: number; dueMs: number }[]
  /** The places at which playing may begin. */
  readonly keyFrames: readonly { offset: number; dueMs: number }[]
  readonly durationMs: number
}

/** Reads a file of whole packets that carries a clock (PCR); `durationMs` is the time after which it begins again. */
export function readClip(bytes: Buffer, durationMs: number): TsClip {
  const finder = createStreamFinder()
  const marks: { offset: number; dueMs: number }[] = []
  const keyFrames: { offset: number; dueMs: number }[] = []
  let firstPcr: number | undefined
  for (let at = 0; at + packetBytes <= bytes.length; at += packetBytes) {
    finder.push(bytes, at)
    const pcr = pcrOf(bytes, at)
    if (pcr !== undefined) {
      firstPcr ??= pcr
      marks.push({ offset: at, dueMs: ticksToMs(pcr - firstPcr) })
    }
    const video = finder.video()
    if (video && startsKeyFrame(bytes, at, video))
      keyFrames.push({ offset: at, dueMs: marks.at(-1)?.dueMs ?? 0 })
  }
  return { bytes, marks, keyFrames, durationMs }
}

/** Plays from the key frame before `fromMs` on; the packets in between come immediately. Returns the function that stops it. */
export function playClip(clip: TsClip, fromMs: number, emit: (packets: Buffer) => void): () => void {
  const start = clip.keyFrames.findLast(({ dueMs }) => dueMs <= fromMs) ?? { offset: 0, dueMs: 0 }
  const startedMs = performance.now() - fromMs
  const restamp = createRestamper()
  let round = 0
  let offset = start.offset

  function tick(): void {
    const elapsedMs = performance.now() - startedMs
    for (;;) {
      const dueMs = elapsedMs - round * clip.durationMs
      const end = dueMs >= clip.durationMs ? clip.bytes.length : offsetDue(clip, dueMs)
      if (end > offset) {
        const packets = Buffer.from(clip.bytes.subarray(offset, end))
        restamp(packets, Math.round(round * clip.durationMs * 90))
        offset = end
        emit(packets)
      }
      if (offset < clip.bytes.length) return
      offset = 0
      round++
    }
  }

  tick()
  const timer = setInterval(tick, TICK_MS)
  return () => clearInterval(timer)
}

function offsetDue({ marks }: TsClip, dueMs: number): number {
  return (marks.find((mark) => mark.dueMs > dueMs) ?? marks.at(-1))?.offset ?? 0
}

/** Moves all clocks by the same ticks and counts the packets on, so that a round joins the one before. */
function createRestamper() {
  const counters = new Map<number, number>()
  return (packets: Buffer, ticks: number): void => {
    for (let at = 0; at < packets.length; at += packetBytes) {
      const pid = pidOf(packets, at)
      const counter = ((counters.get(pid) ?? 15) + (hasPayload(packets, at) ? 1 : 0)) & 0x0f
      counters.set(pid, counter)
      setContinuity(packets, at, counter)
      if (ticks === 0) continue
      const pcr = pcrOf(packets, at)
      if (pcr !== undefined) writePcr(packets, at, (pcr + ticks) % stampModulus)
      if (startsUnit(packets, at)) moveStamps(packets, at, ticks)
    }
  }
}

function writePcr(packets: Buffer, at: number, ticks: number): void {
  packets.writeUInt32BE(Math.floor(ticks / 2), at + 6)
  packets[at + 10] = ((ticks % 2) << 7) | (packets[at + 10]! & 0x7f)
}

function moveStamps(packets: Buffer, at: number, ticks: number): void {
  const pts = ptsOf(packets, at)
  if (pts === undefined) return
  const start = payloadStart(packets, at)
  writeStamp(packets, start + 9, (pts + ticks) % stampModulus)
  if ((packets[start + 7]! & 0x40) === 0) return
  writeStamp(packets, start + 14, (readStamp(packets, start + 14) + ticks) % stampModulus)
}

// ISO/IEC 13818-1 §2.4.3.7: 33 bits in five bytes, with marker bits between.
function readStamp(packets: Buffer, at: number): number {
  const middle = packets.readUInt16BE(at + 1) >> 1
  return ((packets[at]! >> 1) & 7) * 2 ** 30 + middle * 2 ** 15 + (packets.readUInt16BE(at + 3) >> 1)
}

function writeStamp(packets: Buffer, at: number, ticks: number): void {
  packets[at] = (packets[at]! & 0xf1) | (Math.floor(ticks / 2 ** 30) << 1)
  packets.writeUInt16BE(((Math.floor(ticks / 2 ** 15) % 2 ** 15) << 1) | 1, at + 1)
  packets.writeUInt16BE(((ticks % 2 ** 15) << 1) | 1, at + 3)
}
