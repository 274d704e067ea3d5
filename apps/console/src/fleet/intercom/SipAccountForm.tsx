import { intercom as calls } from '@backhaul/contract/api/intercom'
import { type IntercomOptions, NewSipAccount } from '@backhaul/contract/nouns/intercom'
import type { Unit } from '@backhaul/contract/nouns/units'
import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { useRecordForm } from '../../doors/forms.ts'
import { useAct } from '../../kit/act.ts'
import { reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import styles from './intercom.module.css'

interface SipAccountFormProps {
  unit: Unit
  options: IntercomOptions
  mayAdminister: boolean
  closed: string | undefined
  onSaved: () => Promise<unknown>
}

/** The server at which the unit is called; administrators give it an account of its own. */
export function SipAccountForm({ unit, options, mayAdminister, closed, onSaved }: SipAccountFormProps) {
  const { t } = useTranslation('intercom')
  const { server, sipAccount } = options
  const record = useRecordForm({
    start: (): NewSipAccount => sipAccount ?? { server: '', account: '' },
    schema: NewSipAccount,
    title: t('incomplete'),
    save: (account) => write(account),
  })
  const removal = useAct()
  const isSame = JSON.stringify(record.values) === JSON.stringify(sipAccount ?? { server: '', account: '' })
  const saveClosed = closed !== undefined || record.busy || removal.busy
  const fault = record.unplaced ?? removal.words

  async function write(account: NewSipAccount | null): Promise<undefined> {
    await call(calls.setSipAccount, { params: { id: unit.uid }, body: { sipAccount: account } })
    await onSaved()
  }
  const field = (name: keyof NewSipAccount) => ({
    label: t(`field.${name}`),
    error: record.faults[name] ?? record.faults[`sipAccount.${name}`],
    ...disabledBecause(closed),
    value: record.values[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      record.set({ [name]: currentTarget.value }),
  })
  return (
    <fieldset>
      <legend>{t('account')}</legend>
      <p className="quiet">
        {server === ''
          ? reasonText('intercom.serverMissing')
          : t(sipAccount ? 'ownServer' : 'serverOfCustomer', { server })}
      </p>
      {mayAdminister ? (
        <>
          <TextInput {...field('server')} />
          <TextInput {...field('account')} />
          {fault === undefined ? null : <p className="text-critical">{fault}</p>}
          <p className={styles.intercomAct}>
            <button
              type="button"
              className="plain-button primary"
              aria-disabled={saveClosed || isSame}
              data-tip={closed}
              onClick={() => !saveClosed && !isSame && void record.save()}
            >
              {t('save')}
            </button>
            {sipAccount ? (
              <button
                type="button"
                className="plain-button"
                aria-disabled={saveClosed}
                data-tip={closed}
                onClick={() => !saveClosed && void removal.run(() => write(null))}
              >
                {t('removeAccount')}
              </button>
            ) : null}
          </p>
        </>
      ) : null}
    </fieldset>
  )
}
