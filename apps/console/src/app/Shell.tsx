// The frame of every screen: rail, top bar, banners, content, and the dialogs that any screen may open.
import { Outlet } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { SupportAccessDialog } from '../features/access-approvals/SupportAccessDialog.tsx'
import { AiSessionDialog } from '../features/ai-sessions/AiSessionDialog.tsx'
import { LogsDialog } from '../features/device-logs/LogsDialog.tsx'
import { usePreference } from '../features/preferences/preferences.ts'
import { UnitStoriesDialog } from '../features/stories/UnitStoriesDialog.tsx'
import { MessageBanner } from '../features/system-messages/MessageBanner.tsx'
import { ConfigurationDialog } from '../features/unit-settings/ConfigurationDialog.tsx'
import { EditDialog } from '../features/units/EditDialog.tsx'
import { ResolutionDialog } from '../features/units/ResolutionDialog.tsx'
import { SpeedTestDialog } from '../features/units/SpeedTestDialog.tsx'
import { StopDialog } from '../features/units/StopDialog.tsx'
import { WhatsNewDialog } from '../features/whats-new/WhatsNewDialog.tsx'
import { CommandPalette } from '../ui/CommandPalette.tsx'
import { KeySheet } from '../ui/KeySheet.tsx'
import { characterKeys, useHotKey } from '../ui/use-hot-key.ts'
import { useValue } from '../ui/value.ts'
import { AboutDialog } from './AboutDialog.tsx'
import { AccountDialog } from './AccountDialog.tsx'
import { useCommands } from './commands.ts'
import { closeDialog, openDialog, shellDialog } from './dialogs.ts'
import { foldMenu, menuUnfolded } from './folded-menu.ts'
import { useKeyGroups } from './keys.ts'
import { PageBanner } from './PageBanner.tsx'
import { PreferencesDialog } from './PreferencesDialog.tsx'
import { Rail } from './Rail.tsx'
import { TopBar } from './TopBar.tsx'
import { useThemeOfPerson } from './use-theme.ts'

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
        <MessageBanner />
        <main id="content" className="content" tabIndex={-1}>
          <Suspense fallback={null}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <EditDialog />
      <StopDialog />
      <ResolutionDialog />
      <ConfigurationDialog />
      <SpeedTestDialog />
      <LogsDialog />
      <SupportAccessDialog />
      <UnitStoriesDialog />
      <AiSessionDialog />
      <WhatsNewDialog />
      <ShellDialogs />
    </div>
  )
}

/** Beside the unfolded menu of a narrow screen: pressed, it folds the menu. */
function MenuShade() {
  const unfolded = useValue(menuUnfolded)
  return unfolded ? (
    <button type="button" className="menu-shade" tabIndex={-1} aria-hidden onClick={foldMenu} />
  ) : null
}

function ShellDialogs() {
  const dialog = useValue(shellDialog)
  const groups = useKeyGroups()
  const commands = useCommands()
  return (
    <>
      <AccountDialog opened={dialog === 'account'} onClose={closeDialog} />
      <PreferencesDialog opened={dialog === 'preferences'} onClose={closeDialog} />
      <AboutDialog opened={dialog === 'about'} onClose={closeDialog} />
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
