import { Button } from '@mantine/core'
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
          <Button onClick={() => location.assign(specialPages.start)}>{t('error.retry')}</Button>
          <Button variant="default" onClick={() => location.assign(specialPages.login)}>
            {t('error.login')}
          </Button>
        </div>
      </div>
    </main>
  )
}
