// Stories: what crews are sent out for; the story that a unit was assigned last labels what the unit sends.
import { randomBytes } from 'node:crypto'
import type { Page, PageQuery } from '@backhaul/contract/define/answers'
import { NotFound } from '@backhaul/contract/define/errors'
import type { UnitWanted } from '@backhaul/contract/gateway/units'
import type { NewsroomStory } from '@backhaul/contract/nouns/ingest'
import {
  labelledBy,
  type NewStory,
  type Story,
  type StoryChange,
  storyKeys,
  UnitStory,
} from '@backhaul/contract/nouns/stories'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { pagingOf } from '../../database/paging.ts'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Devices, WantedChange } from '../../fleet/devices/devices.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Events } from '../../world/events.ts'
import { createFollowNewsroom, type FollowedNewsroom } from './newsroom-stories.ts'
import * as table from './story-table.ts'

/** Everything throws NotFound for an inventory, a story and a unit outside the caller's scope. */
export interface Stories {
  page(scope: Scope, inventoryId: string, query: PageQuery): Promise<Page<Story>>
  count(scope: Scope, inventoryId: string): Promise<number>
  /** The one that was assigned last, whose labels the unit has, comes first. */
  ofUnit(scope: Scope, inventoryId: string, unitId: string): Promise<Story[]>
  create(scope: Scope, inventoryId: string, story: NewStory): Promise<Story>
  change(scope: Scope, inventoryId: string, storyId: string, change: StoryChange): Promise<Story>
  remove(scope: Scope, inventoryId: string, storyId: string): Promise<void>
  assign(scope: Scope, inventoryId: string, unitId: string, storyId: string): Promise<Story[]>
  unassign(scope: Scope, inventoryId: string, unitId: string, storyId: string): Promise<Story[]>
  /** Whether uploads of the unit require metadata from users. */
  setPrompt(scope: Scope, inventoryId: string, unitId: string, isOn: boolean): Promise<void>
  /** Makes the stories of the newsroom those that it lists now; those it lists unusably are not touched. */
  followNewsroom(
    inventoryId: string,
    listed: readonly NewsroomStory[],
    skippedIds: ReadonlySet<string>,
  ): Promise<FollowedNewsroom>
  /** Makes each unit show its story. */
  start(): Promise<void>
}

/** A unit whose labels are stored but not yet sent. */
interface Relabelled {
  change: WantedChange
  story: table.StoredStory | undefined
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  inventories: Inventories
  devices: Devices
  units: Units
}

