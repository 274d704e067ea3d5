import { useEffect, useRef } from 'react'
import { createValue } from './value.ts'

/** True if keys of a single character act; a user may switch them off. */
export const characterKeys = createValue(true)

export const isSwitchedOff = (key: string): boolean => key.length === 1 && key !== ' ' && !characterKeys.get()

/** True while keys belong to a field, a dialog or an open menu. */
export function keysBelongElsewhere(target: EventTarget | null): boolean {
  const element = target instanceof HTMLElement ? target : null
  if (element?.closest('input, textarea, select, [contenteditable="true"]')) return true
  return document.querySelector('[role="dialog"][aria-modal="true"], [role="menu"]') !== null
}

/** A single key of the page; silent while the user types. */
export function useHotKey(key: string, run: () => void): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || isSwitchedOff(key)) return
      if (event.defaultPrevented || keysBelongElsewhere(event.target)) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [key])
}
