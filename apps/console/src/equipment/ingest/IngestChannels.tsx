// The channels that an ingest server takes in, to look at.
import { ingest } from '@backhaul/contract/api/ingest'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../doors/reads.ts'
import styles from './ingest.module.css'

export function IngestChannels({ serverId }: { serverId: string }) {
  const { t } = useTranslation('ingest')
  const { t: words } = useTranslation('multiview')
  const { data } = useRead(ingest.channels, { params: { id: serverId } })
  if (data?.length === 0) return <p className="quiet">{t('channels.none')}</p>
  return (
    <table className={styles.ingestChannels}>
      <thead>
        <tr>
          {(['name', 'server', 'status', 'by'] as const).map((name) => (
            <th key={name} scope="col">
              {t(`channels.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {data?.map(({ channelId, channelName, serverName, status, isDefault }) => (
          <tr key={channelId}>
            <td>{channelName}</td>
            <td>{serverName}</td>
            <td>{words(`status.${status}`)}</td>
            <td>{t(isDefault ? 'channels.byAccount' : 'channels.byChannel')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
