// Common parts of the pages of a unit and of a server: the way back to the list, the name, and the text without a device.
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './device-page.module.css'

interface DevicePageHeadProps {
  name: string
  /** Before the name. */
  icon?: ReactNode
  children: ReactNode
}

export function DevicePageHead({ name, icon, children }: DevicePageHeadProps) {
  const { t } = useTranslation()
  useEffect(() => {
    // The path names the device by its id; a user knows it by its name.
    document.title = document.title.replace(/^.* - /, `${name} - `)
  }, [name])
  return (
    <header className={styles.devicePageHead}>
      <Link
        to="/unit/list"
        className="plain-button icon-button"
        aria-label={t('toUnitList')}
        data-tip={t('toUnitList')}
      >
        <IconArrowLeft size={16} />
      </Link>
      {icon}
      <h2 className="clip">{name}</h2>
      {children}
    </header>
  )
}

/** In place of a device that is not there, or not yet. */
export function DevicePageEmpty({ text, isLoading }: { text: ReactNode; isLoading: boolean }) {
  const { t } = useTranslation()
  return (
    <div className={styles.devicePageEmpty}>
      <p>{text}</p>
      {isLoading ? null : <Link to="/unit/list">{t('toUnitList')}</Link>}
    </div>
  )
}
