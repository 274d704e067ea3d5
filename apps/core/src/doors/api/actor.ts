// The user whose call is being handled, available to the audit log without an argument.
import { AsyncLocalStorage } from 'node:async_hooks'

const storage = new AsyncLocalStorage<string>()

export const asActor = <T>(username: string | undefined, run: () => T): T =>
  username === undefined ? run() : storage.run(username, run)

/** User name; undefined for what core does by itself. */
export const actorNow = (): string | undefined => storage.getStore()
