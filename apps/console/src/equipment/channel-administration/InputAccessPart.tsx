// What is typed into a standard encoder: the address of an input channel and the key that the channel asks for.
import type { AdministeredChannel, InputAccess } from '@backhaul/contract/nouns/channel-administration'
import { Alert, Button, PasswordInput, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describeFault, type Fault, faultWords } from '../../doors/api.ts'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { inputAccess, renewInputKey } from './channel-administration.ts'

export function InputAccessPart({ channel }: { channel: AdministeredChannel }) {
  const { t } = useTranslation('channels')
  const { uniqueId, inputType, inputProblem } = channel
  const [access, setAccess] = useState<InputAccess>()
  const [fault, setFault] = useState<Fault>()
  const [asksToRenew, setAsksToRenew] = useState(false)
  useEffect(() => {
    void inputAccess(uniqueId).then(setAccess, (error) => setFault(describeFault(error)))
  }, [uniqueId])

  async function renew(): Promise<Fault | undefined> {
    try {
      setAccess(await renewInputKey(uniqueId))
      return undefined
    } catch (error) {
      return describeFault(error)
    }
  }

  return (
    <fieldset className="input-access">
      <legend>{t('input.title')}</legend>
      {inputProblem === null ? null : <Alert color="yellow">{t(`input.problem.${inputProblem}`)}</Alert>}
      {fault ? <Alert color="red">{faultWords(fault)}</Alert> : null}
      {access ? (
        <>
          <div className="input-access-line">
            <TextInput readOnly label={t('field.address')} value={access.address ?? ''} />
            <CopyButton text={access.address ?? ''} />
          </div>
          <div className="input-access-line">
            <PasswordInput
              readOnly
              label={t(inputType === 'srt' ? 'input.passphrase' : 'input.streamKey')}
              visibilityToggleButtonProps={{ 'aria-label': t('input.show') }}
              value={access.key}
            />
            <CopyButton text={access.key} />
            <Button variant="default" onClick={() => setAsksToRenew(true)}>
              {t('input.renew')}
            </Button>
          </div>
        </>
      ) : null}
      {asksToRenew ? (
        <ConfirmDialog
          title={t('input.renewTitle')}
          text={t('input.renewText')}
          okLabel={t('input.renew')}
          run={renew}
          done={{ title: t('input.renewed'), text: channel.name }}
          onClose={() => setAsksToRenew(false)}
        />
      ) : null}
    </fieldset>
  )
}
