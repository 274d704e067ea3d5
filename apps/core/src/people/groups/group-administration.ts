// Administration of groups: each change is one transaction, and followers are notified after the commit.

import { randomBytes } from 'node:crypto'
import type { GroupChanges, NewGroup } from '@backhaul/contract/api/group-administration'
import type { Page, PageQuery } from '@backhaul/contract/define/answers'
import { Conflict, type MissingNoun, NotFound } from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import {
  type DefaultConfiguration,
  type Group,
  type GroupMember,
  MemberKind,
} from '@backhaul/contract/nouns/groups'
import type { Clock } from '@backhaul/runtime/clock'
import { pagingOf, type Window } from '../../database/paging.ts'
import type { Database, Queries } from '../../database/schema.ts'
import { everything, type Scope } from '../../database/scope.ts'
import { uniqueName } from '../../database/unique.ts'
import type { Found } from '../../doors/api/bind.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Events } from '../../world/events.ts'
import * as table from './group-table.ts'
import type { AnyMember } from './member-table.ts'
import * as members from './member-table.ts'
import type { Recipients } from './recipients.ts'
import { freshKey } from './registration-keys.ts'

export interface GroupAdministration {
  page(scope: Scope, query: PageQuery, inventoryId?: string): Promise<Page<Group>>
  one(scope: Scope, groupId: string): Promise<Group>
  /**
   * Throws Conflict when the name is taken within the customer, NotFound for members that are not of the customer.
   * `origin` is where the console is, for the links that new recipients get.
   */
  create(scope: Scope, group: NewGroup, origin: string): Promise<Group>
  change(scope: Scope, groupId: string, changes: GroupChanges, origin: string): Promise<Group>
  /** All of them, without a page, for the older calls. */
  ofInventory(scope: Scope, inventoryId: string): Promise<Group[]>
  /**
   * All or none. Refused with Conflict for the caller's current group and while a member is busy; members are kept
   * (GAP-GROUP-06).
   */
  remove(
    scope: Scope,
    groupIds: readonly string[],
    currentGroupId: string | null,
    found?: Found,
  ): Promise<void>
  /** Throws Conflict when `isNew` and the group has one. */
  saveDefaultConfiguration(
    scope: Scope,
    groupId: string,
    configuration: DefaultConfiguration,
    isNew: boolean,
  ): Promise<DefaultConfiguration>
  members(scope: Scope, groupId: string, kind: MemberKind, window: Window): Promise<Page<GroupMember>>
  /** The objects of a customer that can become members. */
  choices(scope: Scope, inventoryId: string, kind: MemberKind, query: PageQuery): Promise<Page<GroupMember>>
  /** Throws NotFound for an object that is not of the group's customer. */
  associate(scope: Scope, groupId: string, kind: MemberKind, memberId: string): Promise<void>
  disassociate(scope: Scope, groupId: string, kind: MemberKind, memberId: string): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  events: Events
  inventories: Inventories
  recipients: Recipients
  get(scope: Scope, groupId: string): Promise<table.GroupFacts>
  notify(groupId: string, kind: AnyMember, memberId: string, isNew: boolean): void
}

const thingOf: Readonly<Record<MemberKind, MissingNoun>> = {
  unit: 'unit',
  channel: 'channel',
  vrChannel: 'videoReturnChannel',
  user: 'user',
}
const lists = { unit: 'units', channel: 'channels', vrChannel: 'vrChannels', user: 'users' } as const
const kinds = MemberKind.options

interface Move {
  kind: MemberKind
  memberId: string
  isNew: boolean
}

