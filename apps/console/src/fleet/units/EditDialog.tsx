import { units } from '@backhaul/contract/api/units'
import { COMMENT_MAX } from '@backhaul/contract/nouns/names'
import { Modal, Textarea, TextInput } from '@mantine/core'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { faultWords } from '../../doors/api.ts'
import { resolverOf } from '../../doors/forms.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { useItem } from '../../ui/keyed-store.ts'
import { toast } from '../../ui/toasts.tsx'
import { useValue } from '../../ui/value.ts'
import { type EditWish, editAsked } from './asked.ts'
import { type LiveUnit, unitStore } from './units-live.ts'
import { useUnitActions } from './use-unit-actions.ts'

interface Form {
  name: string
  comment: string
}

export function EditDialog() {
  const { t } = useTranslation('units')
  const wish = useValue(editAsked)
  const unit = useItem(unitStore, wish?.uid)
  const close = () => editAsked.set(null)
  return (
    <Modal
      opened={wish !== null && unit !== undefined}
      onClose={close}
      title={t('edit.title', { name: unit?.name ?? '' })}
    >
      {wish && unit ? <EditForm key={wish.uid} unit={unit} field={wish.field} onClose={close} /> : null}
    </Modal>
  )
}

function EditForm({
  unit,
  field,
  onClose,
}: {
  unit: LiveUnit
  field: EditWish['field']
  onClose: () => void
}) {
  const { t } = useTranslation('units')
  const { edit } = useUnitActions()
  const mayWrite = useMay('operateUnits')
  const form = useForm<Form>({
    defaultValues: { name: unit.name, comment: unit.comment },
    resolver: resolverOf(units.update.body),
    mode: 'onChange',
  })
  const { errors, isSubmitting } = form.formState
  const comment = form.watch('comment')

  const save = (then: () => void) =>
    form.handleSubmit(async (wanted) => {
      const changes = {
        ...(wanted.name === unit.name ? {} : { name: wanted.name }),
        ...(wanted.comment === unit.comment ? {} : { comment: wanted.comment }),
      }
      const fault = Object.keys(changes).length === 0 ? undefined : await edit(unit.uid, changes)
      if (fault === undefined) {
        toast({ title: t('edit.saved'), text: wanted.name, tone: 'good' })
        return then()
      }
      const fields = Object.keys(fault.fields).length > 0 ? fault.fields : { name: faultWords(fault) }
      for (const [name, message] of Object.entries(fields)) {
        form.setError(name === 'comment' ? 'comment' : 'name', { message }, { shouldFocus: true })
      }
    })

  return (
    <DialogForm
      mayWrite={mayWrite}
      busy={isSubmitting}
      onCancel={onClose}
      onApply={save(() => {})}
      onOk={save(onClose)}
    >
      <div className="form-fields">
        <TextInput
          label={t('edit.name')}
          description={t('edit.nameHint')}
          error={errors.name?.message}
          data-autofocus={field === 'name' || undefined}
          readOnly={!mayWrite}
          {...form.register('name')}
        />
        <Textarea
          label={t('edit.comment')}
          description={t('edit.commentHint', { left: COMMENT_MAX - comment.length })}
          error={errors.comment?.message}
          data-autofocus={field === 'comment' || undefined}
          readOnly={!mayWrite}
          minRows={2}
          autosize
          {...form.register('comment')}
        />
      </div>
    </DialogForm>
  )
}
