// Settings to type into a standard encoder: the address of an input channel and the key that the channel requires.
import { channelAdministration as calls } from '@backhaul/contract/api/channel-administration'
import type { AdministeredChannel } from '@backhaul/contract/nouns/channel-administration'
import { encoderInputs } from '@backhaul/contract/nouns/channels'
import { Alert, Button, PasswordInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, describeFault, type Fault } from '../../doors/api.ts'
import { keepAnswer, useRead } from '../../doors/reads.ts'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import styles from './channel-administration.module.css'

const keyNames = {
  srt: 'input.passphrase',
  rist: 'input.ristPassphrase',
  rtmp: 'input.streamKey',
  webrtc: 'input.token',
} as const

export function InputAccessPart({ channel }: { channel: AdministeredChannel }) {
  const { t } = useTranslation('channels')
  const { uniqueId, inputType, inputProblem } = channel
  const keyed = encoderInputs.find((one) => one === inputType) ?? 'srt'
  const params = { id: uniqueId }
  const { data: access, errorText } = useRead(calls.input, { params })
  const [asksToRenew, setAsksToRenew] = useState(false)

  async function renew(): Promise<Fault | undefined> {
    try {
      await keepAnswer(calls.input, { params }, await call(calls.renewInputKey, { params }))
      return undefined
    } catch (error) {
      return describeFault(error)
    }
  }

  return (
    <fieldset className={styles.inputAccess}>
      <legend>{t('input.title')}</legend>
      {inputProblem === null ? null : <Alert color="yellow">{t(`input.problem.${inputProblem}`)}</Alert>}
      {inputProblem === null && channel.status === 'idle' ? (
        <Text c="dimmed" size="sm">
          {t('input.waiting')}
        </Text>
      ) : null}
      {errorText === undefined ? null : <Alert color="red">{errorText}</Alert>}
      {access ? (
        <>
          <div className={styles.inputAccessLine}>
            <TextInput readOnly label={t('field.address')} value={access.address ?? ''} />
            <CopyButton text={access.address ?? ''} />
          </div>
          <div className={styles.inputAccessLine}>
            <PasswordInput
              readOnly
              label={t(keyNames[keyed])}
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
