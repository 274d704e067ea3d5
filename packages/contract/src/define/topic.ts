/** A push topic is one value: its name pattern, its message kinds and the shape of each kind's data (GAP-PUSH-01, -02). */
import { z } from 'zod'
import type { Action } from './actions.ts'

export type Topic<Kinds extends Readonly<Record<string, z.ZodType>> = Readonly<Record<string, z.ZodType>>> = {
  /** The part before the dot: unit, channel, server, group, user, access. */
  readonly noun: string
  readonly summary: string
  /** The right that a follower needs; the tenancy scope always applies in addition. */
  readonly permission: Action | 'signedIn'
  /** Data of each kind. A message carries only the fields that changed; a snapshot (from = 0) carries all of them. */
  readonly kinds: Kinds
}

export function topic<Kinds extends Readonly<Record<string, z.ZodType>>>(
  definition: Topic<Kinds>,
): Topic<Kinds> {
  return definition
}

/** One message. Messages were missed when `from` is greater than the last `seq` of the reader. */
export const PushMessage = z.object({
  topic: z.string(),
  kind: z.string(),
  uid: z.string(),
  ts: z.number().describe('Milliseconds since 1970 at core'),
  from: z.number().int().describe('The revision that this change builds on; 0 marks a snapshot'),
  seq: z.number().int().describe('The revision that the reader holds after this change'),
  data: z.unknown(),
})
export type PushMessage = z.infer<typeof PushMessage>

export const PUSH_PATH = '/luc-core-web/pubsub'
export const PUSH_PATH_ALIAS = '/luc/luc-core-web/pubsub'

/** Close code of the push connection: the sign-in ended, and the page goes to the sign-in screen. */
export const SIGN_IN_ENDED = 4401

/** A message from a reader. `since` maps a topic to the revision token (`epoch:seq`) that it holds. */
export const PushRequest = z.object({
  action: z.enum(['subscribe', 'unsubscribe']),
  topics: z.array(z.string().min(3).max(100)).min(1).max(500),
  since: z.record(z.string(), z.string()).optional(),
})
export type PushRequest = z.infer<typeof PushRequest>

/** First frame on every socket. A changed `wsLibrary` reloads the page (PU-CONN-08); `epoch` changes when core restarts. */
export const PushWelcome = z.object({
  kind: z.literal('welcome'),
  epoch: z.string(),
  wsLibrary: z.string(),
  serverTime: z.number(),
})
export type PushWelcome = z.infer<typeof PushWelcome>

/** Topics that were refused, because they are unknown or out of the reader's reach (GAP-PUSH-09). */
export const PushRefused = z.object({
  kind: z.literal('refused'),
  topics: z.array(z.string()),
  message: z.string(),
})
export type PushRefused = z.infer<typeof PushRefused>

/** The lateness of live data from core; sent to every reader when it changes, 0 when the data are on time. */
export const PushBehind = z.object({
  kind: z.literal('behind'),
  seconds: z.number().int().min(0).describe('0 when the live data are as new as they can be'),
})
export type PushBehind = z.infer<typeof PushBehind>

/** Smaller delays are not reported. */
export const BEHIND_FROM_S = 2

/** Every frame of core is a JSON array of these. */
export const PushFrame = z.array(z.union([PushWelcome, PushRefused, PushBehind, PushMessage]))
export type PushFrame = z.infer<typeof PushFrame>

/** The revision token of a topic: `since` of a subscription, `rev` of a REST answer. */
export const revisionToken = (epoch: string, seq: number): string => `${epoch}:${seq}`

export function parseRevision(token: string): { epoch: string; seq: number } | undefined {
  const [, epoch, seq] = /^(.+):(\d+)$/.exec(token) ?? []
  return epoch === undefined ? undefined : { epoch, seq: Number(seq) }
}
