// Recipients of the group's alerts by e-mail, and which of them have confirmed it.
import { recipients as calls } from '@backhaul/contract/api/recipients'
import {
  type EmailRecipient,
  GROUP_RECIPIENTS_AT_MOST,
  RecipientAddress,
} from '@backhaul/contract/nouns/recipients'
import { Button, CloseButton, TextInput } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, describeFault, faultWords } from '../../doors/api.ts'
import { reasonText } from '../../texts/generic.ts'
import { dateAndTime } from '../../ui/locale.ts'
import { toast } from '../../ui/toasts.tsx'
import styles from './manage-groups.module.css'

interface EmailRecipientsProps {
  /** null: a new group. */
  groupId: string | null
  /** Recipients that are not saved yet have no expiry of their link. */
  chosen: readonly EmailRecipient[]
  readOnly: boolean
  onChosen: (chosen: readonly EmailRecipient[]) => void
}

export function EmailRecipients({ groupId, chosen, readOnly, onChosen }: EmailRecipientsProps) {
  const { t } = useTranslation('groups')
  return (
    <fieldset className={styles.emailRecipients}>
      <legend>{t('manage.recipients.label')}</legend>
      <p className="quiet">{t('manage.recipients.hint')}</p>
      <ul>
        {chosen.map((recipient) => (
          <li key={recipient.email}>
            <span className="clip">{recipient.email}</span>
            <RecipientState recipient={recipient} />
            {readOnly ? null : (
              <span className={styles.recipientActs}>
                {groupId && isAsked(recipient) ? <SendAgain groupId={groupId} recipient={recipient} /> : null}
                <CloseButton
                  size="sm"
                  aria-label={t('manage.recipients.remove', { email: recipient.email })}
                  onClick={() => onChosen(chosen.filter((one) => one !== recipient))}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
      {readOnly || chosen.length >= GROUP_RECIPIENTS_AT_MOST ? null : (
        <NewRecipient
          onEmail={(email) => {
            const isThere = chosen.some((one) => one.email.toLowerCase() === email.toLowerCase())
            if (!isThere) onChosen([...chosen, { email, verified: false, linkEndsAt: null }])
          }}
        />
      )}
    </fieldset>
  )
}

const isAsked = ({ verified, linkEndsAt }: EmailRecipient) => !verified && linkEndsAt !== null

function RecipientState({ recipient: { verified, linkEndsAt } }: { recipient: EmailRecipient }) {
  const { t } = useTranslation('groups')
  if (verified)
    return (
      <span className="recipient-verified">
        <IconCheck size={14} aria-hidden /> {t('manage.recipients.verified')}
      </span>
    )
  if (linkEndsAt === null) return <span className="quiet">{t('manage.recipients.unsaved')}</span>
  const until = new Date(linkEndsAt)
  return until.getTime() < Date.now() ? (
    <span className={styles.over}>{t('manage.recipients.over')}</span>
  ) : (
    <span className="quiet">{t('manage.recipients.asked', { until: dateAndTime(until) })}</span>
  )
}

function SendAgain({ groupId, recipient: { email } }: { groupId: string; recipient: EmailRecipient }) {
  const { t } = useTranslation('groups')
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    try {
      const { isConnected } = await call(calls.sendVerification, { params: { id: groupId, email } })
      toast({
        title: t('manage.recipients.sent'),
        text: isConnected ? email : t('manage.recipients.waits'),
        tone: isConnected ? 'good' : 'warning',
      })
    } catch (error) {
      toast({ title: email, text: faultWords(describeFault(error)), tone: 'critical' })
    }
    setBusy(false)
  }
  return (
    <Button variant="subtle" size="compact-xs" loading={busy} onClick={() => void send()}>
      {t('manage.recipients.again')}
    </Button>
  )
}

function NewRecipient({ onEmail }: { onEmail: (email: string) => void }) {
  const { t } = useTranslation('groups')
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  const add = () => {
    const { success, data } = RecipientAddress.safeParse(text.trim())
    setWrong(!success)
    if (!success) return
    onEmail(data)
    setText('')
  }
  return (
    <div className={styles.newRecipient}>
      <TextInput
        type="email"
        aria-label={t('manage.recipients.new')}
        placeholder="desk@station.example"
        value={text}
        error={isWrong ? reasonText('address.email') : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // The dialog's own form is not meant.
          event.preventDefault()
          add()
        }}
      />
      <Button variant="default" disabled={text.trim() === ''} onClick={add}>
        {t('manage.recipients.add')}
      </Button>
    </div>
  )
}
