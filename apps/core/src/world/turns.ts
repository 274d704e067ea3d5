// Work that has to wait for other work: all that has one key, or more than may run at the same time.

/** Runs tasks with the same key one after the other, in the order of the calls. */
export function inTurnByKey() {
  const last = new Map<string, Promise<unknown>>()
  return async <T>(key: string, run: () => Promise<T>): Promise<T> => {
    const turn = (last.get(key) ?? Promise.resolve()).then(run, run)
    last.set(key, turn)
    try {
      return await turn
    } finally {
      if (last.get(key) === turn) last.delete(key)
    }
  }
}

/** Runs at most this many at the same time, the others in the order of the calls. */
export function limitedTo(atOnce: number) {
  const waiting: (() => void)[] = []
  let free = atOnce
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await run()
    } finally {
      // The place goes to the next in line, so that no later call takes it.
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
