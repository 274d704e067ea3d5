import { consents, OwnUserChange, type User, type UserContact } from '@backhaul/contract/nouns/users'
import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import { consentWords } from '../users/users.ts'
import styles from './account.module.css'
import { changesOf, ownDataOf, saveOwnData, useOwnContact } from './account.ts'

interface OwnDetailsProps {
  user: User
  onClose: () => void
}

export function OwnDetails({ user, onClose }: OwnDetailsProps) {
  const { data, errorText } = useOwnContact()
  if (errorText !== undefined) return <p role="alert">{errorText}</p>
  return data ? <Form contact={data} user={user} onClose={onClose} /> : null
}

const names = ['firstName', 'lastName', 'email', 'phone'] as const
const autoComplete = {
  firstName: 'given-name',
  lastName: 'family-name',
  email: 'email',
  phone: 'tel',
} as const

function Form({ contact, user, onClose }: OwnDetailsProps & { contact: UserContact }) {
  const { t } = useTranslation('account')
  const { t: words } = useTranslation('users')
  // An enterprise user's details are changed by their IT administrator (RO-PERM-32), their consents by themselves.
  const isEnterprise = user.SSO
  const [before] = useState(() => ownDataOf(contact, user))
  const record = useRecordForm({
    start: () => before,
    schema: OwnUserChange,
    requestOf: (form) => changesOf(before, form),
    save: async (changes) => void (await saveOwnData(changes)),
  })
  const { values, set, faults } = record
  return (
    <RecordForm record={record} anyRole done={() => ({ title: t('details.saved') })} onClose={onClose}>
      {isEnterprise ? (
        <p className={`dialog-lead ${styles.accountLead}`}>
          {t('enterprise')} {t('details.ownConsents')}
        </p>
      ) : null}
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
        {consents.map((name) => (
          <Checkbox
            key={name}
            label={words(`consents.${name}`)}
            description={consentWords(user, name, words)}
            checked={values.updateConsent[name]}
            onChange={(event) =>
              set({ updateConsent: { ...values.updateConsent, [name]: event.currentTarget.checked } })
            }
          />
        ))}
      </div>
    </RecordForm>
  )
}
