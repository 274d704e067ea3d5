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
import { createStreamFinder, startsKeyFrame } from './ts-streams.ts'

// A change of encoder without a gap. Both encoders stamp by the same wall clock and send one key frame a second.
// 1. The active encoder's packets pass.
// 2. A successor is warming up: its packets are held back. Its first key frame fixes the cut: that key frame when
//    the active encoder is not past it yet, else the next one, one second on.
// 3. The active encoder has reached the cut (its next frame belongs behind it) or has ended, and the successor's
//    key frame at the cut is there: the successor's held packets pass, from the key frame on; now it is the active.
// Continuity counters are counted anew over all, so that a receiver sees one unbroken stream.

const keyFramePeriodTicks = msToTicks(1000)
/** Stamps of two encoders differ by less than half a frame. */
const toleranceTicks = msToTicks(16)
/** Half an AAC frame: sound of two encoders may lap over by this much. */
const audioOverlapTicks = msToTicks(10)
/** 2 s at 20 Mbit/s: a successor that never reaches its cut must not fill the memory. */
const longestHeld = 30_000

interface HeldPacket {
  readonly packet: Buffer
  readonly kind: 'table' | 'video' | 'audio' | 'other'
  readonly isKey: boolean
  readonly pts: number | undefined
}

interface Successor {
  readonly id: number
  readonly finder: ReturnType<typeof createStreamFinder>
  held: HeldPacket[]
}

export interface Splicer {
  /** Announces the encoder that shall take over; the first one takes over at its first key frame. */
  prepare(id: number): void
  /** Whole packets of an encoder; packets of one that is neither active nor prepared are dropped. */
  push(id: number, packets: Buffer): void
  /** The encoder has ended or is given up: the active one makes way at once, a successor leaves the active one on. */
  end(id: number): void
  activeId(): number | undefined
}

/** `emit` gets whole packets; `onSwitch` tells that from now on encoder `id` is on air. */
export function createSplicer(emit: (packets: Buffer) => void, onSwitch: (id: number) => void): Splicer {
  const counters = new Map<number, number>()
  let active: { id: number; finder: ReturnType<typeof createStreamFinder>; ended: boolean } | undefined
  let successor: Successor | undefined
  let cut: number | undefined
  let lastVideoPts: number | undefined
  let lastAudioPts: number | undefined
  let reachedCut = false

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

  function pass(packets: Buffer): void {
    if (packets.length === 0) return
    renumber(packets)
    emit(packets)
  }

  function pushActive(packets: Buffer): void {
    if (!active || reachedCut) return
    let end = packets.length
    for (let at = 0; at < packets.length; at += packetBytes) {
      active.finder.push(packets, at)
      if (!startsUnit(packets, at)) continue
      const pts = ptsOf(packets, at)
      if (pts === undefined) continue
      const pid = pidOf(packets, at)
      if (pid === active.finder.video()?.pid) {
        if (cut !== undefined && stampDistance(cut, pts) > -toleranceTicks) {
          reachedCut = true
          end = at
          break
        }
        lastVideoPts = pts
      } else if (pid === active.finder.audio()?.pid) lastAudioPts = pts
    }
    pass(packets.subarray(0, end))
    if (reachedCut) takeOver()
  }

  function pushSuccessor(to: Successor, packets: Buffer): void {
    for (let at = 0; at < packets.length; at += packetBytes) {
      to.finder.push(packets, at)
      const held = classify(to, packets, at)
      if (!held) continue
      to.held.push(held)
      if (held.isKey && held.pts !== undefined && cut === undefined) fixCut(held.pts)
    }
    if (to.held.length > longestHeld) to.held = to.held.filter(({ kind }) => kind === 'table')
    takeOver()
  }

  function fixCut(firstKeyPts: number): void {
    const isAhead = lastVideoPts === undefined || stampDistance(lastVideoPts, firstKeyPts) > 0
    cut = isAhead ? firstKeyPts : firstKeyPts + keyFramePeriodTicks
  }

  function takeOver(): void {
    if (!successor || cut === undefined) return
    if (active && !active.ended && !reachedCut) return
    const isDue = (pts: number) =>
      active?.ended === true
        ? lastVideoPts === undefined || stampDistance(lastVideoPts, pts) > 0
        : stampDistance(cut!, pts) > -toleranceTicks
    const from = successor.held.findIndex(({ isKey, pts }) => isKey && pts !== undefined && isDue(pts))
    if (from < 0) return
    const { id, finder, held } = successor
    active = { id, finder, ended: false }
    successor = undefined
    cut = undefined
    reachedCut = false
    const packets = selectFrom(held, from, lastAudioPts)
    for (const { kind, pts } of packets) {
      if (pts === undefined) continue
      if (kind === 'video') lastVideoPts = pts
      if (kind === 'audio') lastAudioPts = pts
    }
    onSwitch(id)
    pass(Buffer.concat(packets.map(({ packet }) => packet)))
  }

  return {
    prepare(id) {
      successor = { id, finder: createStreamFinder(), held: [] }
      cut = undefined
    },
    push(id, packets) {
      if (id === active?.id) pushActive(packets)
      else if (successor && id === successor.id) pushSuccessor(successor, packets)
    },
    end(id) {
      if (id === successor?.id) {
        successor = undefined
        cut = undefined
        reachedCut = false
      }
      if (id !== active?.id) return
      active.ended = true
      takeOver()
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
  if (pid === to.finder.audio()?.pid) return { packet, kind: 'audio', isKey: false, pts }
  return { packet, kind: pid < 0x20 || pid === to.finder.pmtPid() ? 'table' : 'other', isKey: false, pts }
}

/** The newest tables, sound that has not been on air yet, and everything else from the key frame on. */
function selectFrom(
  held: readonly HeldPacket[],
  from: number,
  lastAudioPts: number | undefined,
): HeldPacket[] {
  const tables = new Map<number, HeldPacket>()
  for (const entry of held.slice(0, from))
    if (entry.kind === 'table') tables.set(pidOf(entry.packet, 0), entry)
  let audioIsNew = lastAudioPts === undefined
  const rest = held.filter(({ kind, pts }, index) => {
    if (kind !== 'audio') return index >= from
    if (pts !== undefined && lastAudioPts !== undefined)
      audioIsNew = stampDistance(lastAudioPts, pts) > audioOverlapTicks
    return audioIsNew
  })
  return [...tables.values(), ...rest]
}
