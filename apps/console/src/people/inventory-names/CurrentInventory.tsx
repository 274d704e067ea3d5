import { useTranslation } from 'react-i18next'
import { usePreference } from '../../session/preferences/preferences.ts'
import styles from './inventory-names.module.css'

/** The customer whose group the user works in. */
export function CurrentInventory() {
  const { t } = useTranslation('groups')
  const name = usePreference((all) => all.inventoryName)
  if (!name) return null
  return (
    <span className={styles.currentInventory} title={name} data-current-inventory>
      <span className={`${styles.inventoryWord} quiet`}>{t('inventory')}</span>
      <span className="clip">{name}</span>
    </span>
  )
}
