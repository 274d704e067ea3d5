import { COMMENT_MAX } from '@backhaul/contract/nouns/names'
import { UnitChanges } from '@backhaul/contract/nouns/units'
import { Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { useItem } from '../../ui/keyed-store.ts'
import { useValue } from '../../ui/value.ts'
import { type EditRequest, editAsked } from './asked.ts'
import { type LiveUnit, unitStore } from './units-live.ts'
import { useUnitActions } from './use-unit-actions.ts'

export function EditDialog() {
  const { t } = useTranslation('units')
  const asked = useValue(editAsked)
  const unit = useItem(unitStore, asked?.uid)
  const close = () => editAsked.set(null)
  return (
    <Dialog
      opened={asked !== null && unit !== undefined}
      onClose={close}
      title={t('edit.title', { name: unit?.name ?? '' })}
    >
      {asked && unit ? <EditForm key={asked.uid} unit={unit} field={asked.field} onClose={close} /> : null}
    </Dialog>
  )
}

function EditForm({
  unit,
  field,
  onClose,
}: {
  unit: LiveUnit
  field: EditRequest['field']
  onClose: () => void
}) {
  const { t } = useTranslation('units')
  const { edit } = useUnitActions()
  const mayWrite = useMay('operateUnits')
  const record = useRecordForm({
    start: () => ({ name: unit.name, comment: unit.comment }),
    schema: UnitChanges,
    whileTyping: true,
    requestOf: ({ name, comment }) => ({
      ...(name !== unit.name && { name }),
      ...(comment !== unit.comment && { comment }),
    }),
    save: async (changes) => (Object.keys(changes).length === 0 ? undefined : edit(unit.uid, changes)),
  })
  const { values, set, faults } = record

  return (
    <RecordForm
      record={record}
      mayWrite={mayWrite}
      mayApply
      done={() => ({ title: t('edit.saved'), text: values.name })}
      onClose={onClose}
    >
      <div className="form-fields">
        <TextField
          record={record}
          name="name"
          label={t('edit.name')}
          description={t('edit.nameHint')}
          data-autofocus={field === 'name' || undefined}
          readOnly={!mayWrite}
        />
        <Textarea
          label={t('edit.comment')}
          description={t('edit.commentHint', { left: COMMENT_MAX - values.comment.length })}
          error={faults.comment}
          data-autofocus={field === 'comment' || undefined}
          readOnly={!mayWrite}
          minRows={2}
          autosize
          value={values.comment}
          onChange={(event) => set({ comment: event.currentTarget.value })}
        />
      </div>
    </RecordForm>
  )
}
