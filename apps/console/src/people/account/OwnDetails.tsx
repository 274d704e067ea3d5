import { type UserContact, UserContactChange } from '@backhaul/contract/nouns/users'
import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import styles from './account.module.css'
import { saveOwnContact, useOwnContact } from './account.ts'

interface OwnDetailsProps {
  /** An enterprise user's details are changed by their IT administrator (RO-PERM-32). */
  isEnterprise: boolean
  onClose: () => void
}

export function OwnDetails({ isEnterprise, onClose }: OwnDetailsProps) {
  const { data, errorText } = useOwnContact()
  if (errorText !== undefined) return <p role="alert">{errorText}</p>
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
  const record = useRecordForm({
    start: () => contact,
    schema: UserContactChange,
    save: async (_, wanted) => void (await saveOwnContact(contact, wanted)),
  })
  const { values, set, faults } = record
  return (
    <RecordForm
      record={record}
      mayWrite={!isEnterprise}
      anyRole
      done={() => ({ title: t('details.saved') })}
      onClose={onClose}
    >
      {isEnterprise ? <p className="dialog-lead">{t('enterprise')}</p> : null}
      <div className={styles.accountFields}>
        {names.map((name) => (
          <TextInput
            key={name}
            label={t(`details.${name}`)}
            readOnly={isEnterprise}
            autoComplete={autoComplete[name]}
            value={values[name]}
            error={faults[name]}
            onChange={(event) => set({ [name]: event.currentTarget.value })}
          />
        ))}
      </div>
    </RecordForm>
  )
}
