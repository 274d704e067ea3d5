import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { KeyGroup } from '../ui/KeySheet.tsx'
import { keysBelongElsewhere } from '../ui/use-hot-key.ts'

/** The sheet: everything the keyboard can do here. */
export function useKeyGroups(): KeyGroup[] {
  const { t } = useTranslation()
  useGoKeys()
  return useMemo(
    () => [
      {
        title: t('keys.rows'),
        keys: [
          { keys: ['↑', '↓'], label: t('keys.move') },
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
          { keys: ['S'], label: t('keys.startStop') },
          { keys: ['F2'], label: t('keys.rename') },
          { keys: ['C'], label: t('keys.comment') },
        ],
      },
      {
        title: t('keys.everywhere'),
        keys: [
          { keys: ['/'], label: t('keys.search') },
          { keys: ['I'], label: t('keys.inspector') },
          { keys: ['G', 'U'], label: t('keys.goUnits') },
          { keys: ['G', 'M'], label: t('keys.goMultiview') },
          { keys: ['?'], label: t('keys.sheet') },
          { keys: ['Esc'], label: t('keys.close') },
        ],
      },
    ],
    [t],
  )
}

const goPaths: Readonly<Record<string, string>> = { u: '/unit/list', m: '/unit/multiview' }
const secondKeyMs = 1200

/** g, then the letter of a screen. */
function useGoKeys(): void {
  const navigate = useNavigate()
  const armedUntil = useRef(0)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || keysBelongElsewhere(event.target)) return
      const path = goPaths[event.key]
      if (path !== undefined && Date.now() < armedUntil.current) {
        event.preventDefault()
        event.stopPropagation()
        void navigate({ href: path })
      }
      armedUntil.current = event.key === 'g' ? Date.now() + secondKeyMs : 0
    }
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [navigate])
}
