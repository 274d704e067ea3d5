import type { TotpOffer } from '@backhaul/contract/nouns/second-factors'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { encode } from 'uqr'
import { describeFault, type Fault, faultWords } from '../../doors/api.ts'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
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
  const [code, setCode] = useState('')
  const [fault, setFault] = useState<Fault>()
  const [busy, setBusy] = useState(false)

  async function submit() {
    setBusy(true)
    setFault(undefined)
    try {
      onDone(await confirmApp(offer.enrolment, name, code))
    } catch (error) {
      setFault(describeFault(error))
      setBusy(false)
    }
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <div className="form-fields">
        <p className="account-notice">{t('second.scan')}</p>
        <QrCode text={offer.uri} label={t('second.qr')} />
        <p>
          <span className="quiet">{t('second.secret')}</span>{' '}
          <code className="mono second-factor-secret">{offer.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        </p>
        <TextInput
          label={t('second.code')}
          autoComplete="one-time-code"
          inputMode="numeric"
          autoFocus
          value={code}
          error={fault?.fields.code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        {fault && fault.fields.code === undefined ? (
          <p className="text-critical" role="alert">
            {faultWords(fault)}
          </p>
        ) : null}
      </div>
      <ModalFooter
        mayWrite
        busy={busy}
        onCancel={onCancel}
        onOk={() => void submit()}
        okLabel={t('second.confirm')}
      />
    </form>
  )
}

/** Dark on light in every theme, with the quiet zone of four modules that readers need (ISO/IEC 18004). */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const modules = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      className="second-factor-qr"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={modules.join('')} fill="#000" />
    </svg>
  )
}
