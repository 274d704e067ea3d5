import { upgrades } from '@backhaul/contract/api/upgrades'
import type { RemoteDevice } from '@backhaul/contract/nouns/remote-actions'
import { upgradeWarnings } from '@backhaul/contract/nouns/upgrades'
import { Alert, Checkbox, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { useRead } from '../../doors/reads.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import { reasonText } from '../../texts/generic.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { actOn } from './remote-actions.ts'

/** Obstacles to a version may pass while the dialog is open. */
const refreshMs = 5000

/** The version that the device is to run: now, or when it is idle. */
export function TargetVersionDialog({ device, onClose }: { device: RemoteDevice; onClose: () => void }) {
  const { t } = useTranslation('upgrades')
  const { data: choices = [], errorText } = useRead(
    upgrades.choices,
    { params: { id: device.device } },
    { everyMs: refreshMs },
  )
  const record = useRecordForm({
    start: () => ({ versionNumberId: null as string | null, upgradeNow: false }),
    save: ({ versionNumberId, upgradeNow }) =>
      actOn(device, 'setTargetVersion', { versionNumberId: versionNumberId ?? undefined, upgradeNow }),
  })
  const { versionNumberId: chosen, upgradeNow } = record.values
  const choice = choices.find(({ versionNumberId }) => versionNumberId === chosen)
  const waits = choice?.refusal?.passes === true && !upgradeNow
  const reason = choice?.refusal ? reasonText(choice.refusal) : undefined

  return (
    <Dialog onClose={onClose} title={t('title', { name: device.name })}>
      <RecordForm
        record={record}
        okLabel={t('ok')}
        done={() => ({ title: t('asked'), text: device.name })}
        onClose={onClose}
      >
        <div className="form-fields">
          <p>{device.swVersion === '' ? t('notJoined') : t('now', { version: device.swVersion })}</p>
          <Select
            label={t('version')}
            placeholder={choices.length === 0 ? t('none') : undefined}
            error={record.faults.versionNumberId ?? errorText}
            data={choices.map(({ versionNumberId, version }) => ({ value: versionNumberId, label: version }))}
            value={chosen}
            required
            data-autofocus
            onChange={(versionNumberId) => record.set({ versionNumberId })}
          />
          {reason !== undefined && reason !== record.words ? (
            <Alert color={waits ? 'blue' : 'red'}>{waits ? t('waits', { reason }) : reason}</Alert>
          ) : null}
          {choice
            ? upgradeWarnings(device.swVersion, choice.version).map((warning) => (
                <Alert key={warning} color="yellow">
                  {reasonText(warning)}
                </Alert>
              ))
            : null}
          <Checkbox
            label={t('upgradeNow')}
            description={t('upgradeNowHint')}
            checked={upgradeNow}
            onChange={({ currentTarget }) => record.set({ upgradeNow: currentTarget.checked })}
          />
        </div>
      </RecordForm>
    </Dialog>
  )
}
