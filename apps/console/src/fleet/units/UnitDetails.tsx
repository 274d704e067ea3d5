import { isOffline } from '@backhaul/contract/nouns/unit-status'
import { useTranslation } from 'react-i18next'
import { useClosed } from '../../people/groups/groups.ts'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { mbpsText } from '../../ui/locale.ts'
import { LinkList } from './LinkList.tsx'
import { linksOf } from './unit-columns.tsx'
import styles from './unit-details.module.css'
import { locationText, nothing } from './unit-presentation.ts'
import type { LiveUnit } from './units-live.ts'

/** The panel under a row of the list. */
export function UnitDetails({ unit }: { unit: LiveUnit }) {
  const { t } = useTranslation('units')
  const uplink = isOffline(unit) ? null : unit.uplink
  const { camera } = unit
  const gaugeClosed = useClosed('rateGauge')
  const rate = (kbps: number | null | undefined) => (kbps == null ? nothing : mbpsText(kbps))
  return (
    <div className={styles.unitDetails}>
      <LinkList links={linksOf(unit).slice(0, 8)} layout="low" />
      <Facts>
        <Fact name={t('inspector.camera')}>
          {camera?.connected ? `${camera.width}×${camera.height} ${camera.fps} fps` : nothing}
        </Fact>
        {gaugeClosed === undefined ? (
          <Fact name={t('column.bitrate')}>
            {t('inspector.encoder', { rate: rate(uplink?.encoderKbps) })} ·{' '}
            {t('inspector.capacity', { rate: rate(uplink?.capacityKbps) })}
          </Fact>
        ) : null}
        <Fact name={t('inspector.location')}>{locationText(unit) || nothing}</Fact>
        <Fact name={t('inspector.serial')}>
          <span className="mono">{unit.serialNumber}</span>
        </Fact>
        <Fact name={t('inspector.comment')}>{unit.comment || nothing}</Fact>
      </Facts>
    </div>
  )
}
