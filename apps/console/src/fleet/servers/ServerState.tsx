import type { Server } from '@backhaul/contract/nouns/servers'
import { useTranslation } from 'react-i18next'
import { presenceLook, StatusGlyph } from '../../ui/StatusGlyph.tsx'
import styles from './servers.module.css'

/** State of the server: shape, colour and word. */
export function ServerState({ server: { state } }: { server: Pick<Server, 'state'> }) {
  const { t } = useTranslation('servers')
  return (
    <span className={styles.serverState}>
      <StatusGlyph {...presenceLook(state === 'online')} />
      <span className="quiet">{t(state)}</span>
    </span>
  )
}
