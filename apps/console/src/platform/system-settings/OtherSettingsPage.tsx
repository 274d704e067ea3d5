// The children of the system settings that are the screens of other features, below the names of all.
import type { ReactNode } from 'react'
import { CustomerServicesPage } from '../../usage/services/CustomerServicesPage.tsx'
import { AiSettingsPage } from '../ai-settings/AiSettingsPage.tsx'
import { SystemMessagesPage } from '../notifications/SystemMessagesPage.tsx'
import { SettingPages } from './SettingPages.tsx'
import type { OtherPageName } from './setting-paths.ts'

const pages = {
  ai_settings: AiSettingsPage,
  inventory_service: CustomerServicesPage,
  client_notification: SystemMessagesPage,
} as const satisfies Record<OtherPageName, () => ReactNode>

export function OtherSettingsPage({ child }: { child: OtherPageName }) {
  const Page = pages[child]
  return (
    <SettingPages shown={child}>
      <Page />
    </SettingPages>
  )
}
