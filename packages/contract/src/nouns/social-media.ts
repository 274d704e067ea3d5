/**
 * Go Live: what a channel collects goes on to a stream provider (ST-SOCIAL rows, GAP-STRM-06).
 *
 * 1. off → preview: somebody chose provider, profile and title; it is sent under the preview key, which the provider
 *    shows to nobody, or nowhere where there is none.
 * 2. preview → live: it is published, under the stream key.
 * 3. preview, live → off: somebody stopped it, or the transmission ended.
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
    .describe('none: nothing is sent in this preview; sending: the provider takes it'),
})
export type SocialMediaStatus = z.infer<typeof SocialMediaStatus>

/** As providers give it; what would lead to another address is none. */
const StreamKey = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\w?=&.~-]+$/, { message: rule('field.pattern') })

const Id = z.string().min(1).max(64)

/** What is chosen for a channel; what is not named stays as it was chosen last. */
export const SocialMediaWish = z
  .strictObject({
    provider: Id,
    profile: Id,
    mediaProfile: Id.nullable(),
    title: z.string().trim().min(1).max(100),
    streamKey: StreamKey.describe('Never read again'),
    previewKey: StreamKey.nullable().describe('Never read again; null forgets it'),
  })
  .partial()
export type SocialMediaWish = z.infer<typeof SocialMediaWish>

const withId = { id: z.string() }

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
    .describe('What there is to choose from'),
})
export type SocialMediaDetails = z.infer<typeof SocialMediaDetails>
