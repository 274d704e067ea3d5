import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSignedIn } from '../features/sign-in/sign-in.ts'
import { Banner } from '../ui/Banner.tsx'
import { useValue } from '../ui/value.ts'
import { useLink } from './link.ts'
import { askAgain, missingNow, refusedGroups } from './partial-access.ts'

/** Says what cannot be had now, and asks for it again. */
export function PartialAccessBanner() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const link = useLink()
  const configuration = useSignedIn()?.configuration
  const refused = useValue(refusedGroups)
  const missing = missingNow({ link, configuration, refused })
  if (missing.length === 0) return null
  const retry = async () => {
    await askAgain(missing)
    await queries.invalidateQueries()
  }
  return (
    <Banner
      tone="warning"
      title={t('partial.title')}
      action={{ label: t('partial.retry'), run: () => void retry() }}
    >
      {t('partial.text', { list: missing.map((part) => t(`partial.missing.${part}`)).join(', ') })}
    </Banner>
  )
}
