import { PasswordInput, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import styles from './secret-field.module.css'

interface SecretFieldProps {
  record: {
    values: Readonly<{ secret: string }>
    set: (changes: { secret: string }) => void
    faults: Readonly<Record<string, string>>
  }
  label: string
  /** Core has one, and never shows it. */
  isKept: boolean
  /** Hint where core has no secret. */
  hint?: string
  /** Several lines, as a private key. */
  isLong?: boolean
}

/** The secret of a record: an empty field keeps the stored one. */
export function SecretField({ record, label, isKept, hint, isLong = false }: SecretFieldProps) {
  const { t } = useTranslation('ui')
  const input = {
    label,
    description: isKept ? t('secretKept') : hint,
    value: record.values.secret,
    error: record.faults.secret,
    autoComplete: 'new-password',
    onChange: (event: { currentTarget: { value: string } }) =>
      record.set({ secret: event.currentTarget.value }),
  }
  if (!isLong) return <PasswordInput {...input} />
  return <Textarea {...input} classNames={{ input: styles.secret }} minRows={2} maxRows={6} autosize />
}
