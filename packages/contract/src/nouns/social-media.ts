/**
 * Go Live: the picture of a channel is forwarded to a stream provider (ST-SOCIAL rows, GAP-STRM-06).
 *
 * 1. off → preview: a user chose provider, profile and title; it is sent under the preview key, which the provider does
 *    not publish, or not at all where there is none.
 * 2. preview → live: it is published, under the stream key.
 * 3. preview, live → off: a user stopped it, or the transmission ended.
 */

import { z } from 'zod'
import { rule } from '../define/refusals.ts'
import { StreamMediaProfile, StreamProfile } from './system-settings.ts'

export const SocialState = z.enum(['preview', 'live'])
export type SocialState = z.infer<typeof SocialState>

export const SocialMediaStatus = z.object({
  status: SocialState,
  provider: z.string().describe('Its name'),
  title: z.string(),
  delivery: z
    .enum(['none', 'connecting', 'sending'])
    .describe('none: nothing is sent in this preview; sending: the provider accepts it'),
})
export type SocialMediaStatus = z.infer<typeof SocialMediaStatus>

/** The key as a provider gives it; a key that would change the address is refused. */
const StreamKey = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\w?=&.~-]+$/, { message: rule('field.pattern') })

const Id = z.string().min(1).max(64)

/** The choice for a channel; fields that are not named keep their last value. */
export const SocialMediaRequest = z
  .strictObject({
    provider: Id,
    profile: Id,
    mediaProfile: Id.nullable(),
    title: z.string().trim().min(1).max(100),
    streamKey: StreamKey.describe('Write-only'),
    previewKey: StreamKey.nullable().describe('Write-only; null removes it'),
  })
  .partial()
export type SocialMediaRequest = z.infer<typeof SocialMediaRequest>

const withId = { id: z.string() }

/** A request that starts the preview of a stream, or publishes it. */
export const SocialMediaStart = SocialMediaRequest.extend({ status: SocialState.default('preview') })

export const SocialMediaDetails = z.object({
  channelUid: z.string(),
  provider: z.string().nullable(),
  profile: z.string().nullable(),
  mediaProfile: z.string().nullable(),
  title: z.string(),
  hasStreamKey: z.boolean(),
  hasPreviewKey: z.boolean(),
  providers: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        icon: z.string(),
        profiles: z.array(z.object({ ...StreamProfile.shape, ...withId })).describe('The main one first'),
        mediaProfiles: z.array(z.object({ ...StreamMediaProfile.shape, ...withId })),
      }),
    )
    .describe('The available choices'),
})
export type SocialMediaDetails = z.infer<typeof SocialMediaDetails>
