import { type Alert, isOfServer } from '@backhaul/contract/nouns/alerts'
import { Popover } from '@mantine/core'
import { IconBell, IconVolume, IconVolumeOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { setPreferences, usePreference } from '../../session/preferences/preferences.ts'
import { useValue } from '../../ui/value.ts'
import { AlertList } from './AlertList.tsx'
import styles from './alerts.module.css'
import { activeAlerts, closedCount, reopenAlerts } from './alerts.ts'

export function AlertBell({ onDevice }: { onDevice: (alert: Alert) => void }) {
  const { t } = useTranslation('alerts')
  const alerts = useValue(activeAlerts)
  const closed = useValue(closedCount)
  const sounds = usePreference((all) => all.unitAlertsSoundSettings)
  const critical = alerts.filter((alert) => alert.severity === 'critical').length
  const ofServers = alerts.filter(({ type }) => isOfServer(type)).length
  const words = [t('count', { count: alerts.length })]
  if (ofServers > 0) words.push(t('ofServers', { count: ofServers }))
  const soundWords = t(sounds.critical ? 'soundOn' : 'soundOff')
  return (
    <>
      <Popover position="bottom-end" width={360} shadow="md" trapFocus>
        <Popover.Target>
          <button
            type="button"
            className="top-icon"
            aria-label={words.join(', ')}
            data-tip={words.join(', ')}
            data-critical={critical > 0 || undefined}
          >
            <IconBell size={18} />
            {alerts.length > 0 ? <b>{alerts.length > 99 ? '99+' : alerts.length}</b> : null}
          </button>
        </Popover.Target>
        <Popover.Dropdown className={styles.alertPopover}>
          <h2 tabIndex={-1} data-autofocus>
            {t('active')}
          </h2>
          {alerts.length === 0 ? (
            <p className="quiet">{t('none')}</p>
          ) : (
            <AlertList alerts={alerts} onDevice={onDevice} />
          )}
          {closed > 0 ? (
            <p className={`quiet ${styles.closedAlerts}`}>
              {t('closed', { count: closed })}
              <button type="button" className={styles.textButton} onClick={reopenAlerts}>
                {t('reopen')}
              </button>
            </p>
          ) : null}
        </Popover.Dropdown>
      </Popover>
      <button
        type="button"
        className="top-icon"
        aria-pressed={sounds.critical}
        aria-label={soundWords}
        data-tip={soundWords}
        onClick={() => setPreferences({ unitAlertsSoundSettings: { ...sounds, critical: !sounds.critical } })}
      >
        {sounds.critical ? <IconVolume size={18} /> : <IconVolumeOff size={18} />}
      </button>
    </>
  )
}
