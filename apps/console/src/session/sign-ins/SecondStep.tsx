// The step after the password for users with a second factor: a code, a passkey, or a recovery code.
import type { SecondFactorChallenge, SecondStep as Step } from '@backhaul/contract/nouns/second-factors'
import { Button, TextInput } from '@mantine/core'
import { type PublicKeyCredentialRequestOptionsJSON, startAuthentication } from '@simplewebauthn/browser'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Fault } from '../../doors/api.ts'
import styles from './login.module.css'
import { SignInCard } from './SignInCard.tsx'
import { takeSecondStep } from './sign-ins.ts'

type Kind = Step['proof']['kind']

interface Props {
  asked: SecondFactorChallenge
  onDone: () => void
  /** Back to name and password. */
  onBack: () => void
}

export function SecondStep({ asked, onDone, onBack }: Props) {
  const { t } = useTranslation('signIn')
  const [kind, setKind] = useState<Kind>(asked.kinds[0] ?? 'recoveryCode')
  const [code, setCode] = useState('')

  async function submit(): Promise<Fault | undefined> {
    let proof: Step['proof']
    if (kind === 'passkey') {
      const optionsJSON = asked.passkeyOptions as unknown as PublicKeyCredentialRequestOptionsJSON
      const response = await startAuthentication({ optionsJSON }).catch(() => undefined)
      // The user closed the browser's question, or this device has none of the keys.
      if (!response) return { title: t('second.noPasskey'), fields: {} }
      proof = { kind, response: { ...response } }
    } else proof = { kind, code }
    await takeSecondStep({ challenge: asked.challenge, proof })
    onDone()
  }

  return (
    <SignInCard
      key={kind}
      title={t('second.title')}
      note={t(`second.note.${kind}`)}
      submitWord={t(kind === 'passkey' ? 'second.usePasskey' : 'signIn')}
      onSubmit={submit}
      below={
        <div className={styles.loginWays}>
          {asked.kinds
            .filter((other) => other !== kind)
            .map((other) => (
              <Button
                key={other}
                size="compact-sm"
                variant="subtle"
                onClick={() => {
                  setCode('')
                  setKind(other)
                }}
              >
                {t(`second.instead.${other}`)}
              </Button>
            ))}
          <Button size="compact-sm" variant="subtle" color="gray" onClick={onBack}>
            {t('second.back')}
          </Button>
        </div>
      }
    >
      {(faults) =>
        kind === 'passkey' ? null : (
          <TextInput
            size="sm"
            label={t(`second.field.${kind}`)}
            name="code"
            classNames={{ input: 'mono' }}
            autoComplete="one-time-code"
            inputMode={kind === 'totp' ? 'numeric' : 'text'}
            autoFocus
            value={code}
            error={faults['proof.code']}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )
      }
    </SignInCard>
  )
}
