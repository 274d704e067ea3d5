/** Share links of video return channels: the picture on a page without a sign-in, in a window of time (EN-VRLINK rows). */

import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import { ReasonCause, rule } from '../define/refusals.ts'

/** CO-ADMIN-01. */
export const SHARE_LINKS_AT_MOST = 10

/** Pages that watch by one link at the same time. */
export const SHARE_LINK_VIEWERS_AT_MOST = 20

const longestMinutes = 30 * 24 * 60

/**
 * 1. waiting: its window has not begun;
 * 2. open: its page shows the picture;
 * 3. ended: a user ended it, and may open it again;
 * 4. expired: its window is over.
 */
export const ShareLinkState = z.enum(['waiting', 'open', 'ended', 'expired'])
export type ShareLinkState = z.infer<typeof ShareLinkState>

const fields = {
  description: z
    .string()
    .trim()
    .min(1, rule('field.required'))
    .max(255, rule('text.atMost', { most: 255 })),
  startsAt: IsoTime.describe('In the future (VA-STREAM-19)'),
  durationMinutes: z
    .number(rule('number.required'))
    .int(rule('number.integer'))
    .min(1, rule('number.orMore', { least: 1 }))
    .max(longestMinutes, rule('number.orLess', { most: longestMinutes })),
}

export const NewShareLink = z.strictObject(fields)
export type NewShareLink = z.infer<typeof NewShareLink>

/** Fields that are not given keep their value. */
export const ShareLinkChange = z.strictObject({ ...fields, active: z.boolean() }).partial()
export type ShareLinkChange = z.infer<typeof ShareLinkChange>

export const ShareLink = z.object({
  id: z.string(),
  ...fields,
  endsAt: IsoTime,
  active: z.boolean().describe('False once a user has ended it'),
  state: ShareLinkState,
  url: z.string().describe('Of the page; its part after the # is the secret'),
  viewers: z.number().int().describe('Pages that show the picture now'),
  createdBy: z.string(),
  createdAt: IsoTime,
})
export type ShareLink = z.infer<typeof ShareLink>

/** A link as shown on its page. */
export const SeenShareLink = z.object({
  description: z.string(),
  channelName: z.string(),
  state: ShareLinkState,
  startsAt: IsoTime,
  endsAt: IsoTime,
  stream: z
    .string()
    .nullable()
    .describe('Path of a WebSocket of MPEG-TS bytes, for a connection within 30 s; null without a picture'),
  reason: z.string().nullable().describe('Why there is no picture although the link is open'),
  cause: ReasonCause,
})
export type SeenShareLink = z.infer<typeof SeenShareLink>

interface LinkWindow {
  active: boolean
  startsMs: number
  endsMs: number
}

export function shareLinkState({ active, startsMs, endsMs }: LinkWindow, nowMs: number): ShareLinkState {
  if (nowMs >= endsMs) return 'expired'
  if (!active) return 'ended'
  return nowMs < startsMs ? 'waiting' : 'open'
}
