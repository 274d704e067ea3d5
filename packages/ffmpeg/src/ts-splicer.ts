import {
  continuityOf,
  hasPayload,
  msToTicks,
  nullPid,
  packetBytes,
  pidOf,
  ptsOf,
  setContinuity,
  stampDistance,
  startsUnit,
} from './ts-packets.ts'
import { soundBlockTicks } from './ts-restamper.ts'
import { createStreamFinder, startsKeyFrame } from './ts-streams.ts'

// A change of encoder without a gap. Both encoders are given the same frames, and their stamps agree.
// 1. The active encoder's packets pass.
// 2. A successor is warming up: its packets are held back.
// 3. The active encoder reaches a frame that is a key frame of the successor. When that key frame is there, the
//    successor's held packets pass from it on, and it is the active one now (1). When it is not there yet, the active
//    encoder's packets wait for it;
// 4. when they have waited for 300 ms of picture, they pass after all, and the next key frame is awaited (2).
// When the active encoder ends, the successor takes over at its first key frame behind what was passed.
// Sound passes once: what the successor has of the time before is left out, also when it comes after the change.
// Continuity counters are rewritten, so that a receiver sees one unbroken stream.

/** Stamps of the same frame differ by less. */
const toleranceTicks = msToTicks(10)
const longestWaitTicks = msToTicks(300)
/** 2 s at 20 Mbit/s: a successor that never takes over must not fill the memory. */
const longestHeld = 30_000

interface HeldPacket {
  readonly packet: Buffer
  readonly kind: 'table' | 'video' | 'audio' | 'other'
  readonly isKey: boolean
  readonly pts: number | undefined
}

interface Encoder {
  readonly id: number
  readonly finder: ReturnType<typeof createStreamFinder>
}

interface Successor extends Encoder {
  readonly isKeyStamp: (pts: number) => boolean
  held: HeldPacket[]
}

/** The active encoder's packets from a frame on that may be the successor's. */
interface Waiting {
  readonly sincePts: number
  readonly packets: Buffer[]
}

export interface Splicer {
  /**
   * Announces the encoder that is to take over; the first one takes over at its first key frame. `isKeyStamp` returns
   * whether the frame with this stamp is, or will be, one of its key frames.
   */
  prepare(id: number, isKeyStamp: (pts: number) => boolean): void
  /** Whole packets of an encoder; packets of one that is neither active nor prepared are dropped. */
  push(id: number, packets: Buffer): void
  /** The encoder has ended or is given up: the active one is replaced immediately, a successor leaves the active one on. */
  end(id: number): void
  activeId(): number | undefined
}

