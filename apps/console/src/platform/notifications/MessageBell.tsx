import type { ClientNotification } from '@backhaul/contract/nouns/notifications'
import { Popover } from '@mantine/core'
import { IconSpeakerphone } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { dateAndTime } from '../../ui/locale.ts'
import { useValue } from '../../ui/value.ts'
import styles from './notifications.module.css'
import { markRead, systemMessages, useUnread } from './notifications.ts'

/** In the top bar: the number of unread system messages, and all that count now. Opening the list marks them as read. */
export function MessageBell() {
  const { t } = useTranslation('systemMessages')
  const messages = useValue(systemMessages)
  const unread = useUnread()
  if (messages.length === 0) return null
  return (
    <Popover position="bottom-end" width={400} shadow="md" trapFocus onOpen={() => markRead(messages)}>
      <Popover.Target>
        <button
          type="button"
          className="top-icon"
          aria-label={t('unread', { count: unread.length })}
          data-tip={t('unread', { count: unread.length })}
        >
          <IconSpeakerphone size={18} />
          {unread.length > 0 ? <b>{unread.length > 99 ? '99+' : unread.length}</b> : null}
        </button>
      </Popover.Target>
      <Popover.Dropdown className={styles.messagePopover}>
        <h2 tabIndex={-1} data-autofocus>
          {t('list.title')}
        </h2>
        <ul className={styles.messageList} data-system-messages>
          {messages.map((message) => (
            <li key={message.id}>
              <p>{message.body}</p>
              <span className="quiet">
                {t('until', { time: dateAndTime(Date.parse(message.expiration)) })}
              </span>
              <ExpiryMark message={message} />
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}

/** EN-CNOT-05 and -06: nothing while more than a day is left. */
function ExpiryMark({ message }: { message: ClientNotification }) {
  const { t } = useTranslation('systemMessages')
  const words = expiryWords(message)
  return words === undefined ? null : (
    <span className={styles.messageMark} data-soon={message.expiresWithin2Hours || undefined}>
      {t(words)}
    </span>
  )
}

export function expiryWords(message: ClientNotification): 'within2Hours' | 'within24Hours' | undefined {
  if (message.expiresWithin2Hours) return 'within2Hours'
  return message.expiresWithin24Hours ? 'within24Hours' : undefined
}
