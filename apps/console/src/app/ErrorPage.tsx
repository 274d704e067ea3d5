import { useTranslation } from 'react-i18next'
import { Wordmark } from '../ui/Wordmark.tsx'
import { specialPages } from './special-pages.ts'

/** Shown when the console could not load what it needs to start. */
export function ErrorPage() {
  const { t } = useTranslation()
  return (
    <main className="lone-page">
      <div>
        <Wordmark />
        <h1>{t('error.title')}</h1>
        <p>{t('error.text')}</p>
        <div className="lone-actions">
          <button
            type="button"
            className="plain-button primary"
            onClick={() => location.assign(specialPages.start)}
          >
            {t('error.retry')}
          </button>
          <button type="button" className="plain-button" onClick={() => location.assign(specialPages.login)}>
            {t('error.login')}
          </button>
        </div>
      </div>
    </main>
  )
}
