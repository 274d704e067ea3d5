// Transport stream packets (ISO/IEC 13818-1 §2.4.3). Every function takes a buffer and the offset of a packet in it.

export const packetBytes = 188
export const nullPid = 0x1fff
const syncByte = 0x47
const clockHz = 90_000
/** Stamps count at 90 kHz and wrap after 26.5 h. */
export const stampModulus = 2 ** 33

export const pidOf = (bytes: Uint8Array, at: number) => ((bytes[at + 1]! & 0x1f) << 8) | bytes[at + 2]!
export const startsUnit = (bytes: Uint8Array, at: number) => (bytes[at + 1]! & 0x40) !== 0
export const hasPayload = (bytes: Uint8Array, at: number) => (bytes[at + 3]! & 0x10) !== 0
export const continuityOf = (bytes: Uint8Array, at: number) => bytes[at + 3]! & 0x0f
const hasAdaptation = (bytes: Uint8Array, at: number) => (bytes[at + 3]! & 0x20) !== 0 && bytes[at + 4]! > 0
const isDiscontinuity = (bytes: Uint8Array, at: number) =>
  hasAdaptation(bytes, at) && (bytes[at + 5]! & 0x80) !== 0
export const isRandomAccess = (bytes: Uint8Array, at: number) =>
  hasAdaptation(bytes, at) && (bytes[at + 5]! & 0x40) !== 0

export function setContinuity(bytes: Uint8Array, at: number, counter: number): void {
  bytes[at + 3] = (bytes[at + 3]! & 0xf0) | (counter & 0x0f)
}

/** Where the payload begins, at most the end of the packet. */
export function payloadStart(bytes: Uint8Array, at: number): number {
  const skip = (bytes[at + 3]! & 0x20) !== 0 ? bytes[at + 4]! + 1 : 0
  return Math.min(at + 4 + skip, at + packetBytes)
}

/** Program clock reference in 90 kHz ticks, when the packet carries one. */
export function pcrOf(bytes: Uint8Array, at: number): number | undefined {
  if (!hasAdaptation(bytes, at) || (bytes[at + 5]! & 0x10) === 0 || bytes[at + 4]! < 7) return undefined
  const high = bytes[at + 6]! * 2 ** 24 + (bytes[at + 7]! << 16) + (bytes[at + 8]! << 8) + bytes[at + 9]!
  return high * 2 + (bytes[at + 10]! >> 7)
}

/** Presentation stamp in 90 kHz ticks of the unit that starts in this packet. */
export function ptsOf(bytes: Uint8Array, at: number): number | undefined {
  const start = payloadStart(bytes, at)
  if (!startsUnit(bytes, at) || start + 14 > at + packetBytes) return undefined
  if (bytes[start] !== 0 || bytes[start + 1] !== 0 || bytes[start + 2] !== 1) return undefined
  if ((bytes[start + 7]! & 0x80) === 0) return undefined
  return stampAt(bytes, start + 9)
}

function stampAt(bytes: Uint8Array, at: number): number {
  const high = (bytes[at]! >> 1) & 7
  const middle = (bytes[at + 1]! << 7) | (bytes[at + 2]! >> 1)
  const low = (bytes[at + 3]! << 7) | (bytes[at + 4]! >> 1)
  return high * 2 ** 30 + middle * 2 ** 15 + low
}

function setStampAt(bytes: Uint8Array, at: number, stamp: number): void {
  const high = Math.floor(stamp / 2 ** 30)
  const middle = Math.floor(stamp / 2 ** 15) % 2 ** 15
  const low = stamp % 2 ** 15
  bytes[at] = (bytes[at]! & 0xf1) | (high << 1)
  bytes[at + 1] = middle >> 7
  bytes[at + 2] = ((middle << 1) & 0xfe) | 1
  bytes[at + 3] = low >> 7
  bytes[at + 4] = ((low << 1) & 0xfe) | 1
}

