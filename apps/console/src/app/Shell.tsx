// The frame of every screen: rail, top bar, banners, content, and the dialogs that any screen may open.
import { Outlet } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { callsAnswered } from '../doors/api.ts'
import { usePreference } from '../session/preferences/preferences.ts'
import { loadedBehind, ScreenIsThere } from '../ui/loaded.ts'
import { characterKeys, useHotKey } from '../ui/use-hot-key.ts'
import { useValue } from '../ui/value.ts'
import { closeDialog, openDialog, shellDialog } from './dialogs.ts'
import { foldMenu, menuUnfolded } from './folded-menu.ts'
import { useGoKeys } from './go-keys.ts'
import { Sidebar } from './Sidebar.tsx'
import { useThemeOfPerson } from './use-theme.ts'

const fetchBehind = async () => (await import('./behind-screen.ts')).partsBehind
const TopBar = loadedBehind(async () => (await fetchBehind()).TopBar)
const Banners = loadedBehind(async () => (await fetchBehind()).Banners)
const ShellDialogs = loadedBehind(async () => (await fetchBehind()).ShellDialogs)
const Dialogs = loadedBehind(async () => (await import('./Dialogs.tsx')).Dialogs)

export function Shell() {
  const { t } = useTranslation()
  useHotKey('?', () => openDialog('keys'))
  useGoKeys()
  usePaletteKey()
  useThemeOfPerson()
  useKeysOfPerson()
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        {t('skipToContent')}
      </a>
      <Sidebar />
      <MenuShade />
      <Suspense fallback={<header className="top-bar" />}>
        <TopBar />
      </Suspense>
      <div className="shell-body">
        <Suspense fallback={null}>
          <Banners />
        </Suspense>
        <main id="content" className="content" tabIndex={-1}>
          <Suspense fallback={null}>
            <Outlet />
            <ScreenIsThere answered={callsAnswered} />
          </Suspense>
        </main>
      </div>
      <Suspense fallback={null}>
        <ShellDialogs />
      </Suspense>
      <Suspense fallback={null}>
        <Dialogs />
      </Suspense>
    </div>
  )
}

/** Next to the unfolded menu of a narrow screen: pressed, it folds the menu. */
function MenuShade() {
  const unfolded = useValue(menuUnfolded)
  return unfolded ? (
    <button type="button" className="menu-shade" tabIndex={-1} aria-hidden onClick={foldMenu} />
  ) : null
}

/** Ctrl K works while the user types too, but never over another dialog; pressed again it closes the palette. */
function usePaletteKey(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      if (shellDialog.get() === 'palette') closeDialog()
      else if (document.querySelector('[role="dialog"][aria-modal="true"]') === null) openDialog('palette')
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** The user's preferences decide whether letters act without a modifier. */
function useKeysOfPerson(): void {
  const wanted = usePreference((all) => all.characterKeys)
  useEffect(() => characterKeys.set(wanted), [wanted])
}
