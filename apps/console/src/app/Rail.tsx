import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useSignedIn } from '../features/sign-in/sign-in.ts'
import { Mark } from '../ui/Wordmark.tsx'
import { passes } from './routes.ts'
import { screens } from './screens.tsx'

/** The menu: items whose screen exists and whose guard the person passes (GAP-NAV-07). */
export function Rail() {
  const { t } = useTranslation()
  const roles = useSignedIn()?.configuration.loggedUserRoles ?? []
  const items = screens.flatMap(({ path, menu, guard }) =>
    menu && passes(roles, guard) ? [{ path, ...menu }] : [],
  )
  return (
    <nav className="rail" aria-label={t('menu.label')}>
      <span className="rail-mark">
        <Mark size={24} />
      </span>
      {items.map(({ path, label, icon: Icon }) => (
        <Link key={path} to={path} className="rail-item" activeProps={{ 'aria-current': 'page' }}>
          <Icon size={20} />
          <span>{t(`menu.${label}`)}</span>
        </Link>
      ))}
    </nav>
  )
}
