// The frame of standalone pages: the group, whether live data arrive, the signed-in user, and the page.
import { Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { callsAnswered } from '../doors/api.ts'
import { ResolutionDialog } from '../fleet/units/ResolutionDialog.tsx'
import { StopDialog } from '../fleet/units/StopDialog.tsx'
import { GroupSwitcher } from '../people/groups/GroupSwitcher.tsx'
import { ScreenIsThere } from '../ui/loaded.ts'
import { useValue } from '../ui/value.ts'
import { Mark } from '../ui/Wordmark.tsx'
import { AccountDialog } from './AccountDialog.tsx'
import { ConnectionIndicator } from './ConnectionIndicator.tsx'
import { closeDialog, shellDialog } from './dialogs.ts'
import { PageBanner } from './PageBanner.tsx'
import { UserMenu } from './UserMenu.tsx'
import { useThemeOfPerson } from './use-theme.ts'
import './minimal-layout.css'

export function MinimalLayout() {
  const { t } = useTranslation()
  const dialog = useValue(shellDialog)
  useThemeOfPerson()
  return (
    <div className="minimal-layout">
      <header className="top-bar">
        <Mark size={22} />
        <h1 className="lone-product">{t('product')}</h1>
        <GroupSwitcher />
        <span className="top-space" />
        <ConnectionIndicator />
        <UserMenu brief />
      </header>
      <div className="shell-body">
        <PageBanner />
        <main id="content" className="content" tabIndex={-1}>
          <Outlet />
          <ScreenIsThere answered={callsAnswered} />
        </main>
      </div>
      <StopDialog />
      <ResolutionDialog />
      <AccountDialog opened={dialog === 'account'} onClose={closeDialog} />
    </div>
  )
}
