// The frame of every screen: rail, top bar, banners, content, and the dialogs that any screen may open.
import { Outlet } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MessageBanner } from '../platform/notifications/MessageBanner.tsx'
import { usePreference } from '../session/preferences/preferences.ts'
import { CommandPalette } from '../ui/CommandPalette.tsx'
import { KeySheet } from '../ui/KeySheet.tsx'
import { loaded } from '../ui/loaded.ts'
import { characterKeys, useHotKey } from '../ui/use-hot-key.ts'
import { useValue } from '../ui/value.ts'
import { useCommands } from './commands.ts'
import { closeDialog, openDialog, shellDialog } from './dialogs.ts'
import { foldMenu, menuUnfolded } from './folded-menu.ts'
import { useKeyGroups } from './keys.ts'
import { PageBanner } from './PageBanner.tsx'
import { PublishedPasswordBanner } from './PublishedPasswordBanner.tsx'
import { Rail } from './Rail.tsx'
import { TopBar } from './TopBar.tsx'
import { useThemeOfPerson } from './use-theme.ts'

/** The first screen has the connection for itself so long. */
const calmMs = 300

export function Shell() {
  const { t } = useTranslation()
  useHotKey('?', () => openDialog('keys'))
  usePaletteKey()
  useThemeOfPerson()
  useKeysOfPerson()
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        {t('skipToContent')}
      </a>
      <Rail />
      <MenuShade />
      <TopBar />
      <div className="shell-body">
        <PageBanner />
        <PublishedPasswordBanner />
        <MessageBanner />
        <main id="content" className="content" tabIndex={-1}>
          <Suspense fallback={null}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <LateDialogs />
      <ShellDialogs />
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

const Dialogs = loaded(async () => (await import('./Dialogs.tsx')).Dialogs)

/** Loaded once the screen is there; one that is requested before opens as soon as it can. */
function LateDialogs() {
  const [isTime, setIsTime] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsTime(true), calmMs)
    return () => clearTimeout(timer)
  }, [])
  return isTime ? (
    <Suspense fallback={null}>
      <Dialogs />
    </Suspense>
  ) : null
}

function ShellDialogs() {
  const dialog = useValue(shellDialog)
  const groups = useKeyGroups()
  const commands = useCommands()
  return (
    <>
      <KeySheet groups={groups} opened={dialog === 'keys'} onClose={closeDialog} />
      <CommandPalette commands={commands} opened={dialog === 'palette'} onClose={closeDialog} />
    </>
  )
}

/** Ctrl K works while someone types too, but never over another dialog; pressed again it closes the palette. */
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

/** Whether letters act without a modifier belongs to the person too. */
function useKeysOfPerson(): void {
  const wanted = usePreference((all) => all.characterKeys)
  useEffect(() => characterKeys.set(wanted), [wanted])
}
