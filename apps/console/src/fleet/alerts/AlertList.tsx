import type { Alert } from '@backhaul/contract/nouns/alerts'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { reasonText } from '../../texts/generic.ts'
import { Age } from '../../ui/Age.tsx'
import { mbpsText } from '../../ui/locale.ts'
import { StatusGlyph } from '../../ui/StatusGlyph.tsx'
import styles from './alerts.module.css'
import { closeAlert } from './alerts.ts'

interface AlertListProps {
  alerts: readonly Alert[]
  /** Names the unit or server of each alert and makes it a way there. */
  onDevice?: ((alert: Alert) => void) | undefined
}

export function AlertList({ alerts, onDevice }: AlertListProps) {
  const { t } = useTranslation('alerts')
  const typeText = ({ type, about }: Alert) => [t(`type.${type}`), about?.name].filter(Boolean).join(': ')
  const valueText = (alert: Alert) => {
    if (alert.value === null) return ''
    const value = alert.type === 'bitrateDrop' ? mbpsText(alert.value) : Math.round(alert.value)
    return t(`value.${alert.type}`, { value })
  }
  return (
    <ul className={styles.alertList}>
      {alerts.map((alert) => (
        <li key={alert.id} data-alert={alert.severity}>
          <StatusGlyph
            shape={alert.severity === 'critical' ? 'octagon' : 'triangle'}
            tone={alert.severity}
            size={15}
          />
          <span className="visually-hidden">{t(alert.severity)}</span>
          <span className={styles.alertWords}>
            {onDevice ? (
              <button type="button" className={styles.textButton} onClick={() => onDevice(alert)}>
                {alert.name}
              </button>
            ) : null}
            <span>
              {typeText(alert)} {valueText(alert)}
            </span>
            {alert.reason === undefined ? null : (
              <span>{reasonText({ message: alert.reason, cause: alert.cause })}</span>
            )}
          </span>
          <span className="quiet">
            <Age atMs={alert.since} />
          </span>
          <button
            type="button"
            className={styles.closeButton}
            aria-label={t('close', { alert: typeText(alert), name: alert.name })}
            data-tip={t('closeHint')}
            onClick={() => closeAlert(alert.id)}
          >
            <IconX size={14} />
          </button>
        </li>
      ))}
    </ul>
  )
}
