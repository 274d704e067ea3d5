// The feeds of a transceiver: its channels, live while they are viewed.
import type { AdministeredChannel } from '@backhaul/contract/nouns/channel-administration'
import type { Channel } from '@backhaul/contract/nouns/channels'
import type { FeedState } from '@backhaul/contract/nouns/feeds'
import { useEffect, useState } from 'react'
import { push } from '../../doors/push.ts'
import { useList } from '../../kit/lists.ts'
import type { Look } from '../../ui/StatusGlyph.tsx'
import { administeredChannels } from '../channel-administration/channel-administration.ts'

export type Feed = AdministeredChannel & Pick<Channel, 'reception'>

export const feedLooks: Readonly<Record<FeedState, Look>> = {
  running: { shape: 'disc', tone: 'live' },
  connecting: { shape: 'arc', tone: 'transition' },
  failed: { shape: 'octagon', tone: 'critical' },
  waiting: { shape: 'ring', tone: 'ready' },
  stopped: { shape: 'ring', tone: 'offline' },
  unset: { shape: 'dashedSquare', tone: 'offline' },
  offline: { shape: 'slashedRing', tone: 'offline' },
}

/** Shown fields of a feed; sound levels come more often than a table is read. */
const shownFields = [
  'name',
  'status',
  'reception',
  'outputs',
  'inputProblem',
  'inputFailure',
  'inputSources',
  'feedFrom',
  'feedStopped',
  'allocatedTo',
  'allocatedToUnitUid',
] as const satisfies readonly (keyof Feed)[]

export function useFeeds(serverId: string) {
  const { items, state, errorText, onRetry } = useList(administeredChannels, [])
  const [live, setLive] = useState<Readonly<Record<string, Partial<Feed>>>>({})
  const own = items.filter((one) => one.serverId === serverId && one.kind !== 'GROUP_CHANNEL')
  const ids = own.map(({ uniqueId }) => uniqueId).join(' ')
  useEffect(() => {
    const stops = ids
      .split(' ')
      .filter(Boolean)
      .map((id) =>
        push.subscribe(`channel.${id}`, ({ data }) => {
          const news = data as Partial<Feed>
          const shown = Object.fromEntries(
            shownFields.flatMap((name) => (news[name] === undefined ? [] : [[name, news[name]]])),
          )
          if (Object.keys(shown).length > 0)
            setLive((before) => ({ ...before, [id]: { ...before[id], ...shown } }))
        }),
      )
    return () => {
      for (const stop of stops) stop()
    }
  }, [ids])
  const feeds = own.map((one): Feed => ({ reception: null, ...one, ...live[one.uniqueId] }))
  return { feeds, state, errorText, onRetry }
}