export function createGroupAdministration(needs: Needs): GroupAdministration {
  const { db, clock, events, inventories, get } = needs

  function notifyAll(groupId: string, moves: readonly Move[]): void {
    for (const { kind, memberId, isNew } of moves)
      needs.notify(groupId, members.tableKindOf(kind), memberId, isNew)
  }

  async function one(groupId: string): Promise<Group> {
    const [group] = await table.groupsWithMembers(db, everything, [groupId])
    if (!group) throw new NotFound('group')
    return group
  }

  async function change(
    scope: Scope,
    groupId: string,
    changes: GroupChanges,
    origin: string,
  ): Promise<Group> {
    const before = await get(scope, groupId)
    const group = { ...before, name: changes.name ?? before.name }
    const moves = await uniqueName(
      db.transaction().execute(async (transaction) => {
        await table.updateGroup(transaction, groupId, changes)
        await needs.recipients.set(transaction, group, changes.emailRecipients, origin)
        return await setMembers(transaction, group, changes)
      }),
    )
    notifyAll(groupId, moves)
    if (group.name !== before.name) events.emit('groupRenamed', { groupId })
    return await one(groupId)
  }

  async function create(scope: Scope, { inventory, ...requested }: NewGroup, origin: string): Promise<Group> {
    await inventories.get(scope, inventory)
    const group = {
      id: `gr-${randomBytes(9).toString('base64url').replaceAll('_', 'x')}`,
      inventoryId: inventory,
      name: requested.name,
      registrationKey: freshKey(),
      unitAutoAssociation: requested.unitAutoAssociation ?? false,
      globalAutoAssociation: requested.globalAutoAssociation ?? false,
    }
    const moves = await uniqueName(
      db.transaction().execute(async (transaction) => {
        await table.insertGroup(transaction, group, clock.nowMs())
        await needs.recipients.set(transaction, group, requested.emailRecipients, origin)
        return await setMembers(transaction, group, requested)
      }),
    )
    events.emit('groupsChanged', { groupId: group.id, inventoryId: inventory, isThere: true })
    notifyAll(group.id, moves)
    return await one(group.id)
  }

  return {
    async page(scope, query, inventoryId) {
      if (inventoryId !== undefined) await inventories.get(scope, inventoryId)
      const paging = pagingOf(query, ['name', 'inventory', 'createdOn'])
      const { ids, total } = await table.groupIdPage(db, scope, paging, inventoryId)
      const found = new Map(
        (await table.groupsWithMembers(db, scope, ids)).map((group) => [group.uid, group]),
      )
      const { offset, limit } = paging
      return { items: ids.flatMap((id) => found.get(id) ?? []), total, offset, limit }
    },
    async one(scope, groupId) {
      await get(scope, groupId)
      return await one(groupId)
    },
    create,
    change,
    async ofInventory(scope, inventoryId) {
      await inventories.get(scope, inventoryId)
      return (await table.groupsWithMembers(db, scope)).filter((group) => group.inventory === inventoryId)
    },
    async remove(scope, groupIds, currentGroupId, found) {
      const requested = await Promise.all([...new Set(groupIds)].map((id) => get(scope, id)))
      if (found) requested.forEach(found)
      if (requested.some(({ id }) => id === currentGroupId)) throw new Conflict('group.current')
      const people = await Promise.all(requested.map(({ id }) => members.memberIds(db, 'user', id)))
      await db.transaction().execute(async (transaction) => {
        for (const { id: groupId, inventoryId } of requested) {
          const busy = await members.busyMembers(transaction, { inventoryId, groupId })
          if (busy.length > 0) throw new Conflict(because('group.busy', { members: busy.join(', ') }))
          await table.deleteGroup(transaction, groupId)
        }
      })
      for (const { id, inventoryId } of requested)
        events.emit('groupsChanged', { groupId: id, inventoryId, isThere: false })
      for (const userId of new Set(people.flat())) events.emit('userScopeChanged', { userId })
    },
    async saveDefaultConfiguration(scope, groupId, configuration, isNew) {
      await get(scope, groupId)
      await db.transaction().execute(async (transaction) => {
        const [group] = await table.groupsWithMembers(transaction, everything, [groupId])
        if (isNew && group?.defaultConfiguration) throw new Conflict('group.hasDefaults')
        await table.saveDetails(transaction, groupId, { defaultConfiguration: configuration })
      })
      return configuration
    },
    async members(scope, groupId, kind, window) {
      const { inventoryId } = await get(scope, groupId)
      return {
        ...(await members.memberPage(db, kind, { inventoryId, groupId }, window)),
        ...windowOf(window),
      }
    },
    async choices(scope, inventoryId, kind, query) {
      await inventories.get(scope, inventoryId)
      const paging = pagingOf(query, ['name'])
      return { ...(await members.memberPage(db, kind, { inventoryId }, paging)), ...windowOf(paging) }
    },
    async associate(scope, groupId, kind, memberId) {
      const { inventoryId } = await get(scope, groupId)
      await requireCandidates(db, kind, inventoryId, [memberId])
      const tableKind = members.tableKindOf(kind)
      if (await members.insertMember(db, tableKind, groupId, memberId))
        needs.notify(groupId, tableKind, memberId, true)
    },
    async disassociate(scope, groupId, kind, memberId) {
      await get(scope, groupId)
      if (!(await members.memberIdsOf(db, kind, groupId)).includes(memberId))
        throw new NotFound(thingOf[kind])
      const tableKind = members.tableKindOf(kind)
      if (!(await members.deleteMember(db, tableKind, groupId, memberId))) throw new NotFound(thingOf[kind])
      needs.notify(groupId, tableKind, memberId, false)
    },
  }
}

const windowOf = ({ offset, limit }: Window) => ({ offset, limit })

/** An object of another customer is treated like one that does not exist. */
async function requireCandidates(
  db: Queries,
  kind: MemberKind,
  inventoryId: string,
  ids: readonly string[],
): Promise<void> {
  const known = await members.candidateIds(db, kind, inventoryId, ids)
  if (ids.some((id) => !known.has(id))) throw new NotFound(thingOf[kind])
}

/** Sets the members of each named list exactly; answers who joined and left. */
async function setMembers(
  transaction: Queries,
  { id: groupId, inventoryId }: Pick<table.GroupFacts, 'id' | 'inventoryId'>,
  requested: GroupChanges,
): Promise<Move[]> {
  const moves: Move[] = []
  for (const kind of kinds) {
    const list = requested[lists[kind]]
    if (list === undefined) continue
    const tableKind = members.tableKindOf(kind)
    const before = new Set(await members.memberIdsOf(transaction, kind, groupId))
    const after = new Set(list)
    const newcomers = [...after].filter((id) => !before.has(id))
    await requireCandidates(transaction, kind, inventoryId, newcomers)
    for (const memberId of newcomers) {
      await members.insertMember(transaction, tableKind, groupId, memberId)
      moves.push({ kind, memberId, isNew: true })
    }
    for (const memberId of [...before].filter((id) => !after.has(id))) {
      await members.deleteMember(transaction, tableKind, groupId, memberId)
      moves.push({ kind, memberId, isNew: false })
    }
  }
  return moves
}
