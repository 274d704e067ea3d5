// Groups: the working context of operators, and the keys that admit new devices.
import { NotFound } from '@backhaul/contract/define/errors'
import type { AlertsConfiguration } from '@backhaul/contract/nouns/alert-configuration'
import type { Group, LightGroup } from '@backhaul/contract/nouns/groups'
import { groupFeaturesOf } from '@backhaul/contract/nouns/inventories'
import type { AdhocMode } from '@backhaul/contract/nouns/invitations'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database, DatabaseTransaction, Queries } from '../../database/schema.ts'
import { type Customers, everything, type Scope } from '../../database/scope.ts'
import type { Audit } from '../../platform/audit/audit.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { Events } from '../../world/events.ts'
import { createDueJobs, type DueJobs } from './due-jobs.ts'
import { createGroupAdministration, type GroupAdministration } from './group-administration.ts'
import * as table from './group-table.ts'
import type { AnyMember } from './member-table.ts'
import * as members from './member-table.ts'
import { createMembershipExpiry, type MembershipExpiry } from './membership-expiry.ts'
import { createRecipients, type Recipients } from './recipients.ts'
import { createRegistrationKeys, freshKey, type RegistrationKeys } from './registration-keys.ts'

export type { GroupFacts } from './group-table.ts'
export type { DueRecipient, Recipients } from './recipients.ts'

export interface Groups extends DueJobs {
  readonly administration: GroupAdministration
  readonly keys: RegistrationKeys
  readonly ends: MembershipExpiry
  readonly recipients: Recipients
  /** Throws NotFound. */
  setAdhocMode(scope: Scope, groupId: string, mode: AdhocMode): Promise<table.GroupFacts>
  /** The alert settings of those groups that have some. */
  alertConfigurations(): Promise<(readonly [string, AlertsConfiguration])[]>
  /** Throws NotFound. */
  saveAlertConfiguration(
    scope: Scope,
    groupId: string,
    alertConfiguration: AlertsConfiguration,
  ): Promise<void>
  /** The short list for the group switcher, by name. */
  light(scope: Scope): Promise<LightGroup[]>
  /** The groups with all members. */
  all(scope: Scope): Promise<Group[]>
  /** Throws NotFound for a group outside the caller's scope. */
  get(scope: Scope, groupId: string): Promise<table.GroupFacts>
  /** The features of the group's customer and whether each is on; throws NotFound. */
  features(scope: Scope, groupId: string): Promise<Record<string, boolean>>
  /** Names of the features that are on for at least one of these customers. */
  activeFeatures(customers: readonly Customers[]): Promise<string[]>
  /** Ids of the members of one group; throws NotFound. */
  members(scope: Scope, groupId: string, kind: AnyMember): Promise<string[]>
  /** Every membership there is, as pairs, for what keeps them in memory. */
  memberships(kind: AnyMember, scope?: Scope): Promise<{ groupId: string; memberId: string }[]>
  /** The groups that have this member, without a check of the caller's scope. */
  ofMember(kind: AnyMember, memberId: string): Promise<string[]>
  /** The ids of `groupIds` that belong to one of the customers, without a check of the caller's scope. */
  within(groupIds: readonly string[], inventoryIds: readonly string[]): Promise<string[]>
  /** The customer of a group, from memory; undefined for one that is not there. */
  inventoryOf(groupId: string): string | undefined
  addMember(groupId: string, kind: AnyMember, memberId: string): Promise<void>
  /** The same inside a transaction of the member's; call the answer after the commit to notify the others. */
  join(
    transaction: DatabaseTransaction,
    groupId: string,
    kind: AnyMember,
    memberId: string,
  ): Promise<() => void>
  /**
   * A new object or user of a customer joins the customer's groups that add such automatically (GAP-GROUP-03); call
   * the answer after the commit.
   */
  joinByItself(
    transaction: Queries,
    inventoryId: string,
    kind: AnyMember,
    memberId: string,
  ): Promise<() => void>
  /**
   * New units join one group each, and those of its customer that add such automatically; call each one's answer after the
   * commit.
   */
  joinNewUnits(
    transaction: DatabaseTransaction,
    units: readonly { id: string; groupId: string; inventoryId: string }[],
  ): Promise<(() => void)[]>
  /** Leaves inside a transaction, in the same way. */
  leave(
    transaction: DatabaseTransaction,
    groupId: string,
    kind: AnyMember,
    memberId: string,
  ): Promise<() => void>
  /** Without a check of the caller's scope. */
  find(groupId: string): Promise<table.GroupFacts | undefined>
  /** The oldest group; undefined when there is none. */
  oldest(): Promise<table.GroupFacts | undefined>
  /** Adds a group unless its id exists; a registration key is made when none is given. */
  ensure(group: NewGroup): Promise<table.GroupFacts>
}

export interface NewGroup {
  id: string
  inventoryId: string
  name: string
  registrationKey?: string
  /** New units of the customer join automatically (GAP-GROUP-03). */
  unitAutoAssociation?: boolean
  /** New channels and users of the customer join automatically. */
  globalAutoAssociation?: boolean
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  audit: Audit
  inventories: Inventories
  outbox: Outbox
}

