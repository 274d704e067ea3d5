// The memberships of units and channels in groups, in memory, and the events of members that join and leave.
import type { Alert } from '@backhaul/contract/nouns/alerts'
import { groupTopic, type UnitSync } from '@backhaul/contract/push/groups'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { everything, reads, type Scope } from '../../database/scope.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Live, LiveObject } from '../../platform/live/live.ts'
import type { Events } from '../../world/events.ts'

/** The kinds of members apart from users. */
export type ThingKind = 'unit' | 'channel'

interface Membership {
  group: string
  device: string
  at: number
}

export interface GroupNews {
  alerts: Alert[]
  added: Membership | null
  removed: Membership | null
  sync: UnitSync | null
}

export interface Memberships {
  groupsOf(kind: ThingKind, memberId: string): readonly string[]
  membersOf(kind: ThingKind, groupId: string): readonly string[]
  /** Whether a unit, a channel or, by its own groups, a server is in the caller's scope. */
  isReadable(scope: Scope, kind: ThingKind, memberId: string, inventoryId: string): boolean
  /** An object was deleted: its groups are read again, and their followers are notified. */
  gone(kind: ThingKind, memberId: string): void
  /** A server, whose groups are in its own record, joined a group or left it. */
  noteServer(groupId: string, serverId: string, isMember: boolean): void
  /** The live fields of a group itself. */
  topicOf(groupId: string): LiveObject<GroupNews>
  groupIds(): Iterable<string>
  start(): Promise<void>
}

interface Needs {
  clock: Clock
  log: Log
  events: Events
  groups: Groups
  live: Live
}

const kinds: readonly ThingKind[] = ['unit', 'channel']
const none: readonly string[] = []

export function createMemberships({ clock, log, events, groups, live }: Needs): Memberships {
  const groupsByMember = { unit: new Map<string, string[]>(), channel: new Map<string, string[]>() }
  const membersByGroup = { unit: new Map<string, string[]>(), channel: new Map<string, string[]>() }
  const topics = new Map<string, LiveObject<GroupNews>>()

  function topicOf(groupId: string): LiveObject<GroupNews> {
    const known = topics.get(groupId)
    if (known) return known
    const initial: GroupNews = { alerts: [], added: null, removed: null, sync: null }
    const made = live.add<GroupNews>(groupTopic, groupId, initial, ({ scope }) => scope.readsGroup(groupId))
    topics.set(groupId, made)
    return made
  }

  function join(kind: ThingKind, groupId: string, memberId: string): void {
    const [ofMember, ofGroup] = [groupsByMember[kind], membersByGroup[kind]]
    ofMember.set(memberId, [...(ofMember.get(memberId) ?? []), groupId])
    const members = ofGroup.get(groupId)
    if (members) members.push(memberId)
    else ofGroup.set(groupId, [memberId])
  }

  function leave(kind: ThingKind, groupId: string, memberId: string): void {
    const [ofMember, ofGroup] = [groupsByMember[kind], membersByGroup[kind]]
    ofMember.set(
      memberId,
      (ofMember.get(memberId) ?? []).filter((id) => id !== groupId),
    )
    ofGroup.set(
      groupId,
      (ofGroup.get(groupId) ?? []).filter((id) => id !== memberId),
    )
  }

  function noteUnit(kind: ThingKind, groupId: string, deviceId: string, isMember: boolean): void {
    if (kind === 'unit') events.emit('deviceGrouped', { deviceId, groupId, isMember })
  }

  function joined(kind: ThingKind, groupId: string, memberId: string): void {
    join(kind, groupId, memberId)
    noteUnit(kind, groupId, memberId, true)
    topicOf(groupId).set({ added: { group: groupId, device: memberId, at: clock.nowMs() } })
  }

  /** Followers of the group are notified of the leave before the topic is removed with the group. */
  function removed(groupId: string): void {
    for (const kind of kinds) {
      for (const id of membersByGroup[kind].get(groupId) ?? none) {
        leave(kind, groupId, id)
        noteUnit(kind, groupId, id, false)
        topicOf(groupId).set({ removed: { group: groupId, device: id, at: clock.nowMs() } })
      }
      membersByGroup[kind].delete(groupId)
    }
    topics.delete(groupId)
    live.remove(groupTopic, groupId)
  }

  async function refresh(groupId: string): Promise<void> {
    let isLeft = false
    for (const kind of kinds) {
      const now = new Set(await groups.members(everything, groupId, kind))
      const before = new Set(membersByGroup[kind].get(groupId) ?? none)
      for (const id of now) {
        if (!before.has(id)) joined(kind, groupId, id)
      }
      for (const id of before) {
        if (now.has(id)) continue
        leave(kind, groupId, id)
        noteUnit(kind, groupId, id, false)
        isLeft = true
        topicOf(groupId).set({ removed: { group: groupId, device: id, at: clock.nowMs() } })
      }
    }
    if (isLeft) events.emit('membersLeft', { groupId })
  }

  // A group that changes many times in a row is read again after the running read, not once for each change.
  const reading = new Map<string, 'running' | 'again'>()
  async function readSoon(groupId: string): Promise<void> {
    if (reading.has(groupId)) return void reading.set(groupId, 'again')
    do {
      reading.set(groupId, 'running')
      await refresh(groupId).catch((error) =>
        log.error({ err: error, groupId }, 'members of the group not read'),
      )
    } while (reading.get(groupId) === 'again')
    reading.delete(groupId)
  }
  events.on('groupChanged', ({ groupId, joined: one }) => {
    // A fleet that registers joins one by one: reading the whole group for each would cost its square.
    if (!one || reading.has(groupId)) return void readSoon(groupId)
    if (one.kind !== 'user' && !groupsOf(one.kind, one.memberId).includes(groupId))
      joined(one.kind, groupId, one.memberId)
  })

  events.on('groupsChanged', ({ groupId, isThere }) => {
    if (isThere) topicOf(groupId)
    else removed(groupId)
  })

  const groupsOf = (kind: ThingKind, memberId: string) => groupsByMember[kind].get(memberId) ?? none
  return {
    groupsOf,
    membersOf: (kind, groupId) => membersByGroup[kind].get(groupId) ?? none,
    isReadable: (scope, kind, memberId, inventoryId) =>
      reads(scope, { inventoryId, groupIds: groupsOf(kind, memberId) }),
    gone(kind, memberId) {
      for (const groupId of groupsOf(kind, memberId)) events.emit('groupChanged', { groupId })
    },
    noteServer(groupId, serverId, isMember) {
      const news = { group: groupId, device: serverId, at: clock.nowMs() }
      topics.get(groupId)?.set(isMember ? { added: news } : { removed: news })
      if (!isMember) events.emit('membersLeft', { groupId })
    },
    topicOf,
    groupIds: () => topics.keys(),
    async start() {
      for (const { uid } of await groups.all(everything)) topicOf(uid)
      for (const kind of kinds) {
        for (const { groupId, memberId } of await groups.memberships(kind)) join(kind, groupId, memberId)
      }
    },
  }
}
