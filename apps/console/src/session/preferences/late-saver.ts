// Collects changes and saves them together, a second after the last one; one save follows the other.
import type { UserPreferences } from '@backhaul/contract/nouns/preferences'

type Changes = Partial<UserPreferences>

const lateMs = 1000
/** After a failed save the changes wait for this long, or for the next change. */
const againMs = 15_000

export function createLateSaver(
  save: (changes: Changes) => Promise<unknown>,
  onUnsaved: (unsaved: boolean) => void = () => {},
) {
  let waiting: Changes = {}
  /** On their way to core. */
  let sent: Changes | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function later(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(flush, ms)
  }

  /** Two saves on their way could arrive in the other order, and the older would remain. */
  function flush(): void {
    if (!sent) send()
  }

  function send(): void {
    clearTimeout(timer)
    if (Object.keys(waiting).length === 0) return
    const changes = waiting
    waiting = {}
    sent = { ...sent, ...changes }
    save(changes).then(
      () => {
        sent = undefined
        onUnsaved(false)
        flush()
      },
      () => {
        sent = undefined
        // Changes that the user made meanwhile are newer and win.
        waiting = { ...changes, ...waiting }
        later(againMs)
        onUnsaved(true)
      },
    )
  }

  return {
    add(changes: Changes): void {
      waiting = { ...waiting, ...changes }
      later(lateMs)
    },
    flush,
    /** The page goes away: nothing is waited for. Answers the changes that core has not confirmed. */
    leave(): Changes {
      send()
      return sent ?? {}
    },
  }
}
