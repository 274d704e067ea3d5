import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { homePath } from './routes.ts'

/** A screen that was opened by an explicit link although the role for it is missing. */
export function Forbidden() {
  const { t } = useTranslation()
  return (
    <div className="forbidden">
      <p>{t('forbidden')}</p>
      <Link to={homePath} className="plain-button">
        {t('toUnitList')}
      </Link>
    </div>
  )
}
