// The channel that a feed takes its picture from; and whether a feed, or an input with sources, takes anything now.
import type { AdministeredChannel, ChannelChange } from '@backhaul/contract/nouns/channel-administration'
import { Alert, Button, NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAct } from '../../kit/act.ts'
import { useListVersion } from '../../ui/keyed-store.ts'
import styles from './channel-administration.module.css'
import { administeredChannels, byServer, channelStore, saveChannel } from './channel-administration.ts'

export function FeedPart({ channel }: { channel: AdministeredChannel }) {
  const { t } = useTranslation('feeds')
  useListVersion(channelStore)
  const { uniqueId, feedFrom, feedStopped, inputType } = channel
  const change = useAct()
  const set = (body: ChannelChange) =>
    change.run(() => administeredChannels.change(() => saveChannel(uniqueId, body)))

  return (
    <fieldset className={styles.inputAccess}>
      <legend>{t('part.title')}</legend>
      <p className="quiet">{t(inputType === null ? 'part.hint' : 'part.inputHint')}</p>
      {change.words === undefined ? null : <Alert color="red">{change.words}</Alert>}
      <div className={styles.inputAccessLine}>
        {inputType === null ? (
          <NativeSelect
            label={t('part.from')}
            data={[
              { value: '', label: t('part.nothing') },
              ...takeable(channel).map((one) => ({
                value: one.uniqueId,
                label: t('part.of', { channel: one.name, server: one.serverName }),
              })),
            ]}
            value={feedFrom?.channelId ?? ''}
            disabled={change.busy}
            onChange={(event) => void set({ feedFrom: event.currentTarget.value || null })}
          />
        ) : null}
        <Button
          variant="default"
          loading={change.busy}
          onClick={() => void set({ feedStopped: !feedStopped })}
        >
          {t(feedStopped ? 'part.start' : 'part.stop')}
        </Button>
      </div>
    </fieldset>
  )
}

/** Channels that receive units by themselves, and the one that is set already. */
function takeable(feed: AdministeredChannel): AdministeredChannel[] {
  return channelStore
    .ids()
    .flatMap((id) => channelStore.get(id) ?? [])
    .filter(
      ({ uniqueId, inputType, kind, feedFrom }) =>
        uniqueId === feed.feedFrom?.channelId ||
        (uniqueId !== feed.uniqueId && inputType === null && kind !== 'GROUP_CHANNEL' && feedFrom === null),
    )
    .toSorted(byServer)
}
