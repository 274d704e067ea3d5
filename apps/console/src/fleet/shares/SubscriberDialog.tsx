// A subscriber in parts: the key and the folder, and the channels that come by it.
import { channelIsIn, displayedChannelName } from '@backhaul/contract/nouns/channels'
import { NewSubscriber, rootFolderOf, type Subscriber } from '@backhaul/contract/nouns/shares'
import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type FieldsOf, useRecordForm } from '../../doors/forms.ts'
import type { ItemEnds } from '../../kit/EditedListScreen.tsx'
import { TabbedRecord } from '../../kit/TabbedRecord.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { StillPicture } from '../previews/ChannelPicture.tsx'
import { PictureFrame } from '../previews/PictureFrame.tsx'
import styles from './shares.module.css'
import { saveSubscriber, useFolders, useGroupChoices } from './shares.ts'

interface SubscriberDialogProps extends ItemEnds {
  /** null: a new one. */
  subscriber: Subscriber | null
}

export function SubscriberDialog({ subscriber, ...ends }: SubscriberDialogProps) {
  const { t } = useTranslation('shares')
  const { likely } = useGroupChoices()
  const record = useRecordForm({
    start: (): NewSubscriber => ({
      name: subscriber?.name ?? '',
      shareKey: subscriber?.shareKey ?? '',
      folder: subscriber?.folder ?? rootFolderOf(likely),
    }),
    schema: NewSubscriber,
    title: t('incomplete'),
    save: (request) => saveSubscriber(subscriber, request),
  })

  return (
    <TabbedRecord
      title={subscriber ? t('subscriber.editTitle', { name: subscriber.name }) : t('subscriber.addTitle')}
      size={560}
      height={340}
      label={t('tabs.label')}
      record={record}
      done={(saved) => ({ title: t('subscriber.saved'), text: saved.name })}
      tabs={[
        {
          id: 'general',
          label: t('tabs.general'),
          fields: <Fields record={record} />,
        },
        subscriber
          ? {
              id: 'channels',
              label: t('tabs.channels'),
              count: subscriber.channels.length,
              fields: <ReceivedChannels subscriber={subscriber} />,
            }
          : undefined,
      ]}
      {...ends}
    />
  )
}

function Fields({ record }: { record: FieldsOf<NewSubscriber> }) {
  const { values: form, set, faults } = record
  const { t } = useTranslation('shares')
  const { nameOf } = useGroupChoices()
  const byGroup = Map.groupBy(useFolders(), ({ group }) => group)
  return (
    <>
      <TextField record={record} name="name" label={t('column.name')} required data-autofocus />
      <TextField
        record={record}
        name="shareKey"
        label={t('column.shareKey')}
        required
        classNames={{ input: 'mono' }}
      />
      <Select
        label={t('column.folder')}
        data={[...byGroup].map(([group, inside]) => ({
          group: nameOf(group),
          items: inside.map(({ id, name }) => ({ value: id, label: name })),
        }))}
        value={form.folder}
        error={faults.folder}
        allowDeselect={false}
        searchable
        onChange={(folder) => set({ folder: folder ?? '' })}
      />
    </>
  )
}

function ReceivedChannels({ subscriber }: { subscriber: Subscriber }) {
  const { t } = useTranslation('shares')
  if (subscriber.channels.length === 0) return <p className="quiet">{t('subscriber.noChannels')}</p>
  return (
    <ul className={styles.sharePictures}>
      {subscriber.channels.map(({ uniqueId, name, status }) => (
        <li key={uniqueId}>
          <PictureFrame>
            <StillPicture channelId={uniqueId} receives={channelIsIn(status, 'collecting')} />
          </PictureFrame>
          <span className="clip">{displayedChannelName(name)}</span>
        </li>
      ))}
    </ul>
  )
}
