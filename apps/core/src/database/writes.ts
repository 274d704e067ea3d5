// Writes of what is in force already: one after the other, in the order of the changes.
import type { Log } from '@backhaul/runtime/log'

export interface Writes {
  /** Resolves when it is stored. One that fails is logged with these words, and the next one follows. */
  add(job: () => Promise<unknown>, failure: string, about?: Readonly<Record<string, unknown>>): Promise<void>
  /** All that were added before. */
  stored(): Promise<void>
}

export function createWrites(log: Log): Writes {
  let last: Promise<void> = Promise.resolve()
  return {
    add(job, failure, about) {
      last = last
        .then(async () => void (await job()))
        .catch((error) => log.error({ err: error, ...about }, failure))
      return last
    },
    stored: () => last,
  }
}
