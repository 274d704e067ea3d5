// The channels of the group: known by name at once, live only while they are shown.
import { channels } from '@backhaul/contract/api/channels'
import type { ResponseOf } from '@backhaul/contract/define/endpoint'
import {
  type Channel,
  type ChannelKind,
  type ChannelStatus,
  channelIsIn,
  displayedChannelName,
} from '@backhaul/contract/nouns/channels'
import { useEffect } from 'react'
import { call } from '../../doors/api.ts'
import { push } from '../../doors/push.ts'
import { createKeyedStore } from '../../ui/keyed-store.ts'
import { compareTexts } from '../../ui/locale.ts'
import { type Look, liveLook, previewLook } from '../../ui/StatusGlyph.tsx'
import { createValue, useValue } from '../../ui/value.ts'

export const channelStore = createKeyedStore<Channel>()
export const channelsState = createValue<'loading' | 'ready' | 'error'>('loading')

const groupShown = createValue<string | null>(null)

export async function loadChannels(groupId: string): Promise<void> {
  const isOtherGroup = groupShown.get() !== groupId
  groupShown.set(groupId)
  if (isOtherGroup) {
    channelStore.replaceAll([])
    channelsState.set('loading')
  }
  try {
    const list = await call(channels.ofGroup, { query: { group: groupId } })
    if (groupShown.get() !== groupId) return
    channelStore.replaceAll(list.map((channel) => [channel.uniqueId, newest(channel)] as const))
    channelStore.flush()
    channelsState.set('ready')
  } catch {
    if (groupShown.get() === groupId) channelsState.set('error')
  }
}

/** A change may be pushed while the list is read. */
const newest = (read: Channel): Channel =>
  push.isOlderThanHeld(`channel.${read.uniqueId}`, read.rev)
    ? (channelStore.latest(read.uniqueId) ?? read)
    : read

/** Another try, when the user requests it. */
export function reloadChannels(): void {
  const groupId = groupShown.get()
  if (groupId !== null) void loadChannels(groupId)
}

/** Keeps these channels live until the returned function is called. */
export function watchChannels(ids: readonly string[]): () => void {
  const stops = ids.map((id) =>
    push.subscribe(
      `channel.${id}`,
      (message) => {
        const before = channelStore.latest(id)
        if (before) channelStore.put(id, { ...before, ...(message.data as Partial<Channel>) })
      },
      channelStore.latest(id)?.rev,
    ),
  )
  return () => {
    for (const stop of stops) stop()
  }
}

const multiChannels = createValue<ResponseOf<typeof channels.multiChannels>>([])
let groupOfMulti: string | null = null

/** Once for a group, since they do not change while a server runs; a failed read is repeated where they are next shown. */
function readMultiChannels(groupId: string): void {
  if (groupOfMulti === groupId) return
  groupOfMulti = groupId
  multiChannels.set([])
  call(channels.multiChannels, { params: { id: groupId } }).then(
    (list) => groupOfMulti === groupId && multiChannels.set(list),
    () => {
      if (groupOfMulti === groupId) groupOfMulti = null
    },
  )
}

/** The channels behind a multi-camera channel. The query cache, which reads the rest, is loaded after the first rows. */
export function useMembersOf(id: string): readonly string[] {
  const all = useValue(multiChannels)
  const groupId = useValue(groupShown)
  useEffect(() => {
    if (groupId !== null) readMultiChannels(groupId)
  }, [groupId])
  return all.find(({ uniqueId }) => uniqueId === id)?.channels.map(({ uniqueId }) => uniqueId) ?? []
}

export const byChannelName = (a: Channel, b: Channel): number =>
  compareTexts(displayedChannelName(a.name), displayedChannelName(b.name))

/** Shape and colour of a channel's status; the word is next to it. Channels that return video have no kind. */
export function channelGlyph({ status, kind }: { status: ChannelStatus; kind?: ChannelKind }): Look {
  if (channelIsIn(status, 'offline')) return { shape: 'slashedRing', tone: 'offline' }
  if (channelIsIn(status, 'collecting')) return kind === 'PREVIEW_CHANNEL' ? previewLook : liveLook
  if (status === 'connecting') return { shape: 'arc', tone: 'transition' }
  return channelIsIn(status, 'busy')
    ? { shape: 'dashedSquare', tone: 'busy' }
    : { shape: 'ring', tone: 'ready' }
}
