// Report of a server, read-only: its state, its machine, and its warnings.
import { servers } from '@backhaul/contract/api/servers'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../doors/reads.ts'
import { ServerCard } from '../../fleet/servers/ServerCard.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { decimal } from '../../ui/locale.ts'
import styles from './device-administration.module.css'

const MB_PER_GB = 1000

export function ServerInfo({ id }: { id: string }) {
  const { t } = useTranslation('deviceAdministration')
  const { data } = useRead(servers.specifications, { params: { id } })
  const gigabytes = (mb: number) => `${decimal(mb / MB_PER_GB, 0)} GB`
  return (
    <>
      <ServerCard id={id} />
      <h3 className={styles.deviceHeading}>{t('machine.title')}</h3>
      {data ? (
        <Facts
          facts={[
            [t('machine.hostName'), data.hostName || '—'],
            [t('machine.operatingSystem'), data.operatingSystem || '—'],
            [t('machine.processor'), data.processor || '—'],
            [t('machine.cores'), data.cores || '—'],
            [t('machine.memory'), gigabytes(data.memoryMb)],
            [t('machine.storage'), gigabytes(data.storageMb)],
          ]}
        />
      ) : (
        <p className="quiet">{t(data === null ? 'machine.unreported' : 'machine.loading')}</p>
      )}
    </>
  )
}
