// A publisher in parts: what it is called and its key, and the channels that it shares.
import { channels as channelCalls } from '@backhaul/contract/api/channels'
import { displayedChannelName } from '@backhaul/contract/nouns/channels'
import { NewPublisher, type Publisher } from '@backhaul/contract/nouns/shares'
import { Alert, Select, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { useRead } from '../../doors/reads.ts'
import { useAct } from '../../kit/act.ts'
import { TabbedRecord } from '../../kit/TabbedRecord.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import styles from './shares.module.css'
import { savePublisher, setShared, useGroupChoices } from './shares.ts'

interface PublisherDialogProps {
  /** null: a new one. */
  publisher: Publisher | null
  onDelete: () => void
  onClose: () => void
}

export function PublisherDialog({ publisher, onDelete, onClose }: PublisherDialogProps) {
  const { t } = useTranslation('shares')
  const { likely } = useGroupChoices()
  const record = useRecordForm({
    start: (): NewPublisher => ({
      name: publisher?.name ?? '',
      description: publisher?.description ?? '',
      group: publisher?.group ?? likely,
    }),
    schema: NewPublisher,
    title: t('incomplete'),
    save: (request) => savePublisher(publisher, request),
  })

  return (
    <TabbedRecord
      title={publisher ? t('publisher.editTitle', { name: publisher.name }) : t('publisher.addTitle')}
      size={560}
      height={340}
      label={t('tabs.label')}
      record={record}
      done={(saved) => ({ title: t('publisher.saved'), text: saved.name })}
      tabs={[
        { id: 'general', label: t('tabs.general'), fields: <Fields publisher={publisher} record={record} /> },
        publisher
          ? {
              id: 'channels',
              label: t('column.channels'),
              count: publisher.channels.length,
              fields: <SharedChannels publisher={publisher} />,
            }
          : undefined,
      ]}
      onDelete={publisher ? onDelete : undefined}
      onClose={onClose}
    />
  )
}

interface FieldsProps {
  publisher: Publisher | null
  record: {
    values: NewPublisher
    set: (changes: Partial<NewPublisher>) => void
    faults: Readonly<Record<string, string>>
  }
}

function Fields({ publisher, record: { values, set, faults } }: FieldsProps) {
  const { t } = useTranslation('shares')
  const { choices } = useGroupChoices()
  return (
    <>
      <TextInput
        label={t('column.name')}
        value={values.name}
        error={faults.name}
        required
        data-autofocus
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <TextInput
        label={t('column.description')}
        value={values.description}
        error={faults.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <Select
        label={t('column.group')}
        data={choices}
        value={values.group}
        error={faults.group}
        allowDeselect={false}
        searchable
        disabled={publisher !== null}
        onChange={(group) => set({ group: group ?? '' })}
      />
      {publisher ? <ShareKey shareKey={publisher.shareKey} /> : <p>{t('publisher.keyComes')}</p>}
    </>
  )
}

function ShareKey({ shareKey }: { shareKey: string }) {
  const { t } = useTranslation('shares')
  return (
    <div className={styles.shareKey}>
      <TextInput
        label={t('column.shareKey')}
        description={t('publisher.keyHint')}
        value={shareKey}
        readOnly
        classNames={{ input: 'mono' }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={shareKey} />
    </div>
  )
}

/** A switch for each channel of the group; core's refusal stands below them. */
function SharedChannels({ publisher }: { publisher: Publisher }) {
  const { t } = useTranslation('shares')
  const { data: channels, errorText } = useRead(channelCalls.ofGroup, { query: { group: publisher.group } })
  const sharing = useAct()
  const fault = sharing.words ?? errorText
  return (
    <div className={styles.shareChannels}>
      <p className="quiet">{t(channels?.length === 0 ? 'publisher.noChannels' : 'publisher.channelHint')}</p>
      {channels?.map(({ uniqueId, name }) => (
        <Switch
          key={uniqueId}
          label={displayedChannelName(name)}
          checked={publisher.channels.includes(uniqueId)}
          onChange={({ currentTarget: { checked } }) =>
            void sharing.run(() => setShared(publisher.id, uniqueId, checked))
          }
        />
      ))}
      {fault === undefined ? null : <Alert color="red">{fault}</Alert>}
    </div>
  )
}
