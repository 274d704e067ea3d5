import { Menu, useComputedColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { setPreferences } from '../session/preferences/preferences.ts'
import { applicationUrls, signOut, useSignedIn } from '../session/sign-ins/sign-ins.ts'
import { useValue } from '../ui/value.ts'
import { openDialog } from './dialogs.ts'

/** `brief`: the user alone, for standalone pages. */
export function UserMenu({ brief = false }: { brief?: boolean }) {
  const { t } = useTranslation()
  const who = useSignedIn()
  const scheme = useComputedColorScheme('dark')
  if (!who) return null
  const { user, configuration } = who
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ') || user.username
  const initials = [user.firstName[0], user.lastName[0]].filter(Boolean).join('') || user.username.slice(0, 2)
  const other = scheme === 'dark' ? 'light' : 'dark'
  return (
    <Menu position="bottom-end" width={240} shadow="md">
      <Menu.Target>
        <button
          type="button"
          className="user-button"
          aria-label={t('user.menu', { name, initials: initials.toUpperCase() })}
        >
          {initials.toUpperCase()}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{name}</Menu.Label>
        <Menu.Item onClick={() => openDialog('account')}>{t('user.account')}</Menu.Item>
        {brief ? null : (
          <Menu.Item onClick={() => openDialog('preferences')}>{t('user.preferences')}</Menu.Item>
        )}
        <Menu.Item onClick={() => setPreferences({ theme: other })}>{t(`user.${other}`)}</Menu.Item>
        {brief ? null : <WholeMenu version={configuration.version} />}
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut()}>{t('user.logout')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Links out to the other applications; one without an address is not there (SC-NAV-10, SC-NAV-11). */
function OtherApplications() {
  const { t } = useTranslation()
  const urls = useValue(applicationUrls)
  const links = (['videoReturnPortal', 'matrix', 'support'] as const).flatMap((name) => {
    const href = urls?.[name]
    return href === undefined ? [] : [{ name, href }]
  })
  if (links.length === 0) return null
  return (
    <>
      <Menu.Divider />
      {links.map(({ name, href }) => (
        <Menu.Item key={name} component="a" href={href} target="_blank" rel="noreferrer">
          {t(`applications.${name}`)}
        </Menu.Item>
      ))}
    </>
  )
}

function WholeMenu({ version: number }: { version: string }) {
  const { t } = useTranslation()
  const urls = useValue(applicationUrls)
  const version = t('user.version', { version: number })
  return (
    <>
      <Menu.Item onClick={() => openDialog('keys')} rightSection="?">
        {t('user.keyboard')}
      </Menu.Item>
      <OtherApplications />
      <Menu.Divider />
      <Menu.Item onClick={() => openDialog('about')}>{t('user.about')}</Menu.Item>
      {urls?.releaseNotes ? (
        <Menu.Item component="a" href={urls.releaseNotes} target="_blank" rel="noreferrer">
          {version}
        </Menu.Item>
      ) : (
        <Menu.Item onClick={() => openDialog('about')}>{version}</Menu.Item>
      )}
    </>
  )
}