export function createGroups({ db, clock, log, events, audit, inventories, outbox }: Needs): Groups {
  async function get(scope: Scope, groupId: string): Promise<table.GroupFacts> {
    const group = await table.findGroup(db, scope, groupId)
    if (!group) throw new NotFound('group')
    return group
  }
  function notify(groupId: string, kind: AnyMember, memberId: string, isNew: boolean): void {
    events.emit('groupChanged', { groupId, ...(isNew && { joined: { kind, memberId } }) })
    if (kind === 'user') events.emit('userScopeChanged', { userId: memberId })
  }

  const inventoryOf = new Map<string, string>()
  events.on('groupsChanged', ({ groupId, inventoryId, isThere }) => {
    if (isThere) inventoryOf.set(groupId, inventoryId)
    else inventoryOf.delete(groupId)
  })

  const keys = createRegistrationKeys({ db, clock, log, audit, get })
  const ends = createMembershipExpiry({ db, clock, audit, get, notify })
  const recipients = createRecipients({ db, clock, audit, outbox, get })
  const dueJobs = createDueJobs(
    { clock, log },
    { 'renewal of registration keys': keys.renewDue, 'expiry of memberships': ends.expireDue },
  )
  return {
    async start() {
      for (const { id, inventoryId } of await table.groupInventories(db)) inventoryOf.set(id, inventoryId)
      dueJobs.start()
    },
    stop: dueJobs.stop,
    keys,
    ends,
    recipients,
    administration: createGroupAdministration({ db, clock, events, inventories, recipients, get, notify }),
    async setAdhocMode(scope, groupId, mode) {
      await get(scope, groupId)
      await table.saveAdhocMode(db, groupId, mode)
      return await get(scope, groupId)
    },
    alertConfigurations: () => table.alertConfigurations(db),
    async saveAlertConfiguration(scope, groupId, alertConfiguration) {
      await get(scope, groupId)
      await db
        .transaction()
        .execute((transaction) => table.saveDetails(transaction, groupId, { alertConfiguration }))
    },
    light: (scope) => table.lightGroups(db, scope),
    all: (scope) => table.groupsWithMembers(db, scope),
    get,
    async features(scope, groupId) {
      const group = await get(scope, groupId)
      const { properties } = await inventories.get(everything, group.inventoryId)
      return groupFeaturesOf(properties)
    },
    async activeFeatures(customers) {
      const found = await inventories.allIn(customers)
      const on = found.flatMap(({ properties }) =>
        Object.entries(groupFeaturesOf(properties)).filter(([, is]) => is),
      )
      return [...new Set(on.map(([name]) => name))].toSorted()
    },
    async members(scope, groupId, kind) {
      await get(scope, groupId)
      return await members.memberIds(db, kind, groupId)
    },
    memberships: (kind, scope) => members.memberships(db, kind, scope),
    ofMember: (kind, memberId) => members.groupIdsOfMember(db, kind, memberId),
    within: (groupIds, inventoryIds) => table.groupIdsWithin(db, groupIds, inventoryIds),
    inventoryOf: (groupId) => inventoryOf.get(groupId),
    async addMember(groupId, kind, memberId) {
      if (await members.insertMember(db, kind, groupId, memberId)) notify(groupId, kind, memberId, true)
    },
    async join(transaction, groupId, kind, memberId) {
      const isNew = await members.insertMember(transaction, kind, groupId, memberId)
      return () => {
        if (isNew) notify(groupId, kind, memberId, true)
      }
    },
    async joinByItself(transaction, inventoryId, kind, memberId) {
      const joined: string[] = []
      for (const groupId of await table.selfJoinedGroupIds(transaction, inventoryId, kind)) {
        if (await members.insertMember(transaction, kind, groupId, memberId)) joined.push(groupId)
      }
      return () => {
        for (const groupId of joined) notify(groupId, kind, memberId, true)
      }
    },
    async joinNewUnits(transaction, units) {
      const joinedByItself = new Map<string, string[]>()
      for (const inventoryId of new Set(units.map((unit) => unit.inventoryId)))
        joinedByItself.set(inventoryId, await table.selfJoinedGroupIds(transaction, inventoryId, 'unit'))
      const joined = units.map(({ id: unitId, groupId, inventoryId }) =>
        [...new Set([groupId, ...(joinedByItself.get(inventoryId) ?? [])])].map((one) => ({
          groupId: one,
          unitId,
        })),
      )
      await members.insertUnits(transaction, joined.flat())
      return joined.map((ofUnit) => () => {
        for (const { groupId, unitId } of ofUnit) notify(groupId, 'unit', unitId, true)
      })
    },
    async leave(transaction, groupId, kind, memberId) {
      const wasThere = await members.deleteMember(transaction, kind, groupId, memberId)
      return () => {
        if (wasThere) notify(groupId, kind, memberId, false)
      }
    },
    find: (groupId) => table.findGroup(db, everything, groupId),
    oldest: () => table.oldestGroup(db),
    async ensure(group) {
      await table.insertGroup(
        db,
        {
          registrationKey: freshKey(),
          unitAutoAssociation: false,
          globalAutoAssociation: false,
          ...group,
        },
        clock.nowMs(),
      )
      const ensured = await get(everything, group.id)
      inventoryOf.set(ensured.id, ensured.inventoryId)
      return ensured
    },
  }
}
