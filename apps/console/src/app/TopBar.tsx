import { type Alert, isOfServer } from '@backhaul/contract/nouns/alerts'
import { Kbd } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AudioConnectStatus } from '../equipment/audio-rooms/AudioConnectStatus.tsx'
import { AlertBell } from '../fleet/alerts/AlertBell.tsx'
import { selectUnit } from '../fleet/units/units.ts'
import { GroupSwitcher } from '../people/groups/GroupSwitcher.tsx'
import { CurrentInventory } from '../people/inventory-names/CurrentInventory.tsx'
import { MessageBell } from '../platform/notifications/MessageBell.tsx'
import { ChatLink } from './ChatLink.tsx'
import { ConnectionIndicator } from './ConnectionIndicator.tsx'
import { openDialog } from './dialogs.ts'
import { FleetCounters } from './FleetCounters.tsx'
import { MenuButton } from './MenuButton.tsx'
import { homePath } from './routes.ts'
import { StationClock } from './StationClock.tsx'
import { screens } from './screens.ts'
import { UserMenu } from './UserMenu.tsx'

export function TopBar() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const screen = screens.find((candidate) => candidate.path === pathname)
  const label = screen?.menu?.label ?? screen?.under
  const isServer = pathname.startsWith('/unit/server/')
  const toDevice = ({ type, uid }: Alert) => {
    if (isOfServer(type)) return void navigate({ to: '/unit/server/$uid', params: { uid } })
    selectUnit(uid)
    void navigate({ href: homePath })
  }
  return (
    <header className="top-bar">
      <MenuButton />
      <h1>
        {label
          ? t(pathname === homePath ? 'menu.unitList' : `menu.${label}`)
          : t(isServer ? 'server' : 'unit')}
      </h1>
      <CurrentInventory />
      <GroupSwitcher onSearch={() => openDialog('palette')} />
      <FleetCounters />
      <button
        type="button"
        className="palette-button"
        aria-keyshortcuts="Control+K"
        onClick={() => openDialog('palette')}
      >
        <IconSearch size={15} aria-hidden />
        <span className="palette-word">{t('palette.button')}</span>
        <Kbd size="xs" aria-hidden>
          Ctrl K
        </Kbd>
      </button>
      <AudioConnectStatus />
      <ChatLink />
      <ConnectionIndicator />
      <StationClock />
      <MessageBell />
      <AlertBell onDevice={toDevice} />
      <UserMenu />
    </header>
  )
}
