// The picture of one viewer from the first moment: what came since the last key frame, fast, and then what comes.
import type { RtpSending } from './rtp-sending.ts'

/** 46 Mbit/s: a group of pictures must neither take long nor flood a link. */
const PACKETS_AT_ONCE = 24
const PAUSE_MS = 5
const TICKS_PER_MS = 90

interface Waiting {
  readonly packet: Buffer
  readonly stamp: number | undefined
}

/**
 * The packets of a group with stamps as close to each other as they leave: by their own, a player would show the past
 * second at its own pace and remain behind by it.
 */
export function hurried(group: readonly Buffer[]): Waiting[] {
  const newest = group.at(-1)?.readUInt32BE(4) ?? 0
  const last = group.length - 1
  const hurriedStamps = new Map<number, number>()
  for (const [index, packet] of [...group.entries()].reverse()) {
    const own = packet.readUInt32BE(4)
    if (hurriedStamps.has(own)) continue
    const pauses = Math.floor(last / PACKETS_AT_ONCE) - Math.floor(index / PACKETS_AT_ONCE)
    hurriedStamps.set(own, (newest - pauses * PAUSE_MS * TICKS_PER_MS - hurriedStamps.size) >>> 0)
  }
  return group.map((packet) => ({ packet, stamp: hurriedStamps.get(packet.readUInt32BE(4)) }))
}

export function startPicture(sending: RtpSending, group: readonly Buffer[]) {
  const waiting = hurried(group)
  let hasBegun = waiting.length > 0
  const timer = setInterval(sendSome, PAUSE_MS)
  let isOver = false

  function sendSome(): void {
    for (const { packet, stamp } of waiting.splice(0, PACKETS_AT_ONCE)) sending.send(packet, stamp)
    if (waiting.length === 0) stop()
  }

  function stop(): void {
    isOver = true
    clearInterval(timer)
  }

  sendSome()
  return {
    /** Nothing can be decoded before the first group of pictures opens. */
    take(packet: Buffer, opens: boolean): void {
      hasBegun ||= opens
      if (!hasBegun) return
      if (isOver) sending.send(packet)
      else waiting.push({ packet, stamp: undefined })
    },
    stop,
  }
}
