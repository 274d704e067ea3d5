import { channels as calls } from '@backhaul/contract/api/channels'
import { channelIsIn, displayedChannelName } from '@backhaul/contract/nouns/channels'
import { Button } from '@mantine/core'
import { IconPlayerRecordFilled, IconPlayerStopFilled } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { useAct } from '../../kit/act.ts'
import { givenReason, reasonText } from '../../texts/generic.ts'
import { useItem } from '../../ui/keyed-store.ts'
import { channelStore } from '../channels/channels.ts'
import { useClosedActs } from './closed-acts.ts'
import styles from './previews.module.css'

/** Starts and stops the recording of a channel, and shows whether a file is written, or why none is. */
export function RecordButton({ channelId }: { channelId: string }) {
  const { t } = useTranslation('previews')
  const channel = useItem(channelStore, channelId)
  const closedActs = useClosedActs(channel)
  const act = useAct()
  if (!channel || channel.kind === 'GROUP_CHANNEL') return null
  const { recording, recordingWanted, recordingFailure } = channel
  const isOffline = channelIsIn(channel.status, 'offline')
  const closed = closedActs ?? (isOffline ? reasonText('channel.busyOrOffline') : undefined)
  const press = () =>
    act.run(
      async () =>
        void (await call(calls.record, {
          params: { id: channelId },
          body: { recording: !recordingWanted },
        })),
    )
  const failure = recordingFailure && givenReason(recordingFailure)
  return (
    <div className={styles.act} data-part="record">
      <Button
        variant="default"
        size="compact-sm"
        leftSection={
          recordingWanted ? <IconPlayerStopFilled size={14} /> : <IconPlayerRecordFilled size={14} />
        }
        aria-label={t(recordingWanted ? 'stopRecordingOf' : 'recordOf', {
          name: displayedChannelName(channel.name),
        })}
        aria-disabled={act.busy || closed !== undefined}
        data-tip={closed}
        onClick={() => !act.busy && closed === undefined && void press()}
      >
        {t(recordingWanted ? 'stopRecording' : 'record')}
      </Button>
      {failure ? (
        <span className="text-critical">{failure}</span>
      ) : recordingWanted ? (
        <span className="quiet">{t(recording ? 'recording' : 'recordingSoon')}</span>
      ) : null}
      {act.words === undefined ? null : <span className="text-critical">{act.words}</span>}
    </div>
  )
}