export function createStories({ db, clock, log, events, inventories, devices, units }: Needs): Stories {
  const showStory = units.provide('story')
  const showPrompt = units.provide('promptMetadata')

  /** A story is of the whole customer; its units may be in groups that the caller does not know. */
  function seenBy(scope: Scope, story: table.StoredStory): Story {
    const isKnown = (id: string) => devices.memberships.isReadable(scope, 'unit', id, story.inventoryId)
    const assignedUnits = story.assignedUnits.filter(isKnown)
    return {
      ...story,
      assignedUnits,
      assignedUnitNames: assignedUnits.map((id) => units.values(id)?.name ?? id),
    }
  }

  /** A unit that is lent to another customer has only stories of its own customer. */
  function requireUnit(scope: Scope, inventoryId: string, unitId: string): void {
    if (units.get(scope, unitId).inventoryId !== inventoryId) throw new NotFound('unit')
  }

  async function ofUnit(scope: Scope, unitId: string): Promise<Story[]> {
    return (await table.storiesOfUnit(db, unitId)).map((story) => seenBy(scope, story))
  }

  /** Sets the labels of a unit to those of its last assigned story, after `write` has run exclusively. */
  async function relabel(
    transaction: DatabaseTransaction,
    unitId: string,
    write: () => Promise<void> = async () => {},
  ): Promise<Relabelled> {
    let story: table.StoredStory | undefined
    const change = await devices.changeWanted<UnitWanted>(transaction, unitId, async (wanted) => {
      await write()
      story = (await table.storiesOfUnit(transaction, unitId))[0]
      const now = { ...units.memory(unitId)?.actual.settings, ...wanted.settings }
      const metadata = labelledBy(story, now.metadata ?? {})
      const defaultMetadata = labelledBy(story, now.defaultMetadata ?? {})
      return { ...wanted, settings: { ...wanted.settings, metadata, defaultMetadata } }
    })
    return { change, story }
  }

  function adopt(relabelled: readonly Relabelled[]): void {
    devices.adopt(relabelled.map(({ change }) => change))
    for (const { change, story } of relabelled) {
      const unitId = change.deviceId
      showStory(unitId, { story: story ? UnitStory.parse(story) : null })
      units.wantedChanged(unitId)
      units.addEvent(unitId, 'settings', unitEvent('settings.story', {}))
    }
  }

  /** Relabels units in a fixed order, so that two writers of the same units never wait for each other. */
  async function relabelAll(transaction: DatabaseTransaction, unitIds: readonly string[]) {
    const relabelled: Relabelled[] = []
    for (const unitId of unitIds.toSorted()) relabelled.push(await relabel(transaction, unitId))
    return relabelled
  }

  async function setPrompt(unitId: string, isOn: boolean): Promise<void> {
    await db.transaction().execute((transaction) => table.setPrompt(transaction, unitId, isOn))
    showPrompt(unitId, { promptMetadata: isOn })
  }

  // Its stories are kept by the customer that it left.
  events.on('deviceMoved', ({ deviceId }) => {
    if (units.values(deviceId)?.promptMetadata)
      setPrompt(deviceId, false).catch((error) =>
        log.error({ err: error, unitId: deviceId }, 'request for metadata not removed from the unit'),
      )
    if (!units.values(deviceId)?.story) return
    db.transaction()
      .execute((transaction) => relabelAll(transaction, [deviceId]))
      .then(adopt)
      .catch((error) =>
        log.error({ err: error, unitId: deviceId }, 'labels of the story not removed from the unit'),
      )
  })

  /** `write` gets the story, locked against other writers. */
  async function withStory<T>(
    inventoryId: string,
    storyId: string,
    write: (transaction: DatabaseTransaction, story: table.StoredStory) => Promise<T>,
  ): Promise<T> {
    return await db.transaction().execute(async (transaction) => {
      const story = await table.holdStory(transaction, inventoryId, storyId)
      if (!story) throw new NotFound('story')
      return await write(transaction, story)
    })
  }

  async function insert(
    inventoryId: string,
    story: NewStory,
    newsroomId: string | null,
  ): Promise<table.StoredStory> {
    const id = `st-${randomBytes(9).toString('base64url')}`
    const modifiedMs = clock.nowMs()
    const keys = { id, inventory_id: inventoryId, newsroom_id: newsroomId, modified_ms: modifiedMs }
    await table.insertStory(db, { ...story, ...keys })
    const lastModified = new Date(modifiedMs).toISOString()
    return { storyId: id, inventoryId, ...story, newsroomId, lastModified, assignedUnits: [] }
  }

  async function update(
    inventoryId: string,
    storyId: string,
    change: StoryChange,
  ): Promise<table.StoredStory> {
    const modifiedMs = clock.nowMs()
    const { story, relabelled } = await withStory(inventoryId, storyId, async (transaction, before) => {
      const lastModified = new Date(modifiedMs).toISOString()
      const story = { ...before, ...change, lastModified } as table.StoredStory
      await table.updateStory(transaction, storyId, story, modifiedMs)
      return { story, relabelled: await relabelAll(transaction, story.assignedUnits) }
    })
    adopt(relabelled)
    return story
  }

  return {
    async page(scope, inventoryId, query) {
      const { id } = await inventories.get(scope, inventoryId)
      const page = await table.storyPage(db, id, pagingOf(query, storyKeys))
      return { ...page, items: page.items.map((story) => seenBy(scope, story)) }
    },
    async count(scope, inventoryId) {
      const { id } = await inventories.get(scope, inventoryId)
      return await table.storyCount(db, id)
    },
    async ofUnit(scope, inventoryId, unitId) {
      requireUnit(scope, inventoryId, unitId)
      return await ofUnit(scope, unitId)
    },
    async create(scope, inventoryId, story) {
      await inventories.get(scope, inventoryId)
      return seenBy(scope, await insert(inventoryId, story, null))
    },
    async change(scope, inventoryId, storyId, change) {
      await inventories.get(scope, inventoryId)
      return seenBy(scope, await update(inventoryId, storyId, change))
    },
    async remove(scope, inventoryId, storyId) {
      await inventories.get(scope, inventoryId)
      adopt(
        await withStory(inventoryId, storyId, async (transaction, { assignedUnits }) => {
          await table.deleteStory(transaction, storyId)
          return await relabelAll(transaction, assignedUnits)
        }),
      )
    },
    async assign(scope, inventoryId, unitId, storyId) {
      requireUnit(scope, inventoryId, unitId)
      await inventories.get(scope, inventoryId)
      const relabelled = await withStory(inventoryId, storyId, (transaction) =>
        relabel(transaction, unitId, () => table.assign(transaction, storyId, unitId)),
      )
      adopt([relabelled])
      return await ofUnit(scope, unitId)
    },
    async unassign(scope, inventoryId, unitId, storyId) {
      requireUnit(scope, inventoryId, unitId)
      await inventories.get(scope, inventoryId)
      const relabelled = await withStory(inventoryId, storyId, (transaction) =>
        relabel(transaction, unitId, () => table.unassign(transaction, storyId, unitId)),
      )
      adopt([relabelled])
      return await ofUnit(scope, unitId)
    },
    async setPrompt(scope, inventoryId, unitId, isOn) {
      requireUnit(scope, inventoryId, unitId)
      await inventories.get(scope, inventoryId)
      await setPrompt(unitId, isOn)
    },
    followNewsroom: createFollowNewsroom({ db, insert, update, withStory }),
    async start() {
      for (const unitId of await table.promptedUnits(db)) showPrompt(unitId, { promptMetadata: true })
      for (const [unitId, story] of await table.currentStories(db)) showStory(unitId, { story })
    },
  }
}
