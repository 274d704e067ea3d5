// The video return channels of the current group, kept as they are now while somebody looks at them.
import { videoReturn as calls } from '@backhaul/contract/api/video-return'
import type { VrStatus } from '@backhaul/contract/nouns/video-return'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../doors/api.ts'
import { push } from '../../doors/push.ts'
import type { GlyphShape, Tone } from '../../ui/StatusGlyph.tsx'
import { channelGlyph } from '../channels/channels.ts'

/** What of a channel's news changes how its return is shown; figures alone do not. */
const telling = ['status', 'allocatedToUnitUid', 'name', 'inputAddress']

export function useReturnChannels(groupId: string | undefined) {
  const cache = useQueryClient()
  const queryKey = ['group', groupId, 'videoReturn']
  const { data, isError } = useQuery({
    queryKey,
    queryFn: () => call(calls.ofGroup, { params: { groupId: groupId ?? '' } }),
    enabled: groupId !== undefined,
  })
  const ids = data?.map(({ uniqueId }) => uniqueId).join(' ') ?? ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is made of the group
  useEffect(() => {
    const read = () => void cache.invalidateQueries({ queryKey })
    const stops = ids
      .split(' ')
      .filter(Boolean)
      .map((id) =>
        push.subscribe(`channel.${id}`, ({ data: news }) => {
          if (telling.some((field) => field in (news as object))) read()
        }),
      )
    return () => {
      for (const stop of stops) stop()
    }
  }, [ids, groupId])
  return {
    channels: data ?? [],
    isKnown: data !== undefined,
    isError,
    read: () => cache.invalidateQueries({ queryKey }),
  }
}

export const returnGlyph = (status: VrStatus): { shape: GlyphShape; tone: Tone } => channelGlyph(status)

/** `sdi-1` as people read it on the machine. */
export const inputName = (input: string): string => input.toUpperCase().replace('-', ' ')
