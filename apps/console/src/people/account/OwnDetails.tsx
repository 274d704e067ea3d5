import { type UserContact, UserContactChange } from '@backhaul/contract/nouns/users'
import { TextInput } from '@mantine/core'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { describeFault, faultWords } from '../../doors/api.ts'
import { resolverOf, showFault } from '../../doors/forms.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
import { saveOwnContact, useOwnContact } from './account.ts'
import './account.css'

interface OwnDetailsProps {
  /** An enterprise user's details are changed by their IT administrator (RO-PERM-32). */
  isEnterprise: boolean
  onClose: () => void
}

export function OwnDetails({ isEnterprise, onClose }: OwnDetailsProps) {
  const { data, error } = useOwnContact()
  if (error) return <p role="alert">{faultWords(describeFault(error))}</p>
  return data ? <Form contact={data} isEnterprise={isEnterprise} onClose={onClose} /> : null
}

const names = ['firstName', 'lastName', 'email', 'phone'] as const
const autoComplete = {
  firstName: 'given-name',
  lastName: 'family-name',
  email: 'email',
  phone: 'tel',
} as const

function Form({ contact, isEnterprise, onClose }: OwnDetailsProps & { contact: UserContact }) {
  const { t } = useTranslation('account')
  const form = useForm<UserContact>({ defaultValues: contact, resolver: resolverOf(UserContactChange) })
  const { errors, isSubmitting } = form.formState
  const save = form.handleSubmit(async (wanted) => {
    try {
      await saveOwnContact(contact, wanted)
      toast({ title: t('details.saved'), tone: 'good' })
      onClose()
    } catch (error) {
      showFault(form, describeFault(error))
    }
  })
  return (
    <DialogForm
      mayWrite={!isEnterprise}
      anyRole
      fault={errors.root?.message}
      busy={isSubmitting}
      onCancel={onClose}
      onOk={() => void save()}
    >
      {isEnterprise ? <p className="dialog-lead">{t('enterprise')}</p> : null}
      <div className="account-fields">
        {names.map((name) => (
          <TextInput
            key={name}
            label={t(`details.${name}`)}
            readOnly={isEnterprise}
            autoComplete={autoComplete[name]}
            error={errors[name]?.message}
            {...form.register(name)}
          />
        ))}
      </div>
    </DialogForm>
  )
}
