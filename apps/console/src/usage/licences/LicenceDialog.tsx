import { unitLicences } from '@backhaul/contract/nouns/gates'
import {
  type HeldLicence,
  HOURS_MAX,
  type LicensedUnit,
  type UnitLicences,
} from '@backhaul/contract/nouns/licences'
import { Button, Checkbox, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { useAct } from '../../kit/act.ts'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { toast } from '../../ui/toasts.tsx'
import styles from './licences.module.css'
import { removeLimit, saveLicences, withinReach } from './licences.ts'

interface LicenceDialogProps {
  unit: LicensedUnit
  /** The customer of the unit, and the licences that it holds. */
  inventory: string
  held: readonly HeldLicence[]
  onClose: () => void
}

/** Assigns licences to a unit or releases them; core refuses what the customer does not hold. */
export function LicenceDialog({ unit, inventory, held, onClose }: LicenceDialogProps) {
  const { t } = useTranslation('licences')
  // Changes that another administrator makes meanwhile are not undone: only differences to this are sent.
  const [before] = useState(unit)
  const record = useRecordForm({
    start: () => unit.licences,
    save: (licences) => saveLicences(inventory, before, licences),
  })
  const removal = useAct()
  const done = { title: t('saved'), text: unit.name }

  async function remove(): Promise<void> {
    if (!(await removal.run(() => removeLimit(inventory, before)))) return
    toast({ ...done, tone: 'good' })
    onClose()
  }

  return (
    <RecordDialog
      title={t('editTitle', { name: unit.name })}
      record={record}
      fault={removal.words}
      inParts
      done={() => done}
      onClose={onClose}
    >
      {before.isLicensed ? (
        <LimitRemoval busy={removal.busy} onRemove={() => void remove()} />
      ) : (
        <p className={`quiet ${styles.licenceNote}`}>{t('first')}</p>
      )}
      <LicenceFields
        unit={unit}
        held={held}
        licences={record.values}
        onLicences={record.set}
        faults={record.faults}
      />
    </RecordDialog>
  )
}

/** The way back from the first assignment. */
function LimitRemoval({ busy, onRemove }: { busy: boolean; onRemove: () => void }) {
  const { t } = useTranslation('licences')
  return (
    <div className={styles.licenceLimit}>
      <p className="quiet">{t('limited')}</p>
      <Button variant="default" disabled={busy} onClick={onRemove}>
        {t('removeLimit')}
      </Button>
    </div>
  )
}

interface LicenceFieldsProps {
  unit: LicensedUnit
  held: readonly HeldLicence[]
  licences: UnitLicences
  onLicences: (changes: Partial<UnitLicences>) => void
  faults: Readonly<Record<string, string>>
}

function LicenceFields({ unit, held, licences, onLicences, faults }: LicenceFieldsProps) {
  const { t } = useTranslation('licences')
  const most = (licence: keyof UnitLicences): number => {
    const found = held.find((one) => one.licence === licence)
    return found ? withinReach(unit, found) : 0
  }
  return (
    <div className="form-fields">
      <div className={styles.licenceChoices}>
        {unitLicences.map((licence) => (
          <Checkbox
            key={licence}
            label={t(`label.${licence}`)}
            description={t('free', { count: most(licence) - Number(licences[licence]) })}
            checked={licences[licence]}
            error={faults[licence]}
            // A licence that cannot be taken can still be given back.
            {...disabledBecause(
              !licences[licence] && most(licence) < 1 ? reasonText('licence.none') : undefined,
            )}
            onChange={(event) => onLicences({ [licence]: event.currentTarget.checked })}
          />
        ))}
      </div>
      {(['raHours', 'rlHours'] as const).map((licence) => (
        <NumberInput
          key={licence}
          label={t(`label.${licence}`)}
          description={t('free', { count: most(licence) - licences[licence] })}
          value={licences[licence]}
          error={faults[licence]}
          min={0}
          max={Math.min(most(licence), HOURS_MAX)}
          allowDecimal={false}
          onChange={(value) => onLicences({ [licence]: Number(value) })}
        />
      ))}
    </div>
  )
}
