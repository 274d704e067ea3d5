// The upgrade of one device: the version, now or when it is idle, how far it is, and the end of one that waits.
import { upgrades as calls } from '@backhaul/contract/api/upgrades'
import { type Upgrade, type UpgradeChoice, upgradeWarnings } from '@backhaul/contract/nouns/upgrades'
import { Alert, Button, Checkbox, Progress, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { useRead } from '../../doors/reads.ts'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { RecordForm } from '../../kit/RecordForm.tsx'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { reasonText } from '../../texts/generic.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { useValue } from '../../ui/value.ts'
import {
  askedUpgrade,
  clearTarget,
  setTarget,
  type UpgradedDevice,
  upgradeText,
  useUpgrade,
} from './upgrades.ts'

/** Obstacles to a version may pass while the dialog is open. */
const refreshMs = 5000

export function UpgradeDialog() {
  const { t } = useTranslation('upgrades')
  const device = useValue(askedUpgrade)
  const close = () => askedUpgrade.set(null)
  return (
    <Dialog opened={device !== null} onClose={close} title={t('title', { name: device?.name })}>
      {device ? <UpgradeForm key={device.uid} device={device} onClose={close} /> : null}
    </Dialog>
  )
}

function UpgradeForm({ device, onClose }: { device: UpgradedDevice; onClose: () => void }) {
  const { t } = useTranslation('upgrades')
  const mayWrite = useMay('administerDevices')
  const upgrade = useUpgrade(device)
  const { data: choices = [], errorText } = useRead(
    calls.choices,
    { params: { id: device.uid } },
    { everyMs: refreshMs },
  )
  const record = useRecordForm({
    start: () => ({ versionNumberId: null as string | null, upgradeNow: false }),
    save: async ({ versionNumberId, upgradeNow }) =>
      versionNumberId === null ? undefined : setTarget(device.uid, { versionNumberId, upgradeNow }),
  })
  const { versionNumberId: chosen, upgradeNow } = record.values
  const version = upgrade?.state === 'succeeded' ? upgrade.version : device.swVersion
  const choice = choices.find(({ versionNumberId }) => versionNumberId === chosen)

  return (
    <RecordForm
      record={record}
      inParts
      mayWrite={mayWrite && upgrade?.state !== 'upgrading'}
      okLabel={t('ok')}
      done={(asked) =>
        asked.versionNumberId === null ? undefined : { title: t('asked'), text: device.name }
      }
      onSaved={() => {}}
      onClose={onClose}
    >
      <div className="form-fields">
        <p>{version === '' ? t('notJoined') : t('now', { version })}</p>
        {upgrade ? <UpgradeNow upgrade={upgrade} name={device.name} /> : null}
        {upgrade?.state === 'upgrading' ? null : (
          <>
            <Select
              label={t('version')}
              placeholder={choices.length === 0 ? t('none') : undefined}
              description={choice?.description || undefined}
              error={errorText}
              data={choices.map(({ versionNumberId, version }) => ({
                value: versionNumberId,
                label: version,
              }))}
              value={chosen}
              required
              data-autofocus
              onChange={(versionNumberId) => record.set({ versionNumberId })}
            />
            {choice ? (
              <Obstacles
                choice={choice}
                from={device.swVersion}
                upgradeNow={upgradeNow}
                refusedCode={record.refusedCode}
              />
            ) : null}
            <Checkbox
              label={t('upgradeNow')}
              description={t('upgradeNowHint')}
              checked={upgradeNow}
              onChange={({ currentTarget }) => record.set({ upgradeNow: currentTarget.checked })}
            />
          </>
        )}
      </div>
    </RecordForm>
  )
}

/** Reasons that forbid the chosen version, unless core has just refused it for them, and warnings before it. */
function Obstacles({
  choice,
  from,
  upgradeNow,
  refusedCode,
}: {
  choice: UpgradeChoice
  from: string
  upgradeNow: boolean
  refusedCode: string | undefined
}) {
  const { t } = useTranslation('upgrades')
  const { refusal, releaseNotesUrl } = choice
  const waits = refusal?.passes === true && !upgradeNow
  const isShownBelow = refusal?.cause.code === refusedCode
  const reason = refusal && !isShownBelow ? reasonText(refusal) : undefined
  return (
    <>
      {releaseNotesUrl === '' ? null : (
        <a href={releaseNotesUrl} target="_blank" rel="noreferrer">
          {t('releaseNotes')}
        </a>
      )}
      {reason === undefined ? null : (
        <Alert color={waits ? 'blue' : 'red'}>{waits ? t('waits', { reason }) : reason}</Alert>
      )}
      {upgradeWarnings(from, choice.version).map((warning) => (
        <Alert key={warning} color="yellow">
          {reasonText(warning)}
        </Alert>
      ))}
    </>
  )
}

const tones = {
  pending: 'blue',
  upgrading: 'blue',
  succeeded: 'green',
  failed: 'red',
  rejected: 'red',
} as const

function UpgradeNow({ upgrade, name }: { upgrade: Upgrade; name: string }) {
  const { t } = useTranslation('upgrades')
  const mayWrite = useMay('administerDevices')
  const [asks, setAsks] = useState(false)
  const { device, state, percent, version } = upgrade
  return (
    <>
      <Alert color={tones[state]} role="status">
        {upgradeText(t, upgrade)}
        {state === 'upgrading' ? <Progress value={percent} mt="xs" aria-label={t('progress')} /> : null}
      </Alert>
      {state === 'pending' && mayWrite ? (
        <Button variant="default" onClick={() => setAsks(true)}>
          {t('clear')}
        </Button>
      ) : null}
      {asks ? (
        <ConfirmDialog
          title={t('clearTitle')}
          text={t('clearText', { name, version })}
          okLabel={t('clear')}
          run={() => clearTarget(device)}
          done={{ title: t('cleared'), text: name }}
          onClose={() => setAsks(false)}
        />
      ) : null}
    </>
  )
}
