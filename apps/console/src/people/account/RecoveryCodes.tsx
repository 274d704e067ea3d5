import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DialogFooter } from '../../ui/DialogFooter.tsx'
import styles from './account.module.css'

/** Shown this once: core keeps only what it needs to know them again. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { t } = useTranslation('account')
  return (
    <div className="form-fields">
      <h3 className={styles.secondFactorTitle}>{t('second.codes')}</h3>
      <p className="dialog-lead">{t('second.codesText')}</p>
      <ul className={`${styles.recoveryCodes} mono`} data-recovery-codes>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogFooter side={<CopyButton text={codes.join('\n')} />}>
        <Button onClick={onDone}>{t('second.kept')}</Button>
      </DialogFooter>
    </div>
  )
}
