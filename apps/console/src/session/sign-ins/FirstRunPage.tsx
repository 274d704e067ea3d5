import { PasswordInput, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Fault } from '../../doors/api.ts'
import { reasonText } from '../../texts/generic.ts'
import { SignInCard } from './SignInCard.tsx'
import { makeFirstUser } from './sign-ins.ts'

const empty = { setupCode: '', username: '', firstName: '', lastName: '', password: '' }
type Field = keyof typeof empty
const autoComplete = { username: 'username', firstName: 'given-name', lastName: 'family-name' }

/** Makes the first super user of a new installation; the start screen links here with the setup code. */
export function FirstRunPage() {
  const { t } = useTranslation('signIn')
  // The code is after the #, which the browser does not send.
  const [given, setGiven] = useState({ ...empty, setupCode: location.hash.slice(1) })
  const [repeat, setRepeat] = useState('')
  // The link of the start screen, pasted where the page is open already.
  useEffect(() => {
    const take = () => setGiven((before) => ({ ...before, setupCode: location.hash.slice(1) }))
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])

  async function submit(): Promise<Fault | undefined> {
    const differs = reasonText('password.confirmation')
    if (given.password !== repeat) return { title: differs, fields: { repeat: differs } }
    await makeFirstUser(given)
    location.assign('/')
  }

  const toggle = { 'aria-label': t('showPassword') }
  return (
    <SignInCard
      title={t('first.title')}
      note={t('first.text')}
      submitWord={t('first.make')}
      onSubmit={submit}
    >
      {(faults) => {
        const input = (name: Field) => ({
          size: 'sm',
          name,
          label: t(`first.${name}`),
          value: given[name],
          error: faults[name],
          onChange: (event: { currentTarget: { value: string } }) =>
            setGiven({ ...given, [name]: event.currentTarget.value }),
        })
        return (
          <>
            <TextInput {...input('setupCode')} description={t('first.setupCodeHint')} autoComplete="off" />
            {(['username', 'firstName', 'lastName'] as const).map((name) => (
              <TextInput
                key={name}
                {...input(name)}
                autoComplete={autoComplete[name]}
                autoFocus={name === 'username'}
              />
            ))}
            <PasswordInput
              {...input('password')}
              description={t('first.passwordHint')}
              autoComplete="new-password"
              visibilityToggleButtonProps={toggle}
            />
            <PasswordInput
              size="sm"
              label={t('first.repeat')}
              name="repeat"
              autoComplete="new-password"
              value={repeat}
              error={faults.repeat}
              visibilityToggleButtonProps={toggle}
              onChange={(event) => setRepeat(event.currentTarget.value)}
            />
          </>
        )
      }}
    </SignInCard>
  )
}
