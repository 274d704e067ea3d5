import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { unitKeys } from '../fleet/units/units.ts'
import { signedIn } from '../session/sign-ins/sign-ins.ts'
import type { english } from '../texts/en/en.ts'
import type { KeyGroup } from '../ui/KeySheet.tsx'
import { printed } from '../ui/key-words.ts'
import { characterKeys, isSwitchedOff, keysBelongElsewhere } from '../ui/use-hot-key.ts'
import { useValue } from '../ui/value.ts'
import { menuItemsOf } from './menu.ts'

/** The sheet: everything the keyboard can do here. */
export function useKeyGroups(): KeyGroup[] {
  const { t } = useTranslation()
  useGoKeys()
  const allAct = useValue(characterKeys)
  return useMemo(() => {
    const groups: KeyGroup[] = [
      {
        title: t('keys.rows'),
        keys: [
          { keys: ['↑', '↓'], label: t('keys.move') },
          { keys: ['J', 'K'], label: t('keys.moveByLetter') },
          { keys: ['PgUp', 'PgDn'], label: t('keys.page') },
          { keys: ['Home', 'End'], label: t('keys.ends') },
          { keys: ['Space'], label: t('keys.select') },
          { keys: ['Enter'], label: t('keys.open') },
          { keys: ['→', '←'], label: t('keys.expand') },
          { keys: ['Shift', 'F10'], label: t('keys.menu') },
        ],
      },
      {
        title: t('keys.act'),
        keys: [
          { keys: [printed(unitKeys.startStop)], label: t('keys.startStop') },
          { keys: [printed(unitKeys.channel)], label: t('keys.channel') },
          { keys: [printed(unitKeys.delay)], label: t('keys.delay') },
          { keys: [printed(unitKeys.rename)], label: t('keys.rename') },
          { keys: [printed(unitKeys.comment)], label: t('keys.comment') },
        ],
      },
      {
        title: t('keys.go'),
        keys: goScreens().map(({ key, label }) => ({
          keys: ['G', key.toUpperCase()],
          label: t(`menu.${label}`),
        })),
      },
      {
        title: t('keys.everywhere'),
        keys: [
          { keys: ['Ctrl', 'K'], label: t('keys.palette') },
          { keys: ['/'], label: t('keys.search') },
          { keys: ['↓', 'Enter'], label: t('keys.fromSearch') },
          { keys: ['I'], label: t('keys.inspector') },
          { keys: ['?'], label: t('keys.sheet') },
          { keys: ['Esc'], label: t('keys.close') },
        ],
      },
    ]
    return allAct ? groups : groups.map(withoutSwitchedOff).filter(({ keys }) => keys.length > 0)
  }, [t, allAct])
}

const arrows = new Set(['↑', '↓', '→', '←'])

const withoutSwitchedOff = ({ title, keys }: KeyGroup): KeyGroup => ({
  title,
  keys: keys.filter(({ keys: [first = ''] }) => !isSwitchedOff(first) || arrows.has(first)),
})

/** The screens that a letter leads to, as far as the person may see them. */
function goScreens(): { path: string; label: keyof typeof english.app.menu; key: string }[] {
  const roles = signedIn.get()?.configuration.loggedUserRoles ?? []
  return menuItemsOf(roles).flatMap(({ path, label, key }) => (key ? [{ path, label, key }] : []))
}

const secondKeyMs = 1200

/** g, then the letter of a screen. */
function useGoKeys(): void {
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
