import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { signedIn } from '../session/sign-ins/sign-ins.ts'
import type { english } from '../texts/en/en.ts'
import { isSwitchedOff, keysBelongElsewhere } from '../ui/use-hot-key.ts'
import { menuItemsOf } from './menu.ts'

/** The screens that a letter leads to, as far as the user may see them. */
export function goScreens(): { path: string; label: keyof typeof english.app.menu; key: string }[] {
  const roles = signedIn.get()?.configuration.loggedUserRoles ?? []
  return menuItemsOf(roles).flatMap(({ path, label, key }) => (key ? [{ path, label, key }] : []))
}

const secondKeyMs = 1200

/** g, then the letter of a screen. */
export function useGoKeys(): void {
  const navigate = useNavigate()
  const armedUntil = useRef(0)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isSwitchedOff(event.key)) return
      if (keysBelongElsewhere(event.target)) return
      const path = goScreens().find(({ key }) => key === event.key)?.path
      if (path !== undefined && Date.now() < armedUntil.current) {
        event.preventDefault()
        event.stopPropagation()
        void navigate({ href: path })
        armedUntil.current = 0
      } else armedUntil.current = event.key === 'g' ? Date.now() + secondKeyMs : 0
    }
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [navigate])
}
