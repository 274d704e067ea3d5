import { useTranslation } from 'react-i18next'
import { Banner } from '../../ui/Banner.tsx'
import { expiryWords } from './MessageBell.tsx'
import { markRead, useUnread } from './notifications.ts'

/** More would take the room from the work; the rest is in the top bar. */
const shownAtMost = 2

/** Unread system messages under the top bar, until the user dismisses them. */
export function MessageBanner() {
  const { t } = useTranslation('systemMessages')
  const unread = useUnread()
  return unread.slice(0, shownAtMost).map((message) => {
    const words = expiryWords(message)
    return (
      <Banner
        key={message.id}
        tone="warning"
        title={words === undefined ? t('one') : `${t('one')}, ${t(words)}`}
        action={{ label: t('dismiss'), run: () => markRead([message]) }}
      >
        {message.body}
      </Banner>
    )
  })
}
