// The channels that an ingest server receives, read-only.
import { ingest } from '@backhaul/contract/api/ingest'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../doors/reads.ts'
import { StaticTable } from '../../ui/StaticTable.tsx'

const columns = ['name', 'server', 'status', 'by'] as const

export function IngestChannels({ serverId }: { serverId: string }) {
  const { t } = useTranslation('ingest')
  const { t: words } = useTranslation('multiview')
  const { data } = useRead(ingest.channels, { params: { id: serverId } })
  if (data?.length === 0) return <p className="quiet">{t('channels.none')}</p>
  return (
    <StaticTable label={t('channels.title')} columns={columns.map((name) => t(`channels.${name}`))}>
      {data?.map(({ channelId, channelName, serverName, status, isDefault }) => (
        <tr key={channelId}>
          <td>{channelName}</td>
          <td>{serverName}</td>
          <td>{words(`status.${status}`)}</td>
          <td>{t(isDefault ? 'channels.byAccount' : 'channels.byChannel')}</td>
        </tr>
      ))}
    </StaticTable>
  )
}
