// Shares: channels that publishers share under a key, and who has subscribed to it.
import { randomBytes } from 'node:crypto'
import type { Page, PageQuery } from '@backhaul/contract/define/answers'
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import {
  type NewPublisher,
  type NewSubscriber,
  type Publisher,
  type PublisherChange,
  rootFolderOf,
  type SharedChannel,
  type Subscriber,
  type SubscriberChange,
  shareRefusal,
} from '@backhaul/contract/nouns/shares'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { pageOf, pagingOf } from '../../database/paging.ts'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import { unlessTaken } from '../../database/unique.ts'
import type { Found } from '../../doors/api/bind.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Events } from '../../world/events.ts'
import type { Channels } from '../channels/channels.ts'
import { createShareFolders, type ShareFolders } from './share-folders.ts'
import * as table from './share-table.ts'

export interface Shares {
  readonly folders: ShareFolders
  readonly publishers: {
    page(scope: Scope, query: PageQuery): Promise<Page<Publisher>>
    /** Throws NotFound for one outside the caller's scope. */
    get(scope: Scope, id: string): Promise<Publisher>
    /** Makes the share key. Throws NotFound for a group out of scope. */
    create(caller: Pick<Caller, 'scope' | 'username'>, publisher: NewPublisher): Promise<Publisher>
    change(scope: Scope, id: string, change: PublisherChange): Promise<Publisher>
    /** Throws Conflict while it shares a channel that is on air. */
    remove(scope: Scope, id: string, found: Found): Promise<void>
    /** Throws NotFound for a channel that is not of the publisher's group, Conflict for one that is on air. */
    start(scope: Scope, id: string, channelId: string): Promise<Publisher>
    /** Throws NotFound for a channel that it does not share, Conflict for one that is on air. */
    end(scope: Scope, id: string, channelId: string): Promise<Publisher>
  }
  readonly subscribers: {
    page(scope: Scope, query: PageQuery): Promise<Page<Subscriber>>
    /** Throws NotFound for one outside the caller's scope. */
    get(scope: Scope, id: string): Promise<Subscriber>
    /** Throws Conflict for a key that no publisher has, or that the group has entered already; NotFound for the folder. */
    create(scope: Scope, subscriber: NewSubscriber): Promise<Subscriber>
    /** Throws the same. */
    change(scope: Scope, id: string, change: SubscriberChange): Promise<Subscriber>
    remove(scope: Scope, id: string, found: Found): Promise<void>
  }
  /** Whether a group of the caller has subscribed to the channel: they may see it, and nothing more. */
  isSharedWith(scope: Scope, channelId: string): boolean
  start(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  groups: Groups
  channels: Channels
}

const publisherKeys = ['name', 'description', 'group', 'createdOn', 'createdBy'] as const
const subscriberKeys = ['name', 'folderName', 'group'] as const

export function createShares({ db, clock, log, events, groups, channels }: Needs): Shares {
  const folders = createShareFolders({ db, groups })
  const showOnChannel = channels.provide('sharing')
  let readers = new Map<string, Set<string>>()

  /** Reads all shares and their recipients into memory: every picture needs them. */
  async function reread(): Promise<void> {
    await table.unshareWhatLeft(db)
    const fresh = new Map<string, Set<string>>()
    for (const { channelId, groupId } of await table.groupsByChannel(db)) {
      const known = fresh.get(channelId) ?? new Set()
      fresh.set(channelId, groupId === null ? known : known.add(groupId))
    }
    for (const id of new Set([...readers.keys(), ...fresh.keys()]))
      showOnChannel(id, { sharing: fresh.has(id) })
    readers = fresh
  }
  const rereadSoon = () => void reread().catch((error) => log.error(error, 'shares not read'))
  events.on('groupsChanged', rereadSoon)
  events.on('membersLeft', rereadSoon)

  async function publishersOf(scope: Scope, id?: string): Promise<Publisher[]> {
    const shared = Map.groupBy(await table.sharedChannels(db), (row) => row.publisher_id)
    return (await table.publishers(db, scope, id)).map((row) => ({
      id: row.id,
      inventoryId: row.inventory_id,
      name: row.name,
      shareKey: row.share_key,
      description: row.description,
      group: row.group_id,
      createdOn: new Date(row.created_ms).toISOString(),
      createdBy: row.created_by,
      channels: (shared.get(row.id) ?? []).map(({ channel_id }) => channel_id),
    }))
  }

  async function publisher(scope: Scope, id: string): Promise<Publisher> {
    const [found] = await publishersOf(scope, id)
    if (!found) throw new NotFound('publisher')
    return found
  }

  async function subscribersOf(scope: Scope, id?: string): Promise<Subscriber[]> {
    const shared = Map.groupBy(await table.sharedChannels(db), (row) => row.publisher_id)
    return (await table.subscribers(db, scope, id)).map((row) => ({
      id: row.id,
      inventoryId: row.inventory_id,
      name: row.name,
      shareKey: row.share_key,
      folder: row.folder_id ?? rootFolderOf(row.group_id),
      folderName: row.folder_name ?? row.group_name,
      group: row.group_id,
      publisher: row.publisher_name,
      channels: (shared.get(row.publisher_id ?? '') ?? [])
        .flatMap(({ channel_id }) => shown(channel_id))
        .sort((a, b) => a.name.localeCompare(b.name)),
    }))
  }

  async function subscriber(scope: Scope, id: string): Promise<Subscriber> {
    const [found] = await subscribersOf(scope, id)
    if (!found) throw new NotFound('subscriber')
    return found
  }

  function shown(channelId: string): SharedChannel[] {
    const channel = channels.known(channelId)
    if (!channel) return []
    const { uniqueId, name, kind, status } = channel
    return [{ uniqueId, name, kind, status }]
  }

  function requireOffAir(channelId: string): void {
    const refusal = shown(channelId).map(shareRefusal)[0]
    if (refusal) throw new Conflict(refusal.reason, { code: refusal.code })
  }

  /** The place of a subscriber, from its folder. */
  async function placeOf(scope: Scope, folderId: string) {
    const { id, inventoryId, group, root } = await folders.get(scope, folderId)
    return { inventory_id: inventoryId, group_id: group, folder_id: root ? null : id }
  }

  async function requireKnownKey(shareKey: string): Promise<void> {
    if (!(await table.publisherOfKey(db, shareKey))) throw keyRefused()
  }

  return {
    folders,
    publishers: {
      page: async (scope, query) => pageOf(await publishersOf(scope), pagingOf(query, publisherKeys)),
      get: publisher,
      async create({ scope, username }, { name, description, group }) {
        const { inventoryId } = await groups.get(scope, group)
        const id = `pb-${randomBytes(9).toString('base64url')}`
        await table.insertPublisher(db, {
          id,
          inventory_id: inventoryId,
          group_id: group,
          name,
          share_key: randomBytes(12).toString('base64url'),
          description,
          created_ms: clock.nowMs(),
          created_by: username,
        })
        return await publisher(scope, id)
      },
      async change(scope, id, change) {
        const { name, description } = await publisher(scope, id)
        await table.updatePublisher(db, {
          id,
          name: change.name ?? name,
          description: change.description ?? description,
        })
        return await publisher(scope, id)
      },
      async remove(scope, id, found) {
        const leaving = await publisher(scope, id)
        found(leaving)
        for (const channelId of leaving.channels) requireOffAir(channelId)
        await table.deletePublisher(db, id)
        await reread()
      },
      async start(scope, id, channelId) {
        const { group } = await publisher(scope, id)
        if (!(await groups.members(scope, group, 'channel')).includes(channelId))
          throw new NotFound('channel')
        requireOffAir(channelId)
        await table.share(db, { publisher_id: id, channel_id: channelId })
        await reread()
        return await publisher(scope, id)
      },
      async end(scope, id, channelId) {
        if (!(await publisher(scope, id)).channels.includes(channelId)) throw new NotFound('channel')
        requireOffAir(channelId)
        await table.unshare(db, { publisher_id: id, channel_id: channelId })
        await reread()
        return await publisher(scope, id)
      },
    },
    subscribers: {
      page: async (scope, query) => pageOf(await subscribersOf(scope), pagingOf(query, subscriberKeys)),
      get: subscriber,
      async create(scope, { name, shareKey, folder }) {
        const place = await placeOf(scope, folder)
        await requireKnownKey(shareKey)
        const id = `sb-${randomBytes(9).toString('base64url')}`
        const row = { id, ...place, name, share_key: shareKey, created_ms: clock.nowMs() }
        await unlessTaken(table.insertSubscriber(db, row), keyRefused)
        await reread()
        return await subscriber(scope, id)
      },
      async change(scope, id, change) {
        const held = await subscriber(scope, id)
        const place = await placeOf(scope, change.folder ?? held.folder)
        const shareKey = change.shareKey ?? held.shareKey
        if (shareKey !== held.shareKey) await requireKnownKey(shareKey)
        const row = { ...place, id, name: change.name ?? held.name, share_key: shareKey }
        await unlessTaken(table.updateSubscriber(db, row), keyRefused)
        await reread()
        return await subscriber(scope, id)
      },
      async remove(scope, id, found) {
        found(await subscriber(scope, id))
        await table.deleteSubscriber(db, id)
        await reread()
      },
    },
    isSharedWith(scope, channelId) {
      return [...(readers.get(channelId) ?? [])].some(scope.readsGroup)
    },
    start: reread,
  }
}

/** The same text for an unknown key and for one that was entered before: it reveals nothing about other customers. */
const keyRefused = () => Conflict.at('shareKey', 'share.key')
