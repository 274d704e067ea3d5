import type { Unit } from '@backhaul/contract/nouns/units'
import { Alert, Loader } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { givenReason } from '../../texts/generic.ts'
import styles from './unit-networks.module.css'
import { requestOf } from './unit-networks.ts'

/** State of a request for the unit's networks, or why it failed. */
export function RequestState({ unit }: { unit: Unit }) {
  const { t } = useTranslation('unitNetworks')
  const request = requestOf(unit)
  if (!request) return <p role="status" className="visually-hidden" />
  const { name, isOpen, command } = request
  if (isOpen)
    return (
      <p role="status" className={styles.networkActs}>
        <Loader size={14} /> {t(`progress.${name}`)}
      </p>
    )
  return (
    <Alert color="red" role="status" title={t(`failed.${name}`)}>
      {givenReason(command) || t('noAnswer')}
    </Alert>
  )
}
