import { intercom as calls } from '@backhaul/contract/api/intercom'
import { type IntercomOptions, NewSipAccount } from '@backhaul/contract/nouns/intercom'
import type { Unit } from '@backhaul/contract/nouns/units'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { useSaving } from '../../doors/forms.ts'
import { closedBy } from '../../ui/closed.ts'

interface SipAccountFormProps {
  unit: Unit
  options: IntercomOptions
  mayAdminister: boolean
  closed: string | undefined
  onSaved: () => Promise<unknown>
}

/** At which server the unit is called; administrators give it an account of its own. */
export function SipAccountForm({ unit, options, mayAdminister, closed, onSaved }: SipAccountFormProps) {
  const { t } = useTranslation('intercom')
  const { server, sipAccount } = options
  const saving = useSaving()
  const [typed, setTyped] = useState<NewSipAccount>(sipAccount ?? { server: '', account: '' })
  const isSame = JSON.stringify(typed) === JSON.stringify(sipAccount ?? { server: '', account: '' })
  const saveClosed = closed !== undefined || saving.busy

  async function write(account: NewSipAccount | null): Promise<undefined> {
    await call(calls.setSipAccount, { params: { id: unit.uid }, body: { sipAccount: account } })
    await onSaved()
  }
  const save = () => saving.runChecked({ schema: NewSipAccount, typed, title: t('incomplete'), ask: write })
  const field = (name: keyof NewSipAccount) => ({
    label: t(`field.${name}`),
    error: saving.faults[name] ?? saving.faults[`sipAccount.${name}`],
    ...closedBy(closed),
    value: typed[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      setTyped((now) => ({ ...now, [name]: currentTarget.value })),
  })
  return (
    <fieldset>
      <legend>{t('account')}</legend>
      <p className="quiet">
        {server === '' ? t('serverMissing') : t(sipAccount ? 'ownServer' : 'serverOfCustomer', { server })}
      </p>
      {mayAdminister ? (
        <>
          <TextInput {...field('server')} />
          <TextInput {...field('account')} />
          {saving.unplaced === undefined ? null : <p className="text-critical">{saving.unplaced}</p>}
          <p className="intercom-act">
            <button
              type="button"
              className="plain-button primary"
              aria-disabled={saveClosed || isSame}
              data-tip={closed}
              onClick={() => !saveClosed && !isSame && void save()}
            >
              {t('save')}
            </button>
            {sipAccount ? (
              <button
                type="button"
                className="plain-button"
                aria-disabled={saveClosed}
                data-tip={closed}
                onClick={() => !saveClosed && void saving.run(() => write(null))}
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
