// Sharing options of a unit: the publishers that share its channel, and their subscribers (SC-MODAL-04).
import { displayedChannelName } from '@backhaul/contract/nouns/channels'
import type { Publisher } from '@backhaul/contract/nouns/shares'
import { Alert, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAct } from '../../kit/act.ts'
import { useList } from '../../kit/lists.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { type KnownUnit, useAskedSharing } from '../units/units.ts'
import styles from './shares.module.css'
import { publishers, setShared, subscribers, useGroupChoices } from './shares.ts'

export function SharingDialog() {
  const { t } = useTranslation('shares')
  const { unit, close } = useAskedSharing()
  return (
    <Dialog
      opened={unit !== undefined}
      onClose={close}
      title={t('sharing.title', { name: unit?.name ?? '' })}
      size={560}
    >
      {unit ? <SharingOptions unit={unit} /> : null}
    </Dialog>
  )
}

function SharingOptions({ unit: { selChannel } }: { unit: KnownUnit }) {
  const { t } = useTranslation('shares')
  const list = useList(publishers, [])
  const { likely } = useGroupChoices()
  if (selChannel === null) return <p>{t('sharing.noChannel')}</p>
  const { uniqueId, name } = selChannel
  const isShared = list.items.some(({ channels }) => channels.includes(uniqueId))
  const shown = list.items.filter(({ group, channels }) => group === likely || channels.includes(uniqueId))
  const channel = displayedChannelName(name)
  return (
    <div className={styles.shareChannels}>
      <p role="status">{t(isShared ? 'sharing.shared' : 'sharing.notShared', { channel })}</p>
      {shown.length === 0 ? <p className="quiet">{t('sharing.noPublisher')}</p> : null}
      {shown.map((publisher) => (
        <PublisherSwitch key={publisher.id} publisher={publisher} channelId={uniqueId} />
      ))}
    </div>
  )
}

/** Begins or ends the share at once; below it the subscribers within reach. */
function PublisherSwitch({ publisher, channelId }: { publisher: Publisher; channelId: string }) {
  const { t } = useTranslation('shares')
  const known = useList(subscribers, []).items
  const sharing = useAct()
  const names = known.filter(({ shareKey }) => shareKey === publisher.shareKey).map(({ name }) => name)
  return (
    <>
      <Switch
        label={publisher.name}
        description={t('sharing.subscribers', { names: names.join(', ') || '—' })}
        checked={publisher.channels.includes(channelId)}
        disabled={sharing.busy}
        onChange={({ currentTarget: { checked } }) =>
          void sharing.run(() => setShared(publisher.id, channelId, checked))
        }
      />
      {sharing.words ? <Alert color="red">{sharing.words}</Alert> : null}
    </>
  )
}
