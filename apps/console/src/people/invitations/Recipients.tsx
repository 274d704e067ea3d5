import { RECIPIENTS_AT_MOST } from '@backhaul/contract/nouns/invitations'
import { Button, CloseButton, TextInput } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreference } from '../../session/preferences/preferences.ts'
import { callingCodeOf } from './calling-codes.ts'
import styles from './invitations.module.css'
import { faultOfLine, withPasted } from './invitations.ts'

interface RecipientsProps {
  way: 'email' | 'sms'
  lines: readonly string[]
  faults: Readonly<Record<string, string>>
  onLines: (lines: readonly string[]) => void
}

/** A line for each recipient, so that what is wrong with one is shown at it. */
export function Recipients({ way, lines, faults, onLines }: RecipientsProps) {
  const { t } = useTranslation('invitations')
  const hint = useId()
  const code = callingCodeOf(usePreference((all) => all.luSmartCountry))
  const name = (at: number) => t(`recipient.${way}`, { number: at + 1 })
  return (
    <fieldset className={styles.recipientsField} aria-describedby={hint}>
      <legend>{t(`recipients.${way}`)}</legend>
      <p className="quiet" id={hint}>
        {t('recipientsHint', { most: RECIPIENTS_AT_MOST })}
        {way === 'sms' && code !== undefined ? ` ${t('callingCode', { code })}` : null}
      </p>
      <div className={styles.recipients}>
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is what is at its place, also twice the same
          <div key={at} className={styles.recipient} data-recipient>
            <TextInput
              aria-label={name(at)}
              type={way === 'email' ? 'email' : 'tel'}
              placeholder={t(`placeholder.${way}`)}
              value={line}
              error={faultOfLine(faults, lines, at) ?? (at === 0 ? faults.recipients : undefined)}
              onChange={(event) => onLines(lines.with(at, event.currentTarget.value))}
              onPaste={(event) => {
                const pasted = event.clipboardData.getData('text')
                if (!/[,;\n]/.test(pasted)) return
                event.preventDefault()
                onLines(withPasted(lines, at, pasted))
              }}
            />
            {lines.length > 1 ? (
              <CloseButton
                aria-label={t('removeRecipient', { name: name(at) })}
                onClick={() => onLines(lines.toSpliced(at, 1))}
              />
            ) : null}
          </div>
        ))}
      </div>
      <Button
        variant="subtle"
        size="compact-sm"
        disabled={lines.length >= RECIPIENTS_AT_MOST}
        onClick={() => onLines([...lines, ''])}
      >
        {t('anotherRecipient')}
      </Button>
    </fieldset>
  )
}
