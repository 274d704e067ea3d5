// The frame of every screen: rail, top bar, banners, content, and the dialogs that any screen may open.
import { useMantineColorScheme } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreference } from '../features/preferences/preferences.ts'
import { EditDialog } from '../features/units/EditDialog.tsx'
import { StopDialog } from '../features/units/StopDialog.tsx'
import { KeySheet } from '../ui/KeySheet.tsx'
import { useHotKey } from '../ui/use-hot-key.ts'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { useKeyGroups } from './keys.ts'
import { Rail } from './Rail.tsx'
import { TopBar } from './TopBar.tsx'

export function Shell() {
  const { t } = useTranslation()
  const [keysOpen, setKeysOpen] = useState(false)
  const groups = useKeyGroups()
  useHotKey('?', () => setKeysOpen(true))
  useThemeOfPerson()
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        {t('skipToContent')}
      </a>
      <Rail />
      <TopBar onKeys={() => setKeysOpen(true)} />
      <div className="shell-body">
        <ConnectionBanner />
        <main id="content" className="content" tabIndex={-1}>
          <Suspense fallback={null}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <EditDialog />
      <StopDialog />
      <KeySheet groups={groups} opened={keysOpen} onClose={() => setKeysOpen(false)} />
    </div>
  )
}

/** The theme belongs to the person, not to the machine. */
function useThemeOfPerson(): void {
  const theme = usePreference((all) => all.theme)
  const { setColorScheme } = useMantineColorScheme()
  useEffect(() => setColorScheme(theme), [theme, setColorScheme])
}
