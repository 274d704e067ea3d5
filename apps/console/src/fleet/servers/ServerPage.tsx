// /unit/server/:uid: one server with its state, and its channels as far as the user works with them.
import type { Channel } from '@backhaul/contract/nouns/channels'
import { channelIsIn, displayedChannelName } from '@backhaul/contract/nouns/channels'
import type { Server } from '@backhaul/contract/nouns/servers'
import { IconServer, IconSettings } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { DevicePageEmpty, DevicePageHead } from '../../kit/DevicePage.tsx'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { useListVersion } from '../../ui/keyed-store.ts'
import { StatusGlyph } from '../../ui/StatusGlyph.tsx'
import { useValue } from '../../ui/value.ts'
import { AlertList } from '../alerts/AlertList.tsx'
import { activeAlerts } from '../alerts/alerts.ts'
import { byChannelName, channelGlyph, channelStore, watchChannels } from '../channels/channels.ts'
import { ServerFacts } from './ServerFacts.tsx'
import { ServerState } from './ServerState.tsx'
import { useServer } from './server-reads.ts'
import styles from './servers.module.css'

export function ServerPage() {
  const { t } = useTranslation('servers')
  const { uid = '' } = useParams({ strict: false }) as { uid?: string }
  const { server, errorText } = useServer(uid)
  if (server) return <ServerScreen key={uid} server={server} />
  return <DevicePageEmpty text={errorText ?? t('loading')} isLoading={errorText === undefined} />
}

function ServerScreen({ server }: { server: Server }) {
  const { t } = useTranslation('servers')
  const mayAdminister = useMay('administerDevices')
  const alerts = useValue(activeAlerts).filter(({ uid }) => uid === server.deviceId)
  return (
    <article className={styles.serverPage}>
      <DevicePageHead name={server.name} icon={<IconServer size={16} aria-hidden />}>
        <ServerState server={server} />
        {mayAdminister ? (
          <Link to="/manage/devices" className={`plain-button tool-button ${styles.serverPageAct}`}>
            <IconSettings size={16} aria-hidden />
            {t('administer')}
          </Link>
        ) : null}
      </DevicePageHead>
      <div className={styles.serverPageBody}>
        {alerts.length === 0 ? null : <AlertList alerts={alerts} />}
        <ServerFacts server={server} />
        <ServerChannels id={server.deviceId} />
      </div>
    </article>
  )
}

/** Its channels that are in the group, each with what it does now. */
function ServerChannels({ id }: { id: string }) {
  const { t } = useTranslation('servers')
  useListVersion(channelStore)
  const channels = channelStore
    .ids()
    .flatMap((one) => channelStore.get(one) ?? [])
    .filter(({ serverId }) => serverId === id)
    .sort(byChannelName)
  const ids = channels.map(({ uniqueId }) => uniqueId).join()
  useEffect(() => (ids === '' ? undefined : watchChannels(ids.split(','))), [ids])
  return (
    <section className={styles.serverChannels}>
      <h3>{t('channels')}</h3>
      {channels.length === 0 ? (
        <p className="quiet">{t('noChannels')}</p>
      ) : (
        <ul>
          {channels.map((channel) => (
            <ServerChannel key={channel.uniqueId} channel={channel} />
          ))}
        </ul>
      )}
    </section>
  )
}

function ServerChannel({ channel }: { channel: Channel }) {
  const { name, status, allocatedToUnitAlias } = channel
  const { t } = useTranslation('multiview')
  const word = channelIsIn(status, 'offline') ? 'offline' : status
  return (
    <li data-part="server-channel">
      <StatusGlyph {...channelGlyph(channel)} size={12} />
      <span className="clip">{displayedChannelName(name)}</span>
      <span className="quiet">{t(`status.${word}`)}</span>
      <span className="quiet clip">{allocatedToUnitAlias}</span>
    </li>
  )
}
