// The live state of all objects, by topic: kept in memory, changed by the features, handed to the push door in ticks.
import { randomBytes } from 'node:crypto'
import { mayDo } from '@backhaul/contract/define/actions'
import type { Topic } from '@backhaul/contract/define/topic'
import { revisionToken } from '@backhaul/contract/define/topic'
import { parseTopic, topicName } from '@backhaul/contract/push/push'
import { userTopic } from '@backhaul/contract/push/users'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { PushReaderRights, PushSource, PushTopic } from '../../doors/push/push-topic.ts'
import type { Events } from '../../world/events.ts'
import { type FieldTable, fieldTable, LiveObject } from './live-object.ts'

export type { LiveObject } from './live-object.ts'

export interface Live extends PushSource {
  /**
   * Adds an object under its topic; `readableBy` decides whose subscriptions are accepted, `renew` sets the fields that
   * were left stale.
   */
  add<T extends object>(
    topic: Topic,
    uid: string,
    initial: T,
    readableBy: PushTopic['readableBy'],
    renew?: (uid: string) => void,
  ): LiveObject<T>
  /** Objects of this noun are added when they are first requested: `addOne` does so where there can be one of that uid. */
  addOnRequest(topic: Topic, addOne: (uid: string) => void): void
  remove(topic: Topic, uid: string): void
  /** The token from which a reader of REST may subscribe without a gap. */
  revisionOf(object: { seq: number }): string
  /** Passes on what changed each `collectMs`, also when nothing did: readers that lag catch up then. */
  start(deliver: (changed: readonly PushTopic[]) => void, collectMs: () => number): void
  stop(): void
}

/** Answers what shows the values of these fields on an object; one that is not there any more is left alone. */
export type Provide<T> = <Field extends keyof T & string>(
  ...fields: readonly Field[]
) => (id: string, values: Pick<T, Field>) => void

/** Later features declare the fields that they alone provide on the objects of a noun. Throws where a field has two. */
export function fieldProviders<T extends object>(
  noun: string,
  set: (id: string, values: Partial<T>) => void,
): Provide<T> {
  const provided = new Set<string>()
  return (...fields) => {
    const twice = fields.find((field) => provided.has(field))
    if (twice !== undefined) throw new Error(`Two features provide the field ${twice} of ${noun}`)
    for (const field of fields) provided.add(field)
    return (id, values) => set(id, values as Partial<T>)
  }
}

export function createLive({ clock, events }: { clock: Clock; events: Events }): Live {
  const epoch = randomBytes(6).toString('base64url').replaceAll(':', '')
  const objects = new Map<string, LiveObject<object>>()
  const tables = new Map<string, FieldTable>()
  /** Called when an object of the noun is requested, by noun. */
  const onRequest = new Map<string, (uid: string) => void>()
  let changed: LiveObject<object>[] = []
  let timer: Timer | undefined
  // One function for all objects: a fleet has tens of thousands.
  const nowMs = () => clock.nowMs()
  const onChange = (one: LiveObject<object>) => void changed.push(one)

  function tableOf(topic: Topic): FieldTable {
    const table = tables.get(topic.noun) ?? fieldTable(topic)
    tables.set(topic.noun, table)
    return table
  }

  function add<T extends object>(
    topic: Topic,
    uid: string,
    initial: T,
    readableBy: PushTopic['readableBy'],
    renew?: (uid: string) => void,
  ) {
    const name = topicName(topic, uid)
    const object = new LiveObject<T>({
      topic: name,
      uid,
      table: tableOf(topic),
      initial,
      nowMs,
      onChange,
      readableBy,
      ...(renew && { renew }),
    })
    objects.set(name, object as unknown as LiveObject<object>)
    return object
  }

  /** A user's own topic exists as soon as they request it. */
  function personal(name: string, reader: PushReaderRights): PushTopic | undefined {
    if (name !== topicName(userTopic, reader.userId)) return undefined
    const mayRead = ({ userId }: PushReaderRights) => userId === reader.userId
    return add<{ rightsChangedAt: number | null }>(
      userTopic,
      reader.userId,
      { rightsChangedAt: null },
      mayRead,
    )
  }

  function requested(name: string): PushTopic | undefined {
    const parsed = parseTopic(name)
    if (parsed) onRequest.get(parsed.topic.noun)?.(parsed.uid)
    return objects.get(name)
  }

  function noteRights({ userId }: { userId: string }): void {
    const own = objects.get(topicName(userTopic, userId)) as
      | LiveObject<{ rightsChangedAt: number | null }>
      | undefined
    own?.set({ rightsChangedAt: clock.nowMs() })
  }
  events.on('userScopeChanged', noteRights)
  events.on('userPermissionsChanged', noteRights)

  function tick(deliver: (changed: readonly PushTopic[]) => void): void {
    const batch = changed
    changed = []
    for (const object of batch) object.delivered()
    deliver(batch)
  }

  return {
    epoch,
    add,
    addOnRequest: ({ noun }, addOne) => void onRequest.set(noun, addOne),
    remove: (topic, uid) => void objects.delete(topicName(topic, uid)),
    find(name, reader) {
      const topic = objects.get(name) ?? personal(name, reader) ?? requested(name)
      const permission = parseTopic(name)?.topic.permission
      const isAllowed = permission === 'signedIn' || (permission && mayDo(reader.roles, permission))
      return isAllowed && topic?.readableBy(reader) ? topic : undefined
    },
    revisionOf: ({ seq }) => revisionToken(epoch, seq),
    start(deliver, collectMs) {
      const collect = () => {
        timer = clock.setTimeout(() => {
          collect()
          tick(deliver)
        }, collectMs())
      }
      collect()
    },
    stop: () => clock.clearTimeout(timer),
  }
}
