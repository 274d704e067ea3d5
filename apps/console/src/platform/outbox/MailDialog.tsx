import type { Mail } from '@backhaul/contract/nouns/outbox'
import { Alert, Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogFooter } from '../../ui/DialogFooter.tsx'
import styles from './outbox.module.css'

interface MailDialogProps {
  mail: Mail
  onRetry: () => void
  onDiscard: () => void
  onClose: () => void
}

/** One e-mail as it goes out, and the answer of the mail server. */
export function MailDialog({ mail, onRetry, onDiscard, onClose }: MailDialogProps) {
  const { t } = useTranslation('outbox')
  return (
    <Dialog onClose={onClose} title={mail.subject} size={680}>
      <p className="quiet">
        {t(`kind.${mail.kind}`)} · {t('to', { recipient: mail.recipient })} · {t(`state.${mail.state}`)}
      </p>
      {mail.fault ? <Alert color="red">{mail.fault}</Alert> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard */}
      <pre className={styles.mailText} tabIndex={0}>
        {mail.text}
      </pre>
      <DialogFooter
        side={
          <Button variant="light" color="red" onClick={onDiscard}>
            {t('discard')}
          </Button>
        }
      >
        {mail.state === 'sent' ? null : <Button onClick={onRetry}>{t('retry')}</Button>}
      </DialogFooter>
    </Dialog>
  )
}
