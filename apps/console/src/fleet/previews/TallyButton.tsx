import { interfaces as calls } from '@backhaul/contract/api/interfaces'
import { displayedChannelName } from '@backhaul/contract/nouns/channels'
import { gate } from '@backhaul/contract/nouns/gates'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { useAct } from '../../kit/act.ts'
import { useSignedIn } from '../../session/sign-ins/sign-ins.ts'
import { useItem } from '../../ui/keyed-store.ts'
import { channelStore } from '../channels/channels.ts'
import { useClosedActs } from './closed-acts.ts'
import styles from './previews.module.css'

/** Switches the tally of a channel by hand; nothing for users without the service (GAP-AUDIO-04). */
export function TallyButton({ channelId }: { channelId: string }) {
  const { t } = useTranslation('previews')
  const channel = useItem(channelStore, channelId)
  const closed = useClosedActs(channel)
  const userServices = useSignedIn()?.configuration.userServices ?? []
  const act = useAct()
  if (!channel || gate('tally', { userServices }) !== undefined) return null
  const { tallyByHand } = channel
  const press = () =>
    act.run(
      async () =>
        void (await call(calls.lightTally, { params: { id: channelId }, body: { onAir: !tallyByHand } })),
    )
  return (
    <div className={styles.act} data-part="tally-by-hand">
      <Button
        variant={tallyByHand ? 'filled' : 'default'}
        color={tallyByHand ? 'red' : undefined}
        size="compact-sm"
        aria-pressed={tallyByHand}
        aria-label={t('tallyOf', { name: displayedChannelName(channel.name) })}
        aria-disabled={act.busy || closed !== undefined}
        data-tip={closed ?? t('tallyHint')}
        onClick={() => !act.busy && closed === undefined && void press()}
      >
        {t('tally')}
      </Button>
      {act.words === undefined ? null : <span className="text-critical">{act.words}</span>}
    </div>
  )
}
