import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog.tsx'
import { useItem } from '../../ui/keyed-store.ts'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import { useValue } from '../../ui/value.ts'
import { stopAsked } from './asked.ts'
import { OnAirWarning } from './OnAirWarning.tsx'
import { channelName, nothing } from './unit-presentation.ts'
import { unitStore } from './units-live.ts'
import { useUnitActions } from './use-unit-actions.ts'

export function StopDialog() {
  const { t } = useTranslation('units')
  const uid = useValue(stopAsked)
  const unit = useItem(unitStore, uid)
  const { stop } = useUnitActions()
  const close = () => stopAsked.set(null)
  const channel = unit ? channelName(unit) || nothing : nothing
  return (
    <Dialog
      opened={unit !== undefined}
      onClose={close}
      title={t('stopDialog.title', { name: unit?.name ?? '' })}
    >
      <OnAirWarning unit={unit} text={t('stopDialog.onAir', { channel })} />
      <p>{t('stopDialog.text', { channel })}</p>
      <ModalFooter
        dangerous
        mayWrite
        anyRole
        okLabel={t('stopDialog.stop')}
        onCancel={close}
        onOk={() => {
          if (uid !== null) void stop(uid)
          close()
        }}
      />
    </Dialog>
  )
}
