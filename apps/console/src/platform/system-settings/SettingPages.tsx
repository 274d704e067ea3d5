import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ChildPages } from '../../ui/ChildPages.tsx'
import { type SettingPageName, settingPageNames, settingsPath } from './setting-paths.ts'

/** A page of the system settings, below the names of all. */
export function SettingPages({ shown, children }: { shown: SettingPageName; children: ReactNode }) {
  const { t } = useTranslation('systemSettings')
  const pages = settingPageNames.map((one) => ({
    path: `${settingsPath}/${one}`,
    title: t(`children.${one}.title`),
    isShown: one === shown,
  }))
  return (
    <ChildPages label={t('children.label')} pages={pages}>
      {children}
    </ChildPages>
  )
}
