import { useTranslation } from 'react-i18next'
import { ServerFacts } from './ServerFacts.tsx'
import { ServerState } from './ServerState.tsx'
import { useServer } from './server-reads.ts'
import styles from './servers.module.css'

/** A receiving server in a few lines: is it there, how busy, what it can do. */
export function ServerCard({ id }: { id: string }) {
  const { t } = useTranslation('servers')
  const { server, errorText } = useServer(id)
  if (!server) return <p className="quiet">{errorText ?? t('loading')}</p>
  return (
    <div className={styles.serverCard} data-server-card>
      <p className={styles.serverCardHead}>
        <strong>{server.name}</strong> <ServerState server={server} />
      </p>
      <ServerFacts server={server} />
    </div>
  )
}
