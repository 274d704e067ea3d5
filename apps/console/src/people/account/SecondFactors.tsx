import { secondFactors } from '@backhaul/contract/api/second-factors'
import type { SecondFactor } from '@backhaul/contract/nouns/second-factors'
import { Button } from '@mantine/core'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reread, useRead } from '../../doors/reads.ts'
import { shortDate } from '../../ui/locale.ts'
import { AppStep } from './AppStep.tsx'
import styles from './account.module.css'
import { PasswordStep } from './PasswordStep.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { type Act, type AfterPassword, afterPassword } from './second-factor.ts'

type Step = { kind: 'list' } | { kind: 'password'; act: Act } | Exclude<AfterPassword, { kind: 'done' }>

/** Second factors required at sign-in in addition to the password; each change requires the password first. */
export function SecondFactors() {
  const [step, setStep] = useState<Step>({ kind: 'list' })
  const toList = () => {
    setStep({ kind: 'list' })
    void reread(secondFactors.own, {})
  }
  const shown = (codes: readonly string[] | null) =>
    codes === null ? toList() : setStep({ kind: 'codes', codes })

  if (step.kind === 'list') return <List onAct={(act) => setStep({ kind: 'password', act })} />
  if (step.kind === 'app') return <AppStep {...step} onDone={shown} onCancel={toList} />
  if (step.kind === 'codes') return <RecoveryCodes codes={step.codes} onDone={toList} />
  const { act } = step
  return (
    <PasswordStep
      act={act}
      onCancel={toList}
      onPassword={async (password, name) => {
        const next = await afterPassword(act, password, name)
        if (next.kind === 'done') toList()
        else setStep(next)
      }}
    />
  )
}

function List({ onAct }: { onAct: (act: Act) => void }) {
  const { t } = useTranslation('account')
  const { data, errorText } = useRead(secondFactors.own, {})
  if (errorText !== undefined) return <p role="alert">{errorText}</p>
  if (!data) return null
  const { factors, recoveryCodesLeft } = data
  return (
    <div className="form-fields">
      <p className="dialog-lead">{t(factors.length === 0 ? 'second.none' : 'second.text')}</p>
      {factors.length === 0 ? null : (
        <ul className="entries">
          {factors.map((factor) => (
            <Factor key={factor.id} factor={factor} onRemove={() => onAct({ kind: 'remove', factor })} />
          ))}
          <li>
            <span>{t('second.codes')}</span>
            <span className="quiet">{t('second.codesLeft', { count: recoveryCodesLeft })}</span>
            <Button size="compact-xs" variant="default" onClick={() => onAct({ kind: 'codes' })}>
              {t('second.renew')}
            </Button>
          </li>
        </ul>
      )}
      <div className={styles.secondFactorAdds}>
        <Button variant="default" onClick={() => onAct({ kind: 'totp' })}>
          {t('second.addTotp')}
        </Button>
        {browserSupportsWebAuthn() ? (
          <Button variant="default" onClick={() => onAct({ kind: 'passkey' })}>
            {t('second.addPasskey')}
          </Button>
        ) : null}
      </div>
    </div>
  )
}

function Factor({ factor, onRemove }: { factor: SecondFactor; onRemove: () => void }) {
  const { t } = useTranslation('account')
  const { name, kind, createdMs, lastUsedMs } = factor
  const used = lastUsedMs === null ? t('second.unused') : t('second.used', { when: shortDate(lastUsedMs) })
  return (
    <li data-second-factor={kind}>
      <span>
        {name} <span className="quiet">{t(`second.kinds.${kind}`)}</span>
      </span>
      <span className="quiet">
        {t('second.since', { when: shortDate(createdMs) })}, {used}
      </span>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={t('second.removeOne', { name })}
        onClick={onRemove}
      >
        {t('second.remove')}
      </Button>
    </li>
  )
}
