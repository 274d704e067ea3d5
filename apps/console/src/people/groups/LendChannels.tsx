// Lending to a customer without channels: administrators of several customers lend it some of another one.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { LendChannelsDialog } from '../channel-lending/LendChannelsDialog.tsx'
import type { InventoryChoice } from './group-list.ts'
import styles from './manage-groups.module.css'

interface LendChannelsProps {
  inventoryId: string
  /** Inventories of the user. */
  inventories: readonly InventoryChoice[]
  onLent: () => void
}

export function LendChannels({ inventoryId, inventories, onLent }: LendChannelsProps) {
  const { t } = useTranslation('channels')
  const mayLend = useMay('administerDevices')
  const [isOpen, setOpen] = useState(false)
  const inventory = inventories.find(({ id }) => id === inventoryId)
  if (!mayLend || !inventory || inventories.length < 2) return null
  return (
    <>
      <Button size="xs" variant="default" className={styles.memberLend} onClick={() => setOpen(true)}>
        {t('lend.toCustomer', { name: inventory.name })}
      </Button>
      {isOpen ? (
        <LendChannelsDialog
          inventories={[inventory]}
          withGroup={false}
          onLent={onLent}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}
