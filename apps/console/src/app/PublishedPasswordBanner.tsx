import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useSignedIn } from '../session/sign-ins/sign-ins.ts'
import { Banner } from '../ui/Banner.tsx'

/** At most this many names are listed. */
const namedAtMost = 4

/** For super users, as long as others reach this installation and know a password of it; it cannot be dismissed. */
export function PublishedPasswordBanner() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const names = useSignedIn()?.configuration.usersWithPublishedPassword ?? []
  if (names.length === 0) return null
  const named = names.slice(0, namedAtMost).join(', ')
  const rest = names.length - namedAtMost
  const list = rest > 0 ? t('publishedPassword.more', { list: named, rest }) : named
  return (
    <Banner
      tone="critical"
      title={t('publishedPassword.title')}
      action={{ label: t('publishedPassword.show'), run: () => void navigate({ href: '/manage/users' }) }}
    >
      {t('publishedPassword.text', { list, count: names.length })}
    </Banner>
  )
}
