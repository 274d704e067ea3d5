// The video return channels of the current group, kept as they are now while they are shown.
import { videoReturn as calls } from '@backhaul/contract/api/video-return'
import type { VrInput, VrStatus } from '@backhaul/contract/nouns/video-return'
import { useEffect } from 'react'
import { push } from '../../doors/push.ts'
import { useRead } from '../../doors/reads.ts'
import type { Look } from '../../ui/StatusGlyph.tsx'
import { channelGlyph } from '../channels/channels.ts'

/** Fields of a channel's news that change how its return is shown; figures alone do not. */
const shownFields = ['status', 'allocatedToUnitUid', 'name', 'inputAddress']

export function useReturnChannels(groupId: string | undefined) {
  const params = { groupId: groupId ?? '' }
  const { data, error, again } = useRead(calls.ofGroup, { params }, { isAsked: groupId !== undefined })
  const ids = data?.map(({ uniqueId }) => uniqueId).join(' ') ?? ''
  useEffect(() => {
    const stops = ids
      .split(' ')
      .filter(Boolean)
      .map((id) =>
        push.subscribe(`channel.${id}`, ({ data: news }) => {
          if (shownFields.some((field) => field in (news as object))) void again()
        }),
      )
    return () => {
      for (const stop of stops) stop()
    }
  }, [ids, again])
  return {
    channels: data ?? [],
    isKnown: data !== undefined,
    isError: error !== null,
    read: again,
  }
}

export const returnGlyph = (status: VrStatus): Look => channelGlyph({ status })

/** `sdi-1` as it is printed on the machine; an input that is no SDI socket has its own name. */
export const inputName = (id: string, inputs: readonly VrInput[] = []): string =>
  inputs.find((input) => input.id === id)?.name ?? id.toUpperCase().replace('-', ' ')
