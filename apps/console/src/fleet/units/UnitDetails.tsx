import { isOffline } from '@backhaul/contract/nouns/unit-status'
import { useTranslation } from 'react-i18next'
import { useClosed } from '../../people/groups/groups.ts'
import { mbpsText } from '../../ui/locale.ts'
import { LinkList } from './LinkList.tsx'
import { linksOf } from './unit-columns.tsx'
import { locationText, nothing } from './unit-words.ts'
import type { LiveUnit } from './units-live.ts'

/** px: up to eight links, and some air */
export const unitDetailsHeight = 214

/** What opens under a row of the list. */
export function UnitDetails({ unit }: { unit: LiveUnit }) {
  const { t } = useTranslation('units')
  const uplink = isOffline(unit) ? null : unit.uplink
  const gaugeClosed = useClosed('rateGauge')
  const rate = (kbps: number | null | undefined) => (kbps == null ? nothing : mbpsText(kbps))
  return (
    <div className="unit-details">
      <LinkList links={linksOf(unit).slice(0, 8)} />
      <dl className="facts">
        <div>
          <dt>{t('inspector.camera')}</dt>
          <dd>
            {unit.camera?.connected
              ? `${unit.camera.width}×${unit.camera.height} ${unit.camera.fps} fps`
              : nothing}
          </dd>
        </div>
        {gaugeClosed === undefined ? (
          <div>
            <dt>{t('column.bitrate')}</dt>
            <dd>
              {t('inspector.encoder', { rate: rate(uplink?.encoderKbps) })} ·{' '}
              {t('inspector.capacity', { rate: rate(uplink?.capacityKbps) })}
            </dd>
          </div>
        ) : null}
        <div>
          <dt>{t('inspector.location')}</dt>
          <dd>{locationText(unit) || nothing}</dd>
        </div>
        <div>
          <dt>{t('inspector.serial')}</dt>
          <dd className="mono">{unit.serialNumber}</dd>
        </div>
        <div>
          <dt>{t('inspector.comment')}</dt>
          <dd>{unit.comment || nothing}</dd>
        </div>
      </dl>
    </div>
  )
}
