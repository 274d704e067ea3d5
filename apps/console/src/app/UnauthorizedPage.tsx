import { Anchor, Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { applicationUrls, signOut, useSignedIn } from '../session/sign-ins/sign-ins.ts'
import { useValue } from '../ui/value.ts'
import { Wordmark } from '../ui/Wordmark.tsx'
import '../ui/kit-styles.ts'

/** One address, two variants: users of the video return portal, and users without any role (GAP-ROLE-06). */
export function UnauthorizedPage() {
  const { t } = useTranslation()
  const urls = useValue(applicationUrls)
  const roles = useSignedIn()?.configuration.loggedUserRoles ?? []
  const viewerOnly = roles.length === 1 && roles[0] === 'luc_vr_viewer'
  return (
    <main className="lone-page">
      <div>
        <Wordmark />
        <h1>{viewerOnly ? t('limited.title') : t('forbidden')}</h1>
        {viewerOnly ? <p>{t('limited.text')}</p> : null}
        {viewerOnly && urls?.videoReturnPortal ? (
          <p>
            <Anchor href={urls.videoReturnPortal}>{t('limited.portal')}</Anchor>
          </p>
        ) : null}
        <div className="lone-actions">
          {viewerOnly || !urls?.matrix ? null : (
            <Button component="a" href={urls.matrix}>
              {t('switchApplication')}
            </Button>
          )}
          <Button variant="default" onClick={() => void signOut()}>
            {t('user.logout')}
          </Button>
        </div>
      </div>
    </main>
  )
}
