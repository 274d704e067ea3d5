// The time that each file of a folder has been unchanged, counted only while this program runs. The count survives a restart,
// and a step of the clock does not change it.
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@backhaul/runtime/clock'

interface Waited {
  /** Size and time of the last change, compared only for equality. */
  readonly state: string
  readonly ms: number
}

type List = Readonly<Record<string, Waited>>

const listName = 'waited.json'

/** Empty where the list is missing or broken: the count then starts again. */
const readList = (path: string): Promise<List> =>
  readFile(path, 'utf8')
    .then((text) => JSON.parse(text) as List)
    .catch(() => ({}))

export interface WaitedTimes {
  /** Ms by name, as of now; 0 for files that are new or have changed since the last call. */
  count(): Promise<ReadonlyMap<string, number>>
}

export function createWaitedTimes(folder: string, clock: Clock): WaitedTimes {
  const list = join(folder, listName)
  let countedMs = clock.monotonicMs()

  async function stateOf(name: string): Promise<string | undefined> {
    return stat(join(folder, name)).then(
      ({ size, mtimeMs }) => `${size} ${mtimeMs}`,
      () => undefined,
    )
  }

  return {
    async count() {
      const nowMs = clock.monotonicMs()
      const sinceMs = nowMs - countedMs
      const before = await readList(list)
      const names = await readdir(folder).catch(() => [])
      const counted: Record<string, Waited> = {}
      for (const name of names.filter((one) => !one.startsWith(listName))) {
        const state = await stateOf(name)
        if (state === undefined) continue
        const known = before[name]
        counted[name] = { state, ms: known?.state === state ? known.ms + sinceMs : 0 }
      }
      if (names.length > 0) {
        await writeFile(`${list}.new`, JSON.stringify(counted))
        await rename(`${list}.new`, list)
      }
      countedMs = nowMs
      return new Map(Object.entries(counted).map(([name, { ms }]) => [name, ms]))
    },
  }
}
