// The parts of a unit that its inspector and its page share, and what each of them needs to be shown.
import { batteryColour, batteryLevel } from '@backhaul/contract/nouns/battery'
import { isOffline, transientStates } from '@backhaul/contract/nouns/unit-status'
import { camerasBySocket } from '@backhaul/contract/nouns/units'
import { IconPencil } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonText } from '../../texts/generic.ts'
import { Aged } from '../../ui/Age.tsx'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { BatteryGauge } from '../../ui/gauges.tsx'
import { decimal, sizeText } from '../../ui/locale.ts'
import { StatusGlyph } from '../../ui/StatusGlyph.tsx'
import { useSecond } from '../../ui/seconds.ts'
import { AlertList } from '../alerts/AlertList.tsx'
import { StoryFact } from '../stories/StoryFact.tsx'
import { askToEdit } from './asked.ts'
import { ChannelPicker } from './ChannelPicker.tsx'
import { DelayPicker } from './DelayPicker.tsx'
import { LinkList, type LinkListProps } from './LinkList.tsx'
import { linksOf } from './unit-columns.tsx'
import styles from './unit-parts.module.css'
import {
  alertsOf,
  bitrateText,
  delayText,
  durationText,
  locationText,
  lossText,
  rttText,
} from './unit-presentation.ts'
import type { LiveUnit } from './units-live.ts'

interface OperatedProps {
  unit: LiveUnit
  mayOperate: boolean
}

/** Other work of the unit while it sends video (ST-UTRS rows). */
export function Transients({ unit }: { unit: LiveUnit }) {
  const { t } = useTranslation('units')
  const states = transientStates(unit)
  if (states.length === 0) return null
  return (
    <ul className={styles.transients} aria-label={t('transient.label')}>
      {states.map((state) => (
        <li key={state} data-transient={state}>
          <StatusGlyph shape="arc" tone="transition" size={12} /> {t(`transient.${state}`)}
        </li>
      ))}
    </ul>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

/** Channel and delay of the unit, and its other choices. */
export function Choices({ unit, mayOperate, children }: OperatedProps & { children: ReactNode }) {
  return (
    <div className={styles.choices} data-part="choices">
      <ChannelPicker unit={unit} mayOperate={mayOperate} />
      <DelayPicker unit={unit} mayOperate={mayOperate} />
      {children}
    </div>
  )
}

/** Empty while there are none. */
export function Alerts({ unit }: { unit: LiveUnit }) {
  const { t } = useTranslation('units')
  const alerts = alertsOf(unit)
  if (alerts.length === 0) return null
  return (
    <Section title={t('inspector.alerts')}>
      <AlertList alerts={alerts} />
    </Section>
  )
}

export function Links({ unit, layout }: { unit: LiveUnit } & Pick<LinkListProps, 'layout'>) {
  const { t } = useTranslation('units')
  return (
    <Section title={t('inspector.links')}>
      <LinkList links={linksOf(unit)} layout={layout} />
    </Section>
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
    <dl className={styles.bigFigures}>
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
    <p className={styles.transmission} data-part="transmission">
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

/** For each camera that is on air: its lost frames, and why hardware does not encode it any more. */
function CameraFaults({ unit }: { unit: LiveUnit }) {
  const { t } = useTranslation('units')
  const all = camerasBySocket(unit)
  const nameOf = (fact: 'framesLost' | 'inSoftware', at: number) =>
    all.length > 1 ? t(`inspector.${fact}Of`, { camera: at + 1 }) : t(`inspector.${fact}`)
  return all.map(({ frameLoss, hardwareFault }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a socket is known by its place
    <Fragment key={at}>
      {frameLoss ? (
        <Fact name={nameOf('framesLost', at)}>
          <span className="text-critical">{t('inspector.percent', { percent: frameLoss.percent })}</span>{' '}
          {reasonText({ message: frameLoss.reason, cause: frameLoss.cause })}
        </Fact>
      ) : null}
      {hardwareFault ? (
        <Fact name={nameOf('inSoftware', at)}>
          {reasonText({ message: hardwareFault.reason, cause: hardwareFault.cause })}
        </Fact>
      ) : null}
    </Fragment>
  ))
}

/** Usage of the profile's month; nothing for a unit without a profile. */
function UsageFact({ unit: { usageInfo } }: { unit: LiveUnit }) {
  const { t } = useTranslation('units')
  if (!usageInfo) return null
  const { type, used, limit, resetDay, overUsage } = usageInfo
  const amount = (value: number) =>
    type === 'data' ? sizeText(value * 1_000_000) : t('inspector.hours', { hours: decimal(value, 1) })
  return (
    <Fact name={t('inspector.usage')}>
      {t('inspector.usedOf', { used: amount(used), limit: amount(limit), day: resetDay })}
      {overUsage ? <span className="text-critical"> {t('inspector.limitPassed')}</span> : null}
    </Fact>
  )
}

/** The facts of a unit; only users who operate it can change its comment. */
export function UnitFacts({ unit, mayOperate }: OperatedProps) {
  const { t } = useTranslation('units')
  const { battery, camera, machine } = unit
  const metadata = Object.entries(unit.metadata)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' · ')
  return (
    <Facts>
      <Fact name={t('inspector.battery')}>
        {battery?.connected ? (
          <span className={styles.battery}>
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
      <CameraFaults unit={unit} />
      <Fact name={t('inspector.location')}>{locationText(unit) || t('inspector.locationUnknown')}</Fact>
      <Fact
        name={t('inspector.comment')}
        act={
          mayOperate ? (
            <button
              type="button"
              className="plain-button icon-button"
              aria-label={`${t('inspector.edit')} ${t('inspector.comment')}`}
              data-tip={t('inspector.edit')}
              onClick={() => askToEdit(unit.uid, 'comment')}
            >
              <IconPencil size={14} />
            </button>
          ) : null
        }
      >
        {unit.comment || t('inspector.noComment')}
      </Fact>
      {metadata === '' ? null : <Fact name={t('inspector.metadata')}>{metadata}</Fact>}
      <StoryFact unit={unit} />
      <UsageFact unit={unit} />
      <Fact name={t('inspector.version')}>{unit.displayVersion}</Fact>
      <Fact name={t('inspector.serial')}>
        <span className="mono">{unit.serialNumber}</span>
      </Fact>
      {typeof machine?.temperatureC === 'number' && (
        <Fact name={t('inspector.temperature')}>{`${machine.temperatureC} °C`}</Fact>
      )}
      {typeof machine?.isClockSynchronized === 'boolean' && (
        <Fact name={t('inspector.clock')}>
          {machine.isClockSynchronized ? t('inspector.clockRight') : t('inspector.clockAlone')}
        </Fact>
      )}
      {unit.storages.map((storage) => (
        <Fact key={storage.path} name={t('inspector.storage')}>
          {t('inspector.free', {
            free: sizeText(storage.freeBytes),
            total: sizeText(storage.totalBytes),
          })}
        </Fact>
      ))}
    </Facts>
  )
}
