import { useTranslation } from 'react-i18next'
import { ServerFacts } from './ServerFacts.tsx'
import { useServer } from './server-reads.ts'
import styles from './servers.module.css'

/** The panel under the row of a server. */
export function ServerPanel({ id }: { id: string }) {
  const { t } = useTranslation('servers')
  const { server, errorText } = useServer(id)
  return (
    <div className={styles.serverPanel}>
      {server ? <ServerFacts server={server} /> : <p className="quiet">{errorText ?? t('loading')}</p>}
    </div>
  )
}
