import { IconMenu2 } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useValue } from '../ui/value.ts'
import { foldMenu, menuUnfolded } from './folded-menu.ts'

/** Unfolds the main menu where the screen is too narrow for it; Escape folds it again. */
export function MenuButton() {
  const { t } = useTranslation()
  const unfolded = useValue(menuUnfolded)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!unfolded) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      foldMenu()
      button.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [unfolded])
  return (
    <button
      ref={button}
      type="button"
      className="top-icon menu-button"
      aria-label={t('menu.show')}
      aria-expanded={unfolded}
      aria-controls="main-menu"
      onClick={() => menuUnfolded.set(!unfolded)}
    >
      <IconMenu2 size={20} aria-hidden />
    </button>
  )
}
