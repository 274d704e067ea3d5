// Gives a channel one of the tallies, ingest servers or audio interfaces of its customer, or takes it back.
import type { AdministeredChannel } from '@backhaul/contract/nouns/channel-administration'
import { Alert, Radio } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { useAnswer } from '../../doors/reads.ts'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { type AllocationChoice, type AllocationKind, allocate, readAllocations } from './allocations.ts'
import styles from './channel-administration.module.css'

interface AllocationDialogProps {
  kind: AllocationKind
  channel: AdministeredChannel
  onClose: () => void
}

const none = ''

export function AllocationDialog({ kind, channel, onClose }: AllocationDialogProps) {
  const { t } = useTranslation('channels')
  const name = ['allocations', kind, channel.uniqueId]
  const { data: found, errorText } = useAnswer(name, () => readAllocations(kind, channel), { isStart: true })
  const record = useRecordForm({
    start: (): { chosen?: string } => ({}),
    requestOf: (touched) => ({ chosen: found?.current ?? none, ...touched }),
    save: async ({ chosen = none }) =>
      void (await allocate(kind, channel, found?.current ?? null, chosen === none ? null : chosen)),
  })
  const { chosen = found?.current ?? none } = record.values
  const closed = found?.closed

  return (
    <RecordDialog
      title={t(`allocation.${kind}.title`, { name: channel.name })}
      record={record}
      fault={errorText}
      inParts
      mayWrite={found !== undefined && closed === undefined}
      done={() => ({ title: t(`allocation.${kind}.saved`), text: channel.name })}
      onClose={onClose}
    >
      <div className="form-fields" data-tip={closed}>
        {closed ? <Alert color="yellow">{closed}</Alert> : null}
        <Radio.Group
          label={t(`allocation.${kind}.label`)}
          value={found === undefined ? null : chosen}
          onChange={(id) => record.set({ chosen: id })}
          className={styles.channelChoices}
        >
          <Radio
            value={none}
            disabled={found === undefined || closed !== undefined}
            label={
              found?.byDefault ? t('allocation.byDefault', { name: found.byDefault }) : t('allocation.none')
            }
          />
          {found?.choices.map((choice) => (
            <Radio
              key={choice.id}
              value={choice.id}
              disabled={closed !== undefined || choice.isTaken}
              label={<Choice choice={choice} isCurrent={choice.id === found.current} />}
            />
          ))}
        </Radio.Group>
        {found && closed === undefined && found.choices.length === 0 ? (
          <p className="quiet">{t(`allocation.${kind}.empty`)}</p>
        ) : null}
      </div>
    </RecordDialog>
  )
}

function Choice({ choice, isCurrent }: { choice: AllocationChoice; isCurrent: boolean }) {
  const { t } = useTranslation('channels')
  const { name, place, online, channels } = choice
  const marks = [
    place,
    ...(online ? [] : [t('allocation.offline')]),
    ...(isCurrent ? [t('allocation.current')] : []),
    channels.length > 0 ? t('allocation.has', { channels: channels.join(', ') }) : t('allocation.free'),
  ]
  return (
    <>
      <span className="clip">{name}</span>
      <span className="quiet">{marks.filter((mark) => mark !== '').join(' · ')}</span>
    </>
  )
}
