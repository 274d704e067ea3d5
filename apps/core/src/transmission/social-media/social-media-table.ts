import type { SocialMediaDetails } from '@backhaul/contract/nouns/social-media'
import type { Queries } from '../../database/schema.ts'
import type { Sealing } from '../../database/sealing.ts'

type Chosen = Pick<SocialMediaDetails, 'provider' | 'profile' | 'mediaProfile' | 'title'>

/** The place where a channel goes live; the keys are those of its customer at the provider. */
export interface ChosenStream extends Chosen {
  streamKey: string | null
  previewKey: string | null
}

const nothing: Chosen = { provider: null, profile: null, mediaProfile: null, title: '' }

export async function findChosen(db: Queries, sealing: Sealing, channelId: string): Promise<ChosenStream> {
  const row = await db
    .selectFrom('channel_social_media')
    .selectAll()
    .where('channel_id', '=', channelId)
    .executeTakeFirst()
  const keyOf = (sealed: string | null | undefined) =>
    sealed ? (sealing.open(sealed, channelId) ?? null) : null
  return {
    ...(row ? (JSON.parse(row.details) as Chosen) : nothing),
    streamKey: keyOf(row?.stream_key),
    previewKey: keyOf(row?.preview_key),
  }
}

export async function saveChosen(
  db: Queries,
  sealing: Sealing,
  channelId: string,
  { provider, profile, mediaProfile, title, streamKey, previewKey }: ChosenStream,
): Promise<void> {
  const sealed = (key: string | null) => (key === null ? null : sealing.seal(key, channelId))
  const row = {
    details: JSON.stringify({ provider, profile, mediaProfile, title }),
    stream_key: sealed(streamKey),
    preview_key: sealed(previewKey),
  }
  await db
    .insertInto('channel_social_media')
    .values({ channel_id: channelId, ...row })
    .onConflict((conflict) => conflict.column('channel_id').doUpdateSet(row))
    .execute()
}
