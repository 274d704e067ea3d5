// The card of every page before the console: mark, heading, fields, fault, submit button and language. Its fields are not
// a record form, whose libraries are larger than the whole page of the sign-in.
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describeFault, type Fault, faultWords } from '../../doors/api.ts'
import { languageNow } from '../../texts/texts.ts'
import { Form } from '../../ui/Form.tsx'
import { LanguageChoice } from '../../ui/LanguageChoice.tsx'
import { chooseLanguage } from '../../ui/language.ts'
import { Wordmark } from '../../ui/Wordmark.tsx'
import '../../ui/kit-styles.ts'
import styles from './login.module.css'

interface Props {
  title: string
  note?: string | undefined
  /** Label of the button. */
  submitWord: string
  /** Fault from before the page was opened, shown until the button is pressed. */
  faultBefore?: string | undefined
  /**
   * The action of the button. A fault, returned or thrown, is shown; after success the card remains busy because the page
   * goes elsewhere. A second step is a card of its own, so give it another `key`.
   */
  onSubmit: () => Promise<Fault | undefined>
  /** The fields, with the message for each that was refused. */
  children: (faults: Record<string, string>) => ReactNode
  /** Below the button: other ways to sign in. */
  below?: ReactNode
}

export function SignInCard({ title, note, submitWord, faultBefore, onSubmit, children, below }: Props) {
  const { t } = useTranslation('signIn')
  const [fault, setFault] = useState<Fault | undefined>()
  const [busy, setBusy] = useState(false)

  async function submit() {
    setBusy(true)
    setFault(undefined)
    const found = await onSubmit().catch(describeFault)
    if (!found) return
    setFault(found)
    setBusy(false)
  }

  // Faults that its fields show already are not shown twice.
  const isAtField = fault !== undefined && Object.keys(fault.fields).length > 0
  return (
    <main className={styles.login}>
      <Form className={styles.loginCard} onSubmit={() => void submit()}>
        <Wordmark />
        <h1>{title}</h1>
        {note === undefined ? null : <p className={styles.loginNote}>{note}</p>}
        {children(fault?.fields ?? {})}
        <p className={styles.loginFault} role="alert">
          {fault ? (isAtField ? null : faultWords(fault)) : busy ? null : faultBefore}
        </p>
        <Button type="submit" size="sm" loading={busy} fullWidth>
          {submitWord}
        </Button>
        {below}
        <LanguageChoice
          label={t('language')}
          value={languageNow()}
          onChange={(language) =>
            void chooseLanguage(language).catch((error) => setFault(describeFault(error)))
          }
        />
      </Form>
    </main>
  )
}
