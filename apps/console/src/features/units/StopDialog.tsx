import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useItem } from '../../ui/keyed-store.ts'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import { createValue, useValue } from '../../ui/value.ts'
import { channelName, nothing } from './unit-words.ts'
import { unitStore } from './units-live.ts'
import { useUnitActions } from './use-unit-actions.ts'

const asked = createValue<string | null>(null)

/** Opens the question from wherever a stop is pressed: a row, the inspector, a key. */
export const askToStop = (uid: string): void => asked.set(uid)

export function StopDialog() {
  const { t } = useTranslation('units')
  const uid = useValue(asked)
  const unit = useItem(unitStore, uid)
  const { stop } = useUnitActions()
  const close = () => asked.set(null)
  const channel = unit ? channelName(unit) || nothing : nothing
  return (
    <Modal
      opened={unit !== undefined}
      onClose={close}
      title={t('stopDialog.title', { name: unit?.name ?? '' })}
    >
      {unit?.tally.onAir ? <p className="stop-on-air">{t('stopDialog.onAir', { channel })}</p> : null}
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
    </Modal>
  )
}
