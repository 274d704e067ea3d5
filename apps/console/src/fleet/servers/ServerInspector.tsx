import { IconArrowUpRight, IconServer } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useItem } from '../../ui/keyed-store.ts'
import { AlertList } from '../alerts/AlertList.tsx'
import { ServerCard } from './ServerCard.tsx'
import styles from './servers.module.css'
import { liveServers } from './servers.ts'

/** The server that is selected in the list of units. */
export function ServerInspector({ id }: { id: string }) {
  const { t } = useTranslation('servers')
  const alerts = useItem(liveServers, id)?.alerts ?? []
  return (
    <aside className={styles.serverInspector} aria-label={t('selected')}>
      <div className={styles.serverInspectorHead}>
        <h2>
          <IconServer size={16} aria-hidden /> {t('server')}
        </h2>
        <Link
          to="/unit/server/$uid"
          params={{ uid: id }}
          search={{ ignoreRouteDefault: '1' }}
          className="plain-button icon-button"
          aria-label={t('openPage')}
          data-tip={t('openPage')}
        >
          <IconArrowUpRight size={16} />
        </Link>
      </div>
      {alerts.length === 0 ? null : <AlertList alerts={alerts} />}
      <ServerCard id={id} />
    </aside>
  )
}
