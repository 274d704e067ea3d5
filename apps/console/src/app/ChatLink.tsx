import { IconMessageCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { preferences } from '../session/preferences/preferences.ts'
import { useSignedIn } from '../session/sign-ins/sign-ins.ts'
import { useValue } from '../ui/value.ts'

/** The page of the operator's chat, where there is one and the user has not hidden it (GAP-SCR-15). */
export function ChatLink() {
  const { t } = useTranslation()
  const chat = useSignedIn()?.configuration.chatConfiguration
  const { zendeskChatHidden } = useValue(preferences)
  if (!chat || zendeskChatHidden) return null
  return (
    <a
      className="top-icon"
      href={chat.url}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={t('chat')}
      data-tip={t('chat')}
    >
      <IconMessageCircle size={18} aria-hidden />
    </a>
  )
}
