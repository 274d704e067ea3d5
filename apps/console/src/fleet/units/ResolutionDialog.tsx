// Why the picture of a unit cannot go to its channel, and what can be done about it (ER-UNIT-10, -11).
import { gate, resolutionConflict } from '@backhaul/contract/nouns/gates'
import { useTranslation } from 'react-i18next'
import { reasonText } from '../../texts/generic.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { useItem } from '../../ui/keyed-store.ts'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import { useValue } from '../../ui/value.ts'
import { conflictAsked } from './asked.ts'
import { channelName, nothing } from './unit-presentation.ts'
import { unitStore } from './units-live.ts'

export function ResolutionDialog() {
  const { t } = useTranslation('units')
  const unit = useItem(unitStore, useValue(conflictAsked))
  const conflict = unit && resolutionConflict(unit, unit.selChannel)
  const close = () => conflictAsked.set(null)
  const isLicence = unit !== undefined && gate('fourK', { unit }) === conflict
  return (
    <Dialog opened={conflict !== undefined} onClose={close} title={t('resolution.title')}>
      {unit && conflict !== undefined ? (
        <>
          <p>
            <strong>{reasonText(conflict)}</strong>
          </p>
          <Facts
            facts={[
              [t('resolution.unit'), unit.name],
              [
                t('resolution.picture'),
                unit.camera ? `${unit.camera.width} × ${unit.camera.height}` : nothing,
              ],
              [t('resolution.channel'), channelName(unit) || nothing],
            ]}
          />
          <p className="quiet">{t(isLicence ? 'resolution.license' : 'resolution.choose')}</p>
        </>
      ) : null}
      <ModalFooter mayWrite anyRole onCancel={close} />
    </Dialog>
  )
}
