// /customer_portal: where a customer begins: their name, their services, what their units are licensed for, the applications, the support.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LicenceState } from '../fleet/units/LicenceState.tsx'
import { useGroups } from '../people/groups/groups.ts'
import { applicationUrls } from '../session/sign-ins/sign-ins.ts'
import { useValue } from '../ui/value.ts'
import { ServiceState } from '../usage/services/ServiceState.tsx'
import styles from './customer-portal.module.css'
import { homePath } from './routes.ts'

export function CustomerPortalPage() {
  const { t } = useTranslation()
  const { current, state } = useGroups()
  const urls = useValue(applicationUrls)
  const others = (['videoReturnPortal', 'matrix'] as const).flatMap((name) => {
    const href = urls?.[name]
    return href === undefined ? [] : [{ name, href }]
  })
  return (
    <div className={styles.portal}>
      <h2>{current?.inventoryName ?? (state === 'loading' ? '…' : t('portal.noCustomer'))}</h2>
      {current ? <p className="quiet">{t('portal.group', { name: current.name })}</p> : null}
      <Card title={t('portal.applications')}>
        <Link to={homePath} className={styles.portalLink}>
          {t('portal.console')}
        </Link>
        {others.map(({ name, href }) => (
          <a key={name} href={href} className={styles.portalLink}>
            {t(`applications.${name}`)}
          </a>
        ))}
      </Card>
      {current ? (
        <>
          <Card title={t('portal.services')}>
            <ServiceState inventory={current.inventoryId} />
          </Card>
          <Card title={t('portal.licences')}>
            <LicenceState />
          </Card>
        </>
      ) : null}
      <Card title={t('applications.support')}>
        {urls?.support ? (
          <a href={urls.support} className={styles.portalLink}>
            {t('portal.contact')}
          </a>
        ) : (
          <p>{t('portal.noContact')}</p>
        )}
      </Card>
    </div>
  )
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.portalCard} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}
