// A publisher in parts: its name and its key, and the channels that it shares.
import { channels as channelCalls } from '@backhaul/contract/api/channels'
import { displayedChannelName } from '@backhaul/contract/nouns/channels'
import { NewPublisher, type Publisher } from '@backhaul/contract/nouns/shares'
import { Alert, Select, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FieldsOf, useRecordForm } from '../../doors/forms.ts'
import { useRead } from '../../doors/reads.ts'
import { useAct } from '../../kit/act.ts'
import type { ItemEnds } from '../../kit/EditedListScreen.tsx'
import { TabbedRecord } from '../../kit/TabbedRecord.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import styles from './shares.module.css'
import { savePublisher, setShared, useGroupChoices } from './shares.ts'

interface PublisherDialogProps extends ItemEnds {
  /** null: a new one. */
  publisher: Publisher | null
}

export function PublisherDialog({ publisher, ...ends }: PublisherDialogProps) {
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
      {...ends}
    />
  )
}

interface FieldsProps {
  publisher: Publisher | null
  record: FieldsOf<NewPublisher>
}

function Fields({ publisher, record }: FieldsProps) {
  const { values, set, faults } = record
  const { t } = useTranslation('shares')
  const { choices } = useGroupChoices()
  return (
    <>
      <TextField record={record} name="name" label={t('column.name')} required data-autofocus />
      <TextField record={record} name="description" label={t('column.description')} />
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

/** A switch for each channel of the group; core's refusal is shown at the one that was pressed. */
function SharedChannels({ publisher }: { publisher: Publisher }) {
  const { t } = useTranslation('shares')
  const { data: channels, errorText } = useRead(channelCalls.ofGroup, { query: { group: publisher.group } })
  const sharing = useAct()
  const [pressed, press] = useState('')
  return (
    <div className={styles.shareChannels}>
      <p className="quiet">{t(channels?.length === 0 ? 'publisher.noChannels' : 'publisher.channelHint')}</p>
      {channels?.map(({ uniqueId, name }) => (
        <Switch
          key={uniqueId}
          label={displayedChannelName(name)}
          checked={publisher.channels.includes(uniqueId)}
          error={uniqueId === pressed ? sharing.words : undefined}
          onChange={({ currentTarget: { checked } }) => {
            press(uniqueId)
            void sharing.run(() => setShared(publisher.id, uniqueId, checked))
          }}
        />
      ))}
      {errorText === undefined ? null : <Alert color="red">{errorText}</Alert>}
    </div>
  )
}
