import { NewPassword } from '@backhaul/contract/nouns/users'
import { zodResolver } from '@hookform/resolvers/zod'
import { Modal, PasswordInput } from '@mantine/core'
import { type Resolver, useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { faultWords } from '../../doors/api.ts'
import { useItem } from '../../ui/keyed-store.ts'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import { toast } from '../../ui/toasts.tsx'
import { createValue, useValue } from '../../ui/value.ts'
import { givePassword, userStore } from './users.ts'

interface Form {
  password: string
  passwordConfirmation: string
}

const asked = createValue<string | null>(null)

export const askForPassword = (id: string): void => asked.set(id)

export function PasswordDialog() {
  const { t } = useTranslation('users')
  const user = useItem(userStore, useValue(asked))
  const close = () => asked.set(null)
  return (
    <Modal
      opened={user !== undefined}
      onClose={close}
      title={t('password.title', { name: user?.username ?? '' })}
    >
      {user ? <PasswordForm key={user.id} id={user.id} onClose={close} /> : null}
    </Modal>
  )
}

function PasswordForm({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('users')
  const form = useForm<Form>({
    defaultValues: { password: '', passwordConfirmation: '' },
    resolver: zodResolver(NewPassword) as unknown as Resolver<Form>,
  })
  const { errors, isSubmitting } = form.formState
  const save = form.handleSubmit(async (given) => {
    const fault = await givePassword(id, given)
    if (fault) {
      form.setError(
        'password',
        { message: fault.fields.password ?? faultWords(fault) },
        { shouldFocus: true },
      )
      return
    }
    toast({ title: t('password.done'), tone: 'good' })
    onClose()
  })
  return (
    <form onSubmit={save} noValidate>
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
      <ModalFooter mayWrite busy={isSubmitting} onCancel={onClose} onOk={save} />
    </form>
  )
}
