import { batteryColour, batteryLevel } from '@backhaul/contract/nouns/battery'
import { shortProductName } from '@backhaul/contract/nouns/products'
import { isOffline, transientStates } from '@backhaul/contract/nouns/unit-status'
import { IconArrowUpRight, IconPencil } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { reasonText } from '../../texts/generic.ts'
import { Age, Aged } from '../../ui/Age.tsx'
import { BatteryGauge } from '../../ui/gauges.tsx'
import { useItem } from '../../ui/keyed-store.ts'
import { decimal } from '../../ui/locale.ts'
import { StatusGlyph } from '../../ui/StatusGlyph.tsx'
import { useSecond } from '../../ui/seconds.ts'
import { useValue } from '../../ui/value.ts'
import { AlertList } from '../alerts/AlertList.tsx'
import { ChannelPicture } from '../previews/ChannelPicture.tsx'
import { TallyMark } from '../previews/TallyMark.tsx'
import { GoLive } from '../social-media/GoLive.tsx'
import { StoryFact } from '../stories/StoryFact.tsx'
import { askToEdit } from './asked.ts'
import { ChannelPicker } from './ChannelPicker.tsx'
import { CommandState } from './CommandState.tsx'
import { DelayPicker } from './DelayPicker.tsx'
import { LinkList } from './LinkList.tsx'
import { StartButton, StartReason } from './StartButton.tsx'
import { ConfigureButton, RenameButton, UnitStatus } from './UnitHead.tsx'
import { linksOf } from './unit-columns.tsx'
import {
  alertsOf,
  bitrateText,
  delayText,
  durationText,
  locationText,
  lossText,
  rttText,
} from './unit-words.ts'
import { type LiveUnit, unitStore, unitsState } from './units-live.ts'

export function UnitInspector({ uid }: { uid: string | null }) {
  const { t } = useTranslation('units')
  const unit = useItem(unitStore, uid)
  const loading = useValue(unitsState)
  const gone = uid !== null && loading.state === 'ready'
  return (
    <aside className="inspector" aria-label={t('inspector.label')}>
      {unit ? (
        <Inspected unit={unit} />
      ) : (
        <div className="inspector-empty">
          <h2>{t('inspector.none')}</h2>
          <p>{t(gone ? 'inspector.gone' : 'inspector.noneText')}</p>
        </div>
      )}
    </aside>
  )
}

function Inspected({ unit }: { unit: LiveUnit }) {
  const { t } = useTranslation('units')
  const mayOperate = useMay('operateUnits')
  const alerts = alertsOf(unit)
  return (
    <div className="inspector-scroll" data-stale={unit.stale || undefined}>
      <InspectorHead unit={unit} />
      <div className="inspector-act">
        <StartButton unit={unit} mayOperate={mayOperate} big />
        <div className="inspector-words">
          <StartReason unit={unit} mayOperate={mayOperate} />
          <CommandState command={unit.command} />
        </div>
      </div>
      {unit.transmission ? <ChannelPicture channelId={unit.transmission.channelId} live={false} /> : null}
      <Transients unit={unit} />
      <Figures unit={unit} />
      <Transmission unit={unit} />
      {alerts.length > 0 ? (
        <Section title={t('inspector.alerts')}>
          <AlertList alerts={alerts} />
        </Section>
      ) : null}
      <div className="inspector-choices">
        <ChannelPicker unit={unit} mayOperate={mayOperate} />
        <DelayPicker unit={unit} mayOperate={mayOperate} />
        <GoLive unit={unit} mayTransmit={mayOperate} />
      </div>
      <Section title={t('inspector.links')}>
        <LinkList links={linksOf(unit)} />
      </Section>
      <Facts unit={unit} mayOperate={mayOperate} />
    </div>
  )
}

/** What else the unit is doing while it sends video (ST-UTRS rows). */
export function Transients({ unit }: { unit: LiveUnit }) {
  const { t } = useTranslation('units')
  const states = transientStates(unit)
  if (states.length === 0) return null
  return (
    <ul className="transients" aria-label={t('transient.label')}>
      {states.map((state) => (
        <li key={state} data-transient={state}>
          <StatusGlyph shape="arc" tone="transition" size={12} /> {t(`transient.${state}`)}
        </li>
      ))}
    </ul>
  )
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="inspector-section">
      <h3>{title}</h3>
      {children}
    </section>
  )
}

