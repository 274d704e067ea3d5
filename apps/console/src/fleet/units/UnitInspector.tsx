import { shortProductName } from '@backhaul/contract/nouns/products'
import { IconArrowUpRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { Age } from '../../ui/Age.tsx'
import { useItem } from '../../ui/keyed-store.ts'
import { useValue } from '../../ui/value.ts'
import { CdnStreams } from '../cdn-streams/CdnStreams.tsx'
import { ChannelPicture } from '../previews/ChannelPicture.tsx'
import { TallyLamp } from '../previews/TallyLamp.tsx'
import { GoLive } from '../social-media/GoLive.tsx'
import { CommandState } from './CommandState.tsx'
import { StartButton, StartReason } from './StartButton.tsx'
import { ConfigureButton, RenameButton, UnitStatus } from './UnitHead.tsx'
import { Alerts, Choices, Figures, Links, Transients, Transmission, UnitFacts } from './UnitParts.tsx'
import styles from './unit-inspector.module.css'
import { locationText } from './unit-presentation.ts'
import { type LiveUnit, unitStore, unitsState } from './units-live.ts'

export function UnitInspector({ uid }: { uid: string | null }) {
  const { t } = useTranslation('units')
  const unit = useItem(unitStore, uid)
  const loading = useValue(unitsState)
  const gone = uid !== null && loading.state === 'ready'
  return (
    <aside className={styles.inspector} aria-label={t('inspector.label')}>
      {unit ? (
        <Inspected unit={unit} />
      ) : (
        <div className={styles.inspectorEmpty}>
          <h2>{t('inspector.none')}</h2>
          <p>{t(gone ? 'inspector.gone' : 'inspector.noneText')}</p>
        </div>
      )}
    </aside>
  )
}

function Inspected({ unit }: { unit: LiveUnit }) {
  const mayOperate = useMay('operateUnits')
  return (
    <div className={styles.inspectorScroll} data-stale={unit.stale || undefined}>
      <InspectorHead unit={unit} />
      <div className={styles.inspectorAct}>
        <StartButton unit={unit} mayOperate={mayOperate} big />
        <div className={styles.inspectorWords}>
          <StartReason unit={unit} mayOperate={mayOperate} />
          <CommandState command={unit.command} />
        </div>
      </div>
      {unit.transmission ? <ChannelPicture channelId={unit.transmission.channelId} live={false} /> : null}
      <Transients unit={unit} />
      <Figures unit={unit} />
      <Transmission unit={unit} />
      <Alerts unit={unit} />
      <Choices unit={unit} mayOperate={mayOperate}>
        <GoLive unit={unit} mayTransmit={mayOperate} />
      </Choices>
      <CdnStreams unit={unit} mayTransmit={mayOperate} />
      <Links unit={unit} layout="twoLines" />
      <UnitFacts unit={unit} mayOperate={mayOperate} />
    </div>
  )
}

function InspectorHead({ unit }: { unit: LiveUnit }) {
  const { t } = useTranslation('units')
  const place = locationText(unit)
  return (
    <header>
      <div className={styles.inspectorTitle}>
        <h2 className="clip">{unit.name}</h2>
        <RenameButton unit={unit} />
        <ConfigureButton unit={unit} />
        <Link
          to="/unit/$uid"
          params={{ uid: unit.uid }}
          search={{ ignoreRouteDefault: '1' }}
          className="plain-button icon-button"
          aria-label={t('inspector.openPage')}
          data-tip={t('inspector.openPage')}
        >
          <IconArrowUpRight size={16} />
        </Link>
      </div>
      <p className={styles.inspectorSub}>
        <UnitStatus unit={unit} />
        <TallyLamp tally={unit.tally} />
        <span className="quiet clip">{[shortProductName(unit.type), place].filter(Boolean).join(' · ')}</span>
      </p>
      {unit.stale ? (
        <p className={styles.inspectorSilence}>
          {unit.reportedAt === null ? t('inspector.neverSeen') : <LastHeard atMs={unit.reportedAt} />}
        </p>
      ) : null}
    </header>
  )
}

function LastHeard({ atMs }: { atMs: number }) {
  const { t } = useTranslation('units')
  const [before, after] = t('inspector.lastSeen', { age: '\u0000' }).split('\u0000')
  return (
    <>
      {before}
      <Age atMs={atMs} />
      {after}
    </>
  )
}
