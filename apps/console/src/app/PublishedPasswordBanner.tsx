import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useSignedIn } from '../session/sign-ins/sign-ins.ts'
import { Banner } from '../ui/Banner.tsx'

/** The banner keeps to one line. */
const namedAtMost = 4

/** For super users, as long as others reach this installation and know a password of it; it cannot be put away. */
export function PublishedPasswordBanner() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const names = useSignedIn()?.configuration.usersWithPublishedPassword ?? []
  if (names.length === 0) return null
  const named = names.slice(0, namedAtMost).join(', ')
  const more = names.length - namedAtMost
  return (
    <Banner
      tone="critical"
      title={t('publishedPassword.title')}
      action={{ label: t('publishedPassword.show'), run: () => void navigate({ href: '/manage/users' }) }}
    >
      {t('publishedPassword.text', { list: more > 0 ? `${named} +${more}` : named })}
    </Banner>
  )
}
