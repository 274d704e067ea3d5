/** Addresses at which core serves a channel's pictures, all on its own origin and only for signed-in users. */
import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import { ReasonCause } from '../define/refusals.ts'

/** Whether a browser outside the house can have the picture of a channel now, and why not (GAP-CHAN-10). */
export const Accessibility = z.object({
  accessible: z.boolean(),
  reason: z.string().nullable(),
  cause: ReasonCause,
})
export type Accessibility = z.infer<typeof Accessibility>

/** The configuration of a browser's RTCPeerConnection; the name and password of a relay expire by themselves. */
export const StunTurnInfo = z.object({
  iceServers: z.array(
    z.object({
      urls: z.array(z.string()),
      username: z.string().optional(),
      credential: z.string().optional(),
    }),
  ),
  expiresAt: IsoTime,
})
export type StunTurnInfo = z.infer<typeof StunTurnInfo>

/** WHEP (RFC 9725 draft): POST an SDP offer, 201 with the answer and a Location to DELETE. */
export const whepPath = (channelId: string): string => `/preview/${encodeURIComponent(channelId)}/whep`

/** WebSocket of MPEG-TS bytes, starting at a keyframe; for networks that block UDP. */
export const streamPath = (channelId: string): string => `/preview/${encodeURIComponent(channelId)}/stream`

/** The path of the stream for the page of a share link, which has a ticket in place of a sign-in. */
export const sharedStreamPath = (ticket: string): string => `/preview/shared/${ticket}/stream`

/**
 * WebSocket of stills of many channels. The reader sends `{ watch: [channelId, …] }` whenever its list changes; each
 * binary frame is one still: 1 byte length of the channel id, the id in UTF-8, 8 bytes time in milliseconds
 * (big-endian unsigned), then the JPEG.
 */
export const WALL_PATH = '/preview/wall'
export const WALL_MAX_CHANNELS = 64

export type WallStill = { channelId: string; timeMs: number; jpeg: Uint8Array }

export function encodeWallStill(still: WallStill): Uint8Array {
  const id = new Uint8Array([...still.channelId].map((c) => c.charCodeAt(0)))
  const frame = new Uint8Array(1 + id.length + 8 + still.jpeg.length)
  frame[0] = id.length
  frame.set(id, 1)
  new DataView(frame.buffer).setBigUint64(1 + id.length, BigInt(Math.round(still.timeMs)))
  frame.set(still.jpeg, 1 + id.length + 8)
  return frame
}

/** Reads a frame of the wall; undefined when it is too short to be one. Ids are ASCII. */
export function decodeWallStill(frame: Uint8Array): WallStill | undefined {
  const idLength = frame[0]
  if (idLength === undefined || frame.length < 9 + idLength) return undefined
  const channelId = String.fromCharCode(...frame.subarray(1, 1 + idLength))
  const timeMs = Number(new DataView(frame.buffer, frame.byteOffset + 1 + idLength, 8).getBigUint64(0))
  return { channelId, timeMs, jpeg: frame.subarray(9 + idLength) }
}
