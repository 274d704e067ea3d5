import type { TotpOffer } from '@backhaul/contract/nouns/second-factors'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import styles from './account.module.css'
import { confirmApp } from './second-factor.ts'

interface Props {
  name: string
  offer: TotpOffer
  onDone: (codes: readonly string[] | null) => void
  onCancel: () => void
}

/** The secret of a new authenticator app as a picture and as text; a first code confirms that the app has it. */
export function AppStep({ name, offer, onDone, onCancel }: Props) {
  const { t } = useTranslation('account')
  const record = useRecordForm({
    start: () => ({ code: '' }),
    save: async ({ code }) => void onDone(await confirmApp(offer.enrolment, name, code)),
  })

  return (
    <RecordForm
      record={record}
      anyRole
      okLabel={t('second.confirm')}
      done={() => undefined}
      onSaved={() => {}}
      onClose={onCancel}
    >
      <div className="form-fields">
        <p className="dialog-lead">{t('second.scan')}</p>
        <span className={styles.secondFactorQr}>
          <QrCode text={offer.uri} label={t('second.qr')} sizePx={200} />
        </span>
        <p>
          <span className="quiet">{t('second.secret')}</span>{' '}
          <code className={`mono ${styles.secondFactorSecret}`}>
            {offer.secret.replace(/(.{4})(?=.)/g, '$1 ')}
          </code>
        </p>
        <TextField
          record={record}
          name="code"
          label={t('second.code')}
          autoComplete="one-time-code"
          inputMode="numeric"
          autoFocus
        />
      </div>
    </RecordForm>
  )
}
