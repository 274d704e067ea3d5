import { NewPassword, type User } from '@backhaul/contract/nouns/users'
import { Modal, PasswordInput } from '@mantine/core'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { resolverOf, showFault } from '../../doors/forms.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
import { givePassword } from './users.ts'

interface Form {
  password: string
  passwordConfirmation: string
}

export function PasswordDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation('users')
  const form = useForm<Form>({
    defaultValues: { password: '', passwordConfirmation: '' },
    resolver: resolverOf(NewPassword),
  })
  const { errors, isSubmitting } = form.formState
  const save = form.handleSubmit(async (given) => {
    const fault = await givePassword(user.id, given)
    if (fault) return showFault(form, fault)
    toast({ title: t('password.done'), tone: 'good' })
    onClose()
  })
  return (
    <Modal opened onClose={onClose} title={t('password.title', { name: user.username })}>
      <DialogForm
        mayWrite
        fault={errors.root?.message}
        busy={isSubmitting}
        onCancel={onClose}
        onOk={() => void save()}
      >
        <div className="form-fields">
          <p>{t('password.text')}</p>
          <PasswordInput
            label={t('fields.password')}
            description={t('hints.password')}
            autoComplete="new-password"
            data-autofocus
            error={errors.password?.message}
            {...form.register('password')}
          />
          <PasswordInput
            label={t('fields.passwordConfirmation')}
            autoComplete="new-password"
            error={errors.passwordConfirmation?.message}
            {...form.register('passwordConfirmation')}
          />
        </div>
      </DialogForm>
    </Modal>
  )
}
