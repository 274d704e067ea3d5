/** Calls with the same key in one turn of the event loop share one lookup, which begins after all of them. */
export function sharedLookup<T>(find: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const waiting = new Map<string, Promise<T>>()
  return (key) => {
    const shared = waiting.get(key)
    if (shared) return shared
    const fresh = new Promise<T>((resolve) =>
      setImmediate(() => {
        waiting.delete(key)
        resolve(find(key))
      }),
    )
    waiting.set(key, fresh)
    return fresh
  }
}
