import type { Server } from '@backhaul/contract/nouns/servers'
import { useTranslation } from 'react-i18next'
import { Facts } from '../../ui/Facts.tsx'
import { useServerGroups, useServerServices, useSmpteConfigured } from './server-reads.ts'
import { textInUse } from './servers.ts'

/** Load, groups and abilities of a server. */
export function ServerFacts({ server }: { server: Server }) {
  const { t } = useTranslation('servers')
  const { deviceId: id, serverUsage: usage } = server
  const services = useServerServices(id)
  const smpte = useSmpteConfigured(id)
  const groups = useServerGroups(id)
  const facts: [string, string][] = [
    [t('inUse'), textInUse(server, t) || t('none')],
    [t('groups'), groups?.join(', ') || t('none')],
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
  return <Facts facts={facts} />
}
