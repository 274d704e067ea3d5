import { Link, useLocation, useMatches } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isClosedTo, useGroups } from '../people/groups/groups.ts'
import { useSignedIn } from '../session/sign-ins/sign-ins.ts'
import { useValue } from '../ui/value.ts'
import { Mark } from '../ui/Wordmark.tsx'
import { foldMenu, menuUnfolded } from './folded-menu.ts'
import { itemOfPage, menuOf } from './menu.ts'

/** The menu: items whose screen exists and whose guard the user passes, by area; an empty area is not there (GAP-NAV-07). */
export function Sidebar() {
  const { t } = useTranslation()
  const roles = useSignedIn()?.configuration.loggedUserRoles ?? []
  const groups = useGroups()
  const menu = menuOf(roles, { isClosed: (feature) => isClosedTo(groups, feature) })
  const { pathname } = useLocation()
  const route = useMatches({ select: (matches): string | undefined => matches.at(-1)?.fullPath })
  const unfolded = useValue(menuUnfolded)
  const current = itemOfPage(
    { pathname, route },
    menu.flatMap(({ items }) => items),
  )
  return (
    <nav id="main-menu" className="rail" aria-label={t('menu.label')} data-unfolded={unfolded || undefined}>
      <span className="rail-mark">
        <Mark size={24} />
      </span>
      <div className="rail-areas">
        {menu.map(({ area, items }) => (
          <fieldset key={area} className="rail-area" data-area={area}>
            <legend className="rail-heading">{t(`area.${area}`)}</legend>
            {items.map(({ path, label, icon: Icon }) => (
              <Link
                key={path}
                to={path}
                className="rail-item"
                onClick={foldMenu}
                activeOptions={{ exact: true }}
                aria-current={path === current?.path ? 'page' : undefined}
              >
                <Icon size={20} />
                <span>{t(`menu.${label}`)}</span>
              </Link>
            ))}
          </fieldset>
        ))}
      </div>
    </nav>
  )
}
