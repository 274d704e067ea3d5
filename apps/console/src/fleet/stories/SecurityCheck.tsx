// Requires the password of the account before what only users who know it may do (SC-MODAL-09).
import { PasswordInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { RecordDialog } from '../../kit/RecordDialog.tsx'

interface SecurityCheckProps {
  /** Throws what core refuses. */
  run: (confirmation: string) => Promise<void>
  onDone: () => void
  onClose: () => void
}

export function SecurityCheck({ run, onDone, onClose }: SecurityCheckProps) {
  const { t } = useTranslation('stories')
  const record = useRecordForm({
    start: () => ({ confirmation: '' }),
    save: async ({ confirmation }) => void (await run(confirmation)),
  })
  const { values, set, faults } = record
  return (
    <RecordDialog
      title={t('newsroom.check.title')}
      size={420}
      // The faults of fields of the dialog beneath are shown too.
      record={{ ...record, unplaced: faults.confirmation === undefined ? record.words : undefined }}
      done={() => undefined}
      onSaved={onDone}
      onClose={onClose}
    >
      <div className="form-fields">
        <PasswordInput
          label={t('newsroom.check.password')}
          description={t('newsroom.check.hint')}
          autoComplete="current-password"
          data-autofocus
          value={values.confirmation}
          error={faults.confirmation}
          visibilityToggleButtonProps={{ 'aria-label': t('newsroom.showPassword') }}
          onChange={(event) => set({ confirmation: event.currentTarget.value })}
        />
      </div>
    </RecordDialog>
  )
}
