import { useSyncExternalStore } from 'react'
import { type LinkState, push } from '../doors/push.ts'

export function useLink(): LinkState {
  return useSyncExternalStore(push.onLink, push.link)
}