/** Moves the presentation and decoding stamps of the unit that starts in this packet, where ptsOf finds one. */
export function shiftStamps(bytes: Uint8Array, at: number, ticks: number): void {
  const start = payloadStart(bytes, at)
  for (const [flag, field] of [
    [0x80, start + 9],
    [0x40, start + 14],
  ] as const)
    if ((bytes[start + 7]! & flag) !== 0) setStampAt(bytes, field, wrapped(stampAt(bytes, field) + ticks))
}

/** Moves the program clock reference of this packet, when it carries one. */
export function shiftPcr(bytes: Uint8Array, at: number, ticks: number): void {
  const pcr = pcrOf(bytes, at)
  if (pcr === undefined) return
  const moved = wrapped(pcr + ticks)
  const high = Math.floor(moved / 2)
  bytes[at + 6] = Math.floor(high / 2 ** 24)
  bytes[at + 7] = (high >> 16) & 0xff
  bytes[at + 8] = (high >> 8) & 0xff
  bytes[at + 9] = high & 0xff
  bytes[at + 10] = (bytes[at + 10]! & 0x7f) | ((moved % 2) << 7)
}

const wrapped = (stamp: number) => ((stamp % stampModulus) + stampModulus) % stampModulus

/** Distance in ticks from one stamp to a later one, negative when it is earlier, across the wrap. */
export function stampDistance(from: number, to: number): number {
  const distance = (((to - from) % stampModulus) + stampModulus) % stampModulus
  return distance >= stampModulus / 2 ? distance - stampModulus : distance
}

export const ticksToMs = (ticks: number) => (ticks * 1000) / clockHz
export const msToTicks = (ms: number) => Math.round((ms * clockHz) / 1000)

/**
 * Reads bytes as they come from a pipe and passes on whole packets (one buffer of n × 188 bytes); bytes that belong
 * to no packet are skipped and counted. After foreign bytes a packet counts only when the next one begins behind it,
 * since 0x47 may occur inside other data.
 */
export function createPacketAligner(onPackets: (packets: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0)
  let isLocked = false
  let skippedBytes = 0

  const isPacket = (bytes: Buffer, at: number) =>
    bytes[at] === syncByte && (isLocked || bytes[at + packetBytes] === syncByte)

  return {
    push(chunk: Buffer): void {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      let runStart = 0
      let at = 0
      while (at + packetBytes + (isLocked ? 0 : 1) <= bytes.length) {
        const found = isPacket(bytes, at)
        if (!found) {
          if (at > runStart) onPackets(bytes.subarray(runStart, at))
          skippedBytes++
        }
        isLocked = found
        at += found ? packetBytes : 1
        if (!found) runStart = at
      }
      if (at > runStart) onPackets(bytes.subarray(runStart, at))
      rest = bytes.subarray(at)
    },
    skippedBytes: () => skippedBytes,
  }
}

/** Counts jumps of the continuity counters: a lost, repeated twice or reordered packet is one error. */
export function createContinuityCheck() {
  const last = new Map<number, { counter: number; repeats: number }>()
  let packets = 0
  let errors = 0
  const errorsByPid = new Map<number, number>()

  function checkPacket(bytes: Uint8Array, at: number): void {
    packets++
    const pid = pidOf(bytes, at)
    if (pid === nullPid || !hasPayload(bytes, at)) return
    const counter = continuityOf(bytes, at)
    const before = last.get(pid)
    if (!before) {
      last.set(pid, { counter, repeats: 0 })
      return
    }
    const isRepeat = counter === before.counter && before.repeats === 0
    if (!isRepeat && counter !== ((before.counter + 1) & 0x0f) && !isDiscontinuity(bytes, at)) {
      errors++
      errorsByPid.set(pid, (errorsByPid.get(pid) ?? 0) + 1)
    }
    before.repeats = counter === before.counter ? before.repeats + 1 : 0
    before.counter = counter
  }

  return {
    push(aligned: Uint8Array): void {
      for (let at = 0; at + packetBytes <= aligned.length; at += packetBytes) checkPacket(aligned, at)
    },
    packets: () => packets,
    errors: () => errors,
    errorsByPid: (): ReadonlyMap<number, number> => errorsByPid,
  }
}
