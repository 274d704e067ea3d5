// Collects changes and saves them together, a second after the last one.
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
  let timer: ReturnType<typeof setTimeout> | undefined

  function later(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(flush, ms)
  }

  function flush(): void {
    clearTimeout(timer)
    if (Object.keys(waiting).length === 0) return
    const changes = waiting
    waiting = {}
    save(changes).then(
      () => onUnsaved(false),
      () => {
        // What the person changed meanwhile is newer and wins.
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
  }
}
