// How an end of a bond or of a tunnel uses its links, and the bytes by which the other end is sent that.
//
// Wire: flags (1 byte, 1 for background); the number of links (1 byte), and for each its rank, the length of its id (1 byte
// each) and the id; then for each limit its kbit/s (4 bytes), the number of its links and their places in that list (1 byte
// each).
import type { LinkLimit } from './rate-limit.ts'

const BACKGROUND = 1
const LINK_HEAD_BYTES = 2
const LIMIT_HEAD_BYTES = 5
const HIGHEST_KBPS = 0xffffffff
const HIGHEST_RANK = 0xff
/** The least that can be written, and as good as none for a link. */
const LEAST_KBPS = 1

/** By default all links alike, as fast as they carry it. */
export interface LinkTerms {
  /** By link, 0 where none is named. A tunnel uses only the lowest rank that is there, a bond those above when that is full. */
  readonly ranks: Readonly<Record<string, number>>
  readonly limits: readonly LinkLimit[]
}

export interface TunnelTerms extends LinkTerms {
  /** Other traffic of the links comes first: records get what it leaves free. */
  readonly isBackground: boolean
}

export const freeTerms: TunnelTerms = { ranks: {}, limits: [], isBackground: false }

export function writeTerms({ ranks, limits, isBackground }: TunnelTerms): Buffer {
  const ids = [...new Set([...Object.keys(ranks), ...limits.flatMap(({ links }) => links)])]
  const places = new Map(ids.map((id, at) => [id, at]))
  const links = ids.map((id) => {
    const name = Buffer.from(id, 'utf8')
    return Buffer.concat([Buffer.of(Math.min(HIGHEST_RANK, ranks[id] ?? 0), name.length), name])
  })
  const limited = limits.map((limit) => {
    const head = Buffer.alloc(LIMIT_HEAD_BYTES)
    head.writeUInt32BE(Math.min(HIGHEST_KBPS, Math.max(LEAST_KBPS, Math.round(limit.kbps))), 0)
    head[LIMIT_HEAD_BYTES - 1] = limit.links.length
    return Buffer.concat([head, Buffer.from(limit.links.flatMap((id) => places.get(id) ?? []))])
  })
  return Buffer.concat([Buffer.of(isBackground ? BACKGROUND : 0, ids.length), ...links, ...limited])
}

/** Undefined for bytes that are no terms. */
export function readTerms(bytes: Buffer): TunnelTerms | undefined {
  const [flags, count] = bytes
  if (flags === undefined || count === undefined) return undefined
  const ids: string[] = []
  const ranks: Record<string, number> = {}
  let at = 2
  while (ids.length < count) {
    if (at + LINK_HEAD_BYTES > bytes.length) return undefined
    const end = at + LINK_HEAD_BYTES + bytes.readUInt8(at + 1)
    if (end > bytes.length) return undefined
    const id = bytes.toString('utf8', at + LINK_HEAD_BYTES, end)
    ids.push(id)
    ranks[id] = bytes.readUInt8(at)
    at = end
  }
  const limits: LinkLimit[] = []
  while (at < bytes.length) {
    if (at + LIMIT_HEAD_BYTES > bytes.length) return undefined
    const [kbps, end] = [bytes.readUInt32BE(at), at + LIMIT_HEAD_BYTES + bytes.readUInt8(at + 4)]
    const links = [...bytes.subarray(at + LIMIT_HEAD_BYTES, end)].map((place) => ids[place])
    if (kbps < LEAST_KBPS || end > bytes.length || !links.every((id) => id !== undefined)) return undefined
    limits.push({ links, kbps })
    at = end
  }
  return { ranks, limits, isBackground: (flags & BACKGROUND) !== 0 }
}
