import { displayedChannelName } from '@backhaul/contract/nouns/channels'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog.tsx'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import { channelStore } from '../channels/channels.ts'
import { OnAirWarning } from './OnAirWarning.tsx'
import { channelName } from './unit-presentation.ts'
import type { LiveUnit } from './units-live.ts'
import { useUnitActions } from './use-unit-actions.ts'

interface MoveDialogProps {
  unit: LiveUnit
  /** undefined: there is no question. */
  to: string | undefined
  onClose: () => void
}

/** Requires a confirmation before a live picture leaves its channel for another one. */
export function MoveDialog({ unit, to, onClose }: MoveDialogProps) {
  const { t } = useTranslation('units')
  const { move } = useUnitActions()
  const words = { from: channelName(unit), to: displayedChannelName(channelStore.get(to ?? '')?.name ?? '') }
  return (
    <Dialog
      opened={to !== undefined}
      onClose={onClose}
      title={t('moveDialog.title', { name: unit.name, ...words })}
    >
      <OnAirWarning unit={unit} text={t('moveDialog.onAir', words)} />
      <p>{t('moveDialog.text', words)}</p>
      <ModalFooter
        dangerous
        mayWrite
        anyRole
        okLabel={t('moveDialog.move')}
        onCancel={onClose}
        onOk={() => {
          if (to !== undefined) void move(unit.uid, to)
          onClose()
        }}
      />
    </Dialog>
  )
}
