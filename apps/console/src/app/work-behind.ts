// Background work of a signed-in session that begins once the first screen is there.
import { resolveCurrentInventory } from '../people/inventory-names/inventory-names.ts'
import { loadSystemMessages } from '../platform/notifications/notifications.ts'
import { loadUnseenNotes } from '../platform/whats-new/whats-new.ts'
import { signedIn } from '../session/sign-ins/sign-ins.ts'
import { startPeriodicRefresh } from './periodic-refresh.ts'
import { refreshRights } from './start-work.ts'

let stopRefresh: () => void = () => {}

/**
 * Reads what push does not send: system messages, who the user is and what they may do, and how their inventory is called
 * (PU-TIME-05). Data that cannot be read are kept until the next refresh.
 */
async function refresh(): Promise<void> {
  if (signedIn.get() === null) return stopRefresh()
  await Promise.allSettled([loadSystemMessages(), refreshRights(), resolveCurrentInventory()])
}

export function startWorkBehind(): void {
  stopRefresh()
  stopRefresh = startPeriodicRefresh(() => void refresh())
  void loadSystemMessages()
  void loadUnseenNotes()
  void resolveCurrentInventory().catch(() => {})
}