function InspectorHead({ unit }: { unit: LiveUnit }) {
  const { t } = useTranslation('units')
  const place = locationText(unit)
  return (
    <header className="inspector-head">
      <div className="inspector-title">
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
      <p className="inspector-sub">
        <UnitStatus unit={unit} />
        <TallyMark tally={unit.tally} />
        <span className="quiet clip">{[shortProductName(unit.type), place].filter(Boolean).join(' · ')}</span>
      </p>
      {unit.stale ? (
        <p className="inspector-silence">
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

export function Figures({ unit }: { unit: LiveUnit }) {
  const { t } = useTranslation('units')
  const figures = [
    { id: 'bitrate', text: bitrateText(unit) },
    { id: 'rtt', text: rttText(unit) },
    { id: 'loss', text: lossText(unit) },
  ] as const
  return (
    <dl className="big-figures">
      {figures.map(({ id, text }) => (
        <div key={id}>
          <dt>{t(`column.${id}`)}</dt>
          <dd>
            <Aged atMs={unit.reportedAt ?? 0} intervalMs={isOffline(unit) ? Infinity : unit.reportIntervalMs}>
              {text}
            </Aged>
          </dd>
        </div>
      ))}
      <div>
        <dt>{t('column.delay')}</dt>
        <dd>{delayText(unit)}</dd>
      </div>
    </dl>
  )
}

export function Transmission({ unit }: { unit: LiveUnit }) {
  const { t } = useTranslation('units')
  const nowMs = useSecond()
  const { transmission, uplink } = unit
  if (!transmission || isOffline(unit) || unit.speedTestInTransition) return null
  const dropped = uplink?.droppedPackets ?? 0
  return (
    <p className="transmission">
      <span>
        {t('inspector.onFor', { duration: durationText(nowMs - transmission.startedAt) })}{' '}
        <span className="quiet">{t('inspector.by', { name: transmission.by })}</span>
      </span>
      <span className={dropped > 0 ? 'text-critical' : 'quiet'}>
        {dropped > 0 ? t('inspector.dropped', { count: dropped }) : t('inspector.noneDropped')}
      </span>
    </p>
  )
}

export function Facts({ unit, mayOperate }: { unit: LiveUnit; mayOperate: boolean }) {
  const { t } = useTranslation('units')
  const { battery, camera } = unit
  const gigabytes = (bytes: number) => `${decimal(bytes / 1e9, 1)} GB`
  return (
    <dl className="facts">
      <Fact name={t('inspector.battery')}>
        {battery?.connected ? (
          <span className="battery-cell">
            <BatteryGauge
              percent={battery.percentage}
              level={batteryLevel(battery)}
              tone={batteryColour(battery)}
              charging={battery.charging}
            />
            {battery.percentage === null
              ? reasonText('battery.notIdentified')
              : `${Math.round(battery.percentage)}%`}
            {battery.charging ? ` ${t('inspector.charging')}` : ''}
          </span>
        ) : (
          reasonText('battery.notIdentified')
        )}
      </Fact>
      <Fact name={t('inspector.camera')}>
        {camera?.connected
          ? `${camera.width}×${camera.height} ${camera.fps} fps ${camera.codec}`
          : t('inspector.cameraNone')}
      </Fact>
      <Fact name={t('inspector.location')}>{locationText(unit) || t('inspector.locationUnknown')}</Fact>
      <Fact name={t('inspector.comment')}>
        <span className="fact-edit">
          <span>{unit.comment || t('inspector.noComment')}</span>
          {mayOperate ? (
            <button
              type="button"
              className="plain-button icon-button"
              aria-label={`${t('inspector.edit')} ${t('inspector.comment')}`}
              data-tip={t('inspector.edit')}
              onClick={() => askToEdit(unit.uid, 'comment')}
            >
              <IconPencil size={14} />
            </button>
          ) : null}
        </span>
      </Fact>
      <StoryFact unit={unit} />
      <Fact name={t('inspector.version')}>{unit.displayVersion}</Fact>
      <Fact name={t('inspector.serial')}>
        <span className="mono">{unit.serialNumber}</span>
      </Fact>
      {unit.storages.map((storage) => (
        <Fact key={storage.path} name={t('inspector.storage')}>
          {t('inspector.free', { free: gigabytes(storage.freeBytes), total: gigabytes(storage.totalBytes) })}
        </Fact>
      ))}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
