// What a channel is called, and where it stands.
import { ChannelChange } from '@backhaul/contract/nouns/channel-administration'
import { encoderInputs } from '@backhaul/contract/nouns/channels'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { type ChannelTabProps, changeChannel } from './channel-administration.ts'
import { InputAccessPart } from './InputAccessPart.tsx'

export function GeneralTab({ channel, onDelete, onClose }: ChannelTabProps & { onDelete: () => void }) {
  const { t } = useTranslation('channels')
  const { t: words } = useTranslation('multiview')
  const record = useRecordForm({
    start: () => ({ name: channel.name }),
    schema: ChannelChange,
    save: (change) => changeChannel(channel.uniqueId, change),
  })

  const { kind, inputType, port, inputAddress, sdiNo } = channel
  const facts: [string, string | null][] = [
    [t('field.kind'), words(`kind.${inputType ?? kind}`)],
    [t('field.status'), words(`status.${channel.status}`)],
    [t('field.allocatedTo'), channel.allocatedTo],
    [t('field.server'), channel.serverName],
    [t('field.inventory'), channel.inventoryName],
    [t('field.version'), channel.liveuVersion],
    [t('field.sdi'), sdiNo === null ? null : String(sdiNo)],
    [t('field.address'), inputAddress ?? (port === null ? null : `RIST ${port}`)],
  ]
  return (
    <RecordForm
      record={record}
      done={() => ({ title: t('saved'), text: record.values.name })}
      mayApply
      onDelete={onDelete}
      onClose={onClose}
    >
      <div className="dialog-part">
        <TextField
          record={record}
          name="name"
          label={t('field.name')}
          description={t('nameHint')}
          required
          data-autofocus
        />
        <Facts facts={facts} />
        {encoderInputs.some((one) => one === inputType) ? <InputAccessPart channel={channel} /> : null}
      </div>
    </RecordForm>
  )
}
