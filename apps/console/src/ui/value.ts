// An observable value shared by components, outside React.
import { useSyncExternalStore } from 'react'

export interface Value<T> {
  get(): T
  set(next: T): void
  subscribe(listener: () => void): () => void
}

export function createValue<T>(initial: T): Value<T> {
  const listeners = new Set<() => void>()
  let value = initial
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useValue<T>(source: Value<T>): T {
  return useSyncExternalStore(source.subscribe, source.get)
}

/** A part of the value; the component renders again only when this part changed. */
export function useValuePart<T, P>(source: Value<T>, part: (value: T) => P): P {
  return useSyncExternalStore(source.subscribe, () => part(source.get()))
}