/** `emit` gets whole packets; `onSwitch` is called when the output switches to encoder `id`. */
export function createSplicer(emit: (packets: Buffer) => void, onSwitch: (id: number) => void): Splicer {
  const counters = new Map<number, number>()
  let active: (Encoder & { ended: boolean }) | undefined
  let successor: Successor | undefined
  let waiting: Waiting | undefined
  let lastVideoPts: number | undefined
  /** The last time stamp of each track, by its PID. */
  const lastAudioPts = new Map<number, number>()
  const leftOut = new Set<number>()

  function renumber(packets: Buffer): void {
    for (let at = 0; at + packetBytes <= packets.length; at += packetBytes) {
      const pid = pidOf(packets, at)
      if (pid === nullPid) continue
      const before = counters.get(pid) ?? (continuityOf(packets, at) + 15) & 0x0f
      const counter = hasPayload(packets, at) ? (before + 1) & 0x0f : before
      setContinuity(packets, at, counter)
      counters.set(pid, counter)
    }
  }

  /** Emits whole packets of the active encoder, without sound that was emitted before. */
  function pass(from: Encoder, packets: Buffer): void {
    const runs: Buffer[] = []
    let start = 0
    for (let at = 0; at < packets.length; at += packetBytes) {
      if (!isPassed(from, packets, at)) {
        runs.push(packets.subarray(start, at))
        start = at + packetBytes
      }
    }
    runs.push(packets.subarray(start))
    const bytes = runs.length > 1 ? Buffer.concat(runs) : packets
    if (bytes.length === 0) return
    renumber(bytes)
    emit(bytes)
  }

  function isPassed({ finder }: Encoder, packets: Buffer, at: number): boolean {
    const pid = pidOf(packets, at)
    const pts = startsUnit(packets, at) ? ptsOf(packets, at) : undefined
    if (pts !== undefined && pid === finder.video()?.pid) lastVideoPts = pts
    if (!finder.isAudio(pid)) return true
    if (pts !== undefined) {
      const last = lastAudioPts.get(pid)
      if (last !== undefined && stampDistance(last, pts) < toleranceTicks) leftOut.add(pid)
      else {
        leftOut.delete(pid)
        lastAudioPts.set(pid, pts)
      }
    }
    return !leftOut.has(pid)
  }

  function pushActive(from: Encoder & { ended: boolean }, packets: Buffer): void {
    let start = 0
    for (let at = 0; at < packets.length; at += packetBytes) {
      from.finder.push(packets, at)
      const isFrame = startsUnit(packets, at) && pidOf(packets, at) === from.finder.video()?.pid
      const pts = isFrame && successor ? ptsOf(packets, at) : undefined
      if (pts === undefined) continue
      put(from, packets.subarray(start, at))
      start = at
      if (takeOver(pts)) return
      if (waiting && stampDistance(waiting.sincePts, pts) > longestWaitTicks) stopWaiting()
      if (!waiting && successor?.isKeyStamp(pts)) waiting = { sincePts: pts, packets: [] }
    }
    put(from, packets.subarray(start))
  }

  /** Emits the active encoder's packets, or queues them behind those that wait already. */
  function put(from: Encoder, packets: Buffer): void {
    if (waiting) waiting.packets.push(packets)
    else pass(from, packets)
  }

  function stopWaiting(): void {
    const packets = waiting?.packets ?? []
    waiting = undefined
    if (active && packets.length > 0) pass(active, Buffer.concat(packets))
  }

  function pushSuccessor(to: Successor, packets: Buffer): void {
    for (let at = 0; at < packets.length; at += packetBytes) {
      to.finder.push(packets, at)
      const held = classify(to, packets, at)
      if (held) to.held.push(held)
    }
    if (to.held.length > longestHeld) to.held = to.held.filter(({ kind }) => kind === 'table')
    if (!active || active.ended) takeOver(undefined)
    else if (waiting) takeOver(waiting.sincePts)
  }

  /** Whether the successor has a key frame behind what was passed, at the latest the frame `nextPts`; then it becomes active. */
  function takeOver(nextPts: number | undefined): boolean {
    if (!successor) return false
    const isDue = (pts: number) =>
      (lastVideoPts === undefined || stampDistance(lastVideoPts, pts) > toleranceTicks) &&
      (nextPts === undefined || stampDistance(pts, nextPts) > -toleranceTicks)
    const { id, finder, held } = successor
    const from = held.findIndex(({ isKey, pts }) => isKey && pts !== undefined && isDue(pts))
    if (from < 0 || (nextPts !== undefined && !hasSoundFromHere(successor))) return false
    active = { id, finder, ended: false }
    successor = undefined
    waiting = undefined
    onSwitch(id)
    pass(active, selectFrom(held, from))
    return true
  }

  /** The successor got sound early enough to continue where the active encoder stops, on each track. */
  function hasSoundFromHere({ finder, held }: Successor): boolean {
    return finder.audioPids().every((pid) => {
      const last = lastAudioPts.get(pid)
      if (last === undefined) return true
      const first = held.find(({ packet, pts }) => pts !== undefined && pidOf(packet, 0) === pid)?.pts
      return first !== undefined && stampDistance(last, first) <= soundBlockTicks
    })
  }

  return {
    prepare(id, isKeyStamp) {
      stopWaiting()
      successor = { id, finder: createStreamFinder(), isKeyStamp, held: [] }
    },
    push(id, packets) {
      if (id === active?.id) pushActive(active, packets)
      else if (successor && id === successor.id) pushSuccessor(successor, packets)
    },
    end(id) {
      if (id === successor?.id) {
        successor = undefined
        stopWaiting()
      }
      if (id !== active?.id) return
      stopWaiting()
      active.ended = true
      takeOver(undefined)
    },
    activeId: () => active?.id,
  }
}

function classify(to: Successor, packets: Buffer, at: number): HeldPacket | undefined {
  const packet = packets.subarray(at, at + packetBytes)
  const pid = pidOf(packets, at)
  if (pid === nullPid) return undefined
  const video = to.finder.video()
  const pts = startsUnit(packets, at) ? ptsOf(packets, at) : undefined
  if (video && pid === video.pid) {
    return { packet, kind: 'video', isKey: startsKeyFrame(packets, at, video), pts }
  }
  if (to.finder.isAudio(pid)) return { packet, kind: 'audio', isKey: false, pts }
  return { packet, kind: pid < 0x20 || pid === to.finder.pmtPid() ? 'table' : 'other', isKey: false, pts }
}

/** The newest tables, all sound, and everything else from the key frame on. */
function selectFrom(held: readonly HeldPacket[], from: number): Buffer {
  const tables = new Map<number, HeldPacket>()
  for (const entry of held.slice(0, from))
    if (entry.kind === 'table') tables.set(pidOf(entry.packet, 0), entry)
  const rest = held.filter(({ kind }, index) => index >= from || kind === 'audio')
  return Buffer.concat([...tables.values(), ...rest].map(({ packet }) => packet))
}
