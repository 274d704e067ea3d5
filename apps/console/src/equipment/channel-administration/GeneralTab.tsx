// What a channel is called, and where it stands.
import { ChannelChange } from '@backhaul/contract/nouns/channel-administration'
import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
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
  const { values, set, faults } = record

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
      done={() => ({ title: t('saved'), text: values.name })}
      mayApply
      onDelete={onDelete}
      onClose={onClose}
    >
      <div className="dialog-part">
        <TextInput
          label={t('field.name')}
          description={t('nameHint')}
          value={values.name}
          error={faults.name}
          required
          data-autofocus
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <dl className="facts">
          {facts.map(([label, value]) =>
            value === null ? null : (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
          )}
        </dl>
        {inputType === 'srt' || inputType === 'rtmp' ? <InputAccessPart channel={channel} /> : null}
      </div>
    </RecordForm>
  )
}
