import { useTranslation } from 'react-i18next'
import { Facts } from '../../ui/Facts.tsx'
import { presenceLook, StatusGlyph } from '../../ui/StatusGlyph.tsx'
import styles from './servers.module.css'
import { useServer, useServerServices, useSmpteConfigured } from './servers.ts'

/** A receiving server in a few lines: is it there, how busy, what it can do. */
export function ServerCard({ id }: { id: string }) {
  const { t } = useTranslation('servers')
  const server = useServer(id)
  const services = useServerServices(id)
  const smpte = useSmpteConfigured(id)
  if (!server) return <p className="quiet">{t('loading')}</p>
  const online = server.state === 'online'
  const usage = server.serverUsage
  const facts: [string, string][] = [
    [t('product'), server.productType],
    [t('version'), server.swVersion],
    [t('addresses'), server.addresses.join(', ') || t('none')],
    [
      t('load'),
      usage
        ? t('loadOf', { cpu: Math.round(usage.cpuPercent), memory: Math.round(usage.memoryPercent) })
        : t('none'),
    ],
    [t('storage'), usage ? `${Math.round(usage.storagePercent)}%` : t('none')],
    [t('protocols'), server.capabilities?.protocolsIn.join(', ') || t('none')],
    [t('services'), services?.join(', ') || t('none')],
    [t('smpte'), t(smpte ? 'configured' : 'notConfigured')],
  ]
  return (
    <div className={styles.serverCard} data-server-card>
      <p className={styles.serverCardHead}>
        <StatusGlyph {...presenceLook(online)} />
        <strong>{server.name}</strong> <span className="quiet">{t(online ? 'online' : 'offline')}</span>
      </p>
      <Facts facts={facts} />
    </div>
  )
}
