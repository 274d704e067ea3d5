import { type ComponentType, lazy } from 'react'

/** A component whose module is loaded when it is first shown; `load` imports it. */
export function loaded<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await load() }))
}
