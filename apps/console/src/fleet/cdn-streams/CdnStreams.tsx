// The streaming destinations of the channel that a unit transmits to: which are sent to, each started alone, all stopped.
import { cdnStreams as calls } from '@backhaul/contract/api/cdn-streams'
import { type CdnState, type CdnStream, isOn } from '@backhaul/contract/nouns/cdn-streams'
import type { Unit } from '@backhaul/contract/nouns/units'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { useAct } from '../../kit/act.ts'
import { givenReason, reasonText } from '../../texts/generic.ts'
import { mbpsText } from '../../ui/locale.ts'
import type { Look } from '../../ui/StatusGlyph.tsx'
import { StatusWords } from '../../ui/StatusWords.tsx'
import styles from './cdn-streams.module.css'

const looks: Readonly<Record<CdnState, Look>> = {
  off: { shape: 'ring', tone: 'offline' },
  waiting: { shape: 'arc', tone: 'transition' },
  connecting: { shape: 'arc', tone: 'transition' },
  sending: { shape: 'disc', tone: 'live' },
  failed: { shape: 'octagon', tone: 'critical' },
}

interface CdnStreamsProps {
  unit: Pick<Unit, 'uid' | 'cdnStreams'>
  mayTransmit: boolean
}

/** Empty while the unit does not transmit, or where its channel has no destinations. */
export function CdnStreams({ unit, mayTransmit }: CdnStreamsProps) {
  const { t } = useTranslation('cdnStreams')
  const act = useAct()
  const { uid, cdnStreams: streams } = unit
  if (streams.length === 0) return null
  const params = { id: uid }
  const closed = mayTransmit ? undefined : reasonText('role.notAllowed')
  const start = (name: string) =>
    act.run(async () => void (await call(calls.start, { params, body: [name] })))
  const stop = () => act.run(async () => void (await call(calls.stop, { params })))
  const isClosed = act.busy || closed !== undefined
  return (
    <section className={styles.cdnStreams} aria-label={t('title')}>
      <header>
        <h3>{t('title')}</h3>
        {streams.some(isOn) ? (
          <Button
            variant="default"
            size="compact-xs"
            disabled={isClosed}
            data-tip={closed}
            onClick={() => void stop()}
          >
            {t('stopAll')}
          </Button>
        ) : null}
      </header>
      <ul>
        {streams.map((stream) => (
          <Row
            key={stream.name}
            stream={stream}
            isClosed={isClosed}
            closed={closed}
            onStart={() => void start(stream.name)}
          />
        ))}
      </ul>
      {act.words === undefined ? null : <p className="text-critical">{act.words}</p>}
    </section>
  )
}

interface RowProps {
  stream: CdnStream
  isClosed: boolean
  closed: string | undefined
  onStart: () => void
}

function Row({ stream, isClosed, closed, onStart }: RowProps) {
  const { t } = useTranslation('cdnStreams')
  const { name, state, kbps } = stream
  const rate = kbps === undefined ? '' : `, ${mbpsText(kbps)}`
  const reason = state === 'failed' ? givenReason(stream) : undefined
  return (
    <li>
      <span className="clip">{name}</span>
      <StatusWords look={looks[state]} words={`${t(`state.${state}`)}${rate}`} />
      {isOn(stream) ? null : (
        <Button
          variant="default"
          size="compact-xs"
          disabled={isClosed}
          data-tip={closed}
          aria-label={t('startNamed', { name })}
          onClick={onStart}
        >
          {t('start')}
        </Button>
      )}
      {reason === undefined ? null : <p className="text-critical">{reason}</p>}
    </li>
  )
}
