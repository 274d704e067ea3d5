import { useTranslation } from 'react-i18next'
import { usePreference } from '../../session/preferences/preferences.ts'
import './inventory-names.css'

/** The customer whose group the person works in. */
export function CurrentInventory() {
  const { t } = useTranslation('groups')
  const name = usePreference((all) => all.inventoryName)
  if (!name) return null
  return (
    <span className="current-inventory" title={name}>
      <span className="quiet">{t('inventory')}</span>
      <span className="clip">{name}</span>
    </span>
  )
}
