// General settings of a channel: its name, its place, and what may be sent to it and by whom.
import { type AdministeredChannel, ChannelChange } from '@backhaul/contract/nouns/channel-administration'
import { encoderInputs } from '@backhaul/contract/nouns/channels'
import { gate } from '@backhaul/contract/nouns/gates'
import { LIMIT_MAX_KBPS, LimitKbps } from '@backhaul/contract/nouns/unit-settings'
import { NumberInput, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { Facts } from '../../ui/Facts.tsx'
import { type ChannelTabProps, takesPictures } from './channel-administration.ts'
import { type GeneralSettings, saveGeneral } from './channel-settings.ts'
import { FeedPart } from './FeedPart.tsx'
import { InputAccessPart } from './InputAccessPart.tsx'
import { SourcesPart } from './SourcesPart.tsx'

const Request = ChannelChange.pick({ name: true, forceOutput: true, studio: true })
  .required()
  .extend({ bandwidthLimit: LimitKbps })

export function GeneralTab({ channel, onDelete, onClose }: ChannelTabProps & { onDelete: () => void }) {
  const { t } = useTranslation('channels')
  const { name, bandwidthLimit, privateSession, forceOutput, studio, inputType } = channel
  const record = useRecordForm<GeneralSettings, unknown>({
    start: () => ({ name, bandwidthLimit, privateSession, forceOutput, studio }),
    schema: Request,
    requestOf: ({ privateSession: _, bandwidthLimit: typed, ...rest }) => ({
      ...rest,
      bandwidthLimit: typed === '' ? 0 : typed,
    }),
    save: (_, typed) => saveGeneral(channel, typed),
  })
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
        {channel.kind === 'GROUP_CHANNEL' ? null : <Settings channel={channel} record={record} />}
        <ChannelFacts channel={channel} />
        {encoderInputs.some((one) => one === inputType) ? <InputAccessPart channel={channel} /> : null}
        {channel.capabilities.sources ? <SourcesPart channel={channel} /> : null}
        {takesPictures(channel) ? <FeedPart channel={channel} /> : null}
      </div>
    </RecordForm>
  )
}

interface SettingsProps {
  channel: AdministeredChannel
  record: {
    values: GeneralSettings
    set: (changes: Partial<GeneralSettings>) => void
    faults: Readonly<Record<string, string>>
  }
}

function Settings({ channel, record: { values, set, faults } }: SettingsProps) {
  const { t } = useTranslation('channels')
  const closed = gate('forceOutput', { serverVersion: channel.liveuVersion })
  return (
    <>
      <NumberInput
        label={t('limit.label')}
        description={t('limit.hint')}
        value={values.bandwidthLimit}
        error={faults.bandwidthLimit}
        min={0}
        max={LIMIT_MAX_KBPS}
        step={500}
        allowDecimal={false}
        clampBehavior="none"
        {...disabledBecause(channel.inputType === null ? undefined : reasonText('channel.encoderLimit'))}
        onChange={(limit) => set({ bandwidthLimit: limit })}
      />
      <Switch
        label={t('privateSession.label')}
        description={t('privateSession.hint')}
        checked={values.privateSession}
        onChange={(event) => set({ privateSession: event.currentTarget.checked })}
      />
      <Switch
        label={t('forceOutput.label')}
        description={t('forceOutput.hint')}
        checked={values.forceOutput}
        error={faults.forceOutput}
        // A switch that is on can be switched off, regardless of what has closed it since.
        {...disabledBecause(closed && !channel.forceOutput ? reasonText(closed) : undefined)}
        onChange={(event) => set({ forceOutput: event.currentTarget.checked })}
      />
      <Switch
        label={t('studio.label')}
        description={t('studio.hint')}
        checked={values.studio}
        onChange={(event) => set({ studio: event.currentTarget.checked })}
      />
    </>
  )
}

function ChannelFacts({ channel }: { channel: AdministeredChannel }) {
  const { t } = useTranslation('channels')
  const { t: words } = useTranslation('multiview')
  const { kind, inputType, port, inputAddress, sdiNo } = channel
  const facts: [string, string | null][] = [
    [t('field.kind'), words(`kind.${inputType ?? kind}`)],
    [t('field.status'), words(`status.${channel.status}`)],
    [t('field.allocatedTo'), channel.allocatedTo],
    [t('field.server'), channel.serverName],
    [t('field.region'), channel.cloudRegion],
    [t('field.inventory'), channel.inventoryName],
    [t('field.version'), channel.liveuVersion],
    [t('field.sdi'), sdiNo === null ? null : String(sdiNo)],
    [t('field.address'), inputAddress ?? (port === null ? null : `RIST ${port}`)],
    [t('field.fileTransfer'), channel.fileTransfer?.name ?? null],
  ]
  return <Facts facts={facts} />
}
