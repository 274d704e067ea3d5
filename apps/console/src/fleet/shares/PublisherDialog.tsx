// A publisher in parts: what it is called and its key, and the channels that it shares.
import { channels as channelCalls } from '@backhaul/contract/api/channels'
import { displayedChannelName } from '@backhaul/contract/nouns/channels'
import { NewPublisher, type Publisher } from '@backhaul/contract/nouns/shares'
import { Alert, Select, Switch, Tabs, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../doors/forms.ts'
import { useRead } from '../../doors/reads.ts'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { useRecordForm } from '../../kit/record-form.ts'
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
  const { choices, likely } = useGroupChoices()
  const record = useRecordForm({
    start: (): NewPublisher => ({
      name: publisher?.name ?? '',
      description: publisher?.description ?? '',
      group: publisher?.group ?? likely,
    }),
    schema: NewPublisher,
    title: t('incomplete'),
    save: (wish) => savePublisher(publisher, wish),
  })
  const { values: form, set, faults } = record

  return (
    <RecordDialog
      inParts
      title={publisher ? t('publisher.editTitle', { name: publisher.name }) : t('publisher.addTitle')}
      size={560}
      record={record}
      done={(saved) => ({ title: t('publisher.saved'), text: saved.name })}
      onDelete={publisher ? onDelete : undefined}
      onClose={onClose}
    >
      <Tabs defaultValue="general" keepMounted={false} className={`dialog-tabs ${styles.shareTabs}`}>
        <Tabs.List aria-label={t('tabs.label')}>
          <Tabs.Tab value="general">{t('tabs.general')}</Tabs.Tab>
          {publisher ? (
            <Tabs.Tab value="channels">
              {t('column.channels')} <b>{publisher.channels.length}</b>
            </Tabs.Tab>
          ) : null}
        </Tabs.List>
        <Tabs.Panel value="general" className="form-fields">
          <TextInput
            label={t('column.name')}
            value={form.name}
            error={faults.name}
            required
            data-autofocus
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <TextInput
            label={t('column.description')}
            value={form.description}
            error={faults.description}
            onChange={(event) => set({ description: event.currentTarget.value })}
          />
          <Select
            label={t('column.group')}
            data={choices}
            value={form.group}
            error={faults.group}
            allowDeselect={false}
            searchable
            disabled={publisher !== null}
            onChange={(group) => set({ group: group ?? '' })}
          />
          {publisher ? <ShareKey shareKey={publisher.shareKey} /> : <p>{t('publisher.keyComes')}</p>}
        </Tabs.Panel>
        {publisher ? (
          <Tabs.Panel value="channels">
            <SharedChannels publisher={publisher} />
          </Tabs.Panel>
        ) : null}
      </Tabs>
    </RecordDialog>
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
  const saving = useSaving()
  const fault = saving.words ?? errorText
  return (
    <div className={styles.shareChannels}>
      <p className="quiet">{t(channels?.length === 0 ? 'publisher.noChannels' : 'publisher.channelHint')}</p>
      {channels?.map(({ uniqueId, name }) => (
        <Switch
          key={uniqueId}
          label={displayedChannelName(name)}
          checked={publisher.channels.includes(uniqueId)}
          onChange={({ currentTarget: { checked } }) =>
            void saving.run(() => setShared(publisher.id, uniqueId, checked))
          }
        />
      ))}
      {fault === undefined ? null : <Alert color="red">{fault}</Alert>}
    </div>
  )
}
