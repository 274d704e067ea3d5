// The live state of one object: its fields, the revision of each, and the text that brings a reader up to date.
import type { Topic } from '@backhaul/contract/define/topic'
import { kindsByField } from '@backhaul/contract/push/push'
import type { PushTopic } from '../../doors/push/push-topic.ts'
import { keptOnce, same } from '../../world/same.ts'

/** The fields of a topic and the message kind of each; one per noun, shared by all its objects. */
export interface FieldTable {
  readonly fields: readonly string[]
  readonly kindOf: readonly number[]
  readonly kinds: readonly string[]
  readonly indexOf: ReadonlyMap<string, number>
  /** The last values of a field that are lists or records. */
  readonly lately: Map<string, readonly object[]>
}

export function fieldTable(topic: Topic): FieldTable {
  const kinds = Object.keys(topic.kinds)
  const entries = [...kindsByField(topic)]
  return {
    fields: entries.map(([field]) => field),
    kindOf: entries.map(([, kind]) => kinds.indexOf(kind)),
    kinds,
    indexOf: new Map(entries.map(([field], index) => [field, index])),
    lately: new Map(),
  }
}

/** Objects of a noun mostly have the same lists and records, such as empty ones: those of a fleet are kept once. */
const shared = <T>({ lately }: FieldTable, field: string, value: T): T => keptOnce(lately, field, value)

interface LiveObjectOptions<T> {
  topic: string
  uid: string
  table: FieldTable
  initial: T
  nowMs: () => number
  /** Called at the first change since the last delivery. */
  onChange: (object: LiveObject<object>) => void
  readableBy: PushTopic['readableBy']
  /** Sets the fields that were left stale, when the object is read. */
  renew?: (uid: string) => void
}

/** Texts kept for the present revision: one for readers that are up to date, a few for those that lag. */
const keptTexts = 8

/**
 * Fields are only ever changed through `set`, so that each keeps the revision of its last real change.
 * A reader that holds revision n is brought up to date by the fields whose revision is greater than n, however old n is.
 */
export class LiveObject<T extends object> implements PushTopic {
  readonly topic: string
  readonly uid: string
  readonly readableBy: PushTopic['readableBy']
  readonly #values: T
  readonly #table: FieldTable
  readonly #revisions: Uint32Array
  readonly #nowMs: () => number
  readonly #onChange: (object: LiveObject<object>) => void
  readonly #renew: ((uid: string) => void) | undefined
  /** Made with the first reader: most objects have none. */
  #texts: Map<number, string> | undefined
  #seq = 1
  #isDirty = false
  #isStale = false

  constructor({ topic, uid, table, initial, nowMs, onChange, readableBy, renew }: LiveObjectOptions<T>) {
    this.topic = topic
    this.uid = uid
    this.readableBy = readableBy
    this.#values = { ...initial }
    for (const field in initial) this.#values[field] = shared(table, field, initial[field])
    this.#table = table
    this.#revisions = new Uint32Array(table.fields.length).fill(1)
    this.#nowMs = nowMs
    this.#onChange = onChange
    this.#renew = renew
  }

  get seq(): number {
    this.#bringUpToDate()
    return this.#seq
  }

  /** The present values; never changed by the reader. */
  get values(): Readonly<T> {
    this.#bringUpToDate()
    return this.#values
  }

  /** The same, of which those fields may be old that are renewed when they are read. */
  get kept(): Readonly<T> {
    return this.#values
  }

  /** The sources of some fields have changed: these are renewed the next time the object is read. */
  leaveStale(): void {
    this.#isStale = true
    this.#note()
  }

  #bringUpToDate(): void {
    if (!this.#isStale) return
    this.#isStale = false
    const wasDirty = this.#isDirty
    // Followers have been notified of the change.
    this.#isDirty = true
    this.#renew?.(this.uid)
    this.#isDirty = wasDirty
  }

  /** Sets the fields whose value differs; answers whether any did. */
  set(patch: Partial<T>): boolean {
    let next = 0
    for (const field in patch) {
      const value = patch[field]
      if (value === undefined || same(value, this.#values[field])) continue
      this.#values[field] = shared(this.#table, field, value as T[typeof field])
      next ||= this.#seq + 1
      const index = this.#table.indexOf.get(field)
      if (index !== undefined) this.#revisions[index] = next
    }
    if (next === 0) return false
    this.#seq = next
    this.#texts = undefined
    this.#note()
    return true
  }

  #note(): void {
    if (this.#isDirty) return
    this.#isDirty = true
    this.#onChange(this as unknown as LiveObject<object>)
  }

  /** The change has been handed to the readers. */
  delivered(): void {
    this.#isDirty = false
  }

  /** The messages, without brackets, that bring a reader from revision `from` (0: nothing yet) to the present one. */
  messagesSince(from: number): string {
    if (from >= this.seq) return ''
    this.#texts ??= new Map()
    let text = this.#texts.get(from)
    if (text === undefined) {
      if (this.#texts.size >= keptTexts) this.#texts.clear()
      text = this.#write(from)
      this.#texts.set(from, text)
    }
    return text
  }

  #write(from: number): string {
    const data: (Record<string, unknown> | undefined)[] = []
    const { fields, kindOf, kinds } = this.#table
    const values = this.#values as Readonly<Record<string, unknown>>
    for (let i = 0; i < fields.length; i++) {
      if ((this.#revisions[i] ?? 0) <= from) continue
      const kind = kindOf[i] as number
      data[kind] ??= {}
      data[kind][fields[i] as string] = values[fields[i] as string]
    }
    const [ts, seq] = [this.#nowMs(), this.#seq]
    return data
      .map((fieldsOfKind, kind) =>
        JSON.stringify({
          topic: this.topic,
          kind: kinds[kind],
          uid: this.uid,
          ts,
          from,
          seq,
          data: fieldsOfKind,
        }),
      )
      .filter((message) => message !== undefined)
      .join(',')
  }
}
