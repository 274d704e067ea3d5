// /psg/system_entities/inventories: the customers and their secondary inventories.
import type { EnhancedInventory } from '@backhaul/contract/nouns/inventories'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IngestAccountDialog } from '../../equipment/ingest/IngestAccountDialog.tsx'
import { EditedListScreen } from '../../kit/EditedListScreen.tsx'
import { figureColumn, textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { InventoryDialog } from './InventoryDialog.tsx'
import styles from './inventories.module.css'
import { byFamily, inventories, removeInventory } from './inventories.ts'

export function InventoriesPage() {
  const { t } = useTranslation('inventories')
  const [account, openAccount] = useState<EnhancedInventory>()
  const columns = useMemo(() => inventoryColumns(t), [t])
  return (
    <EditedListScreen
      list={inventories}
      gridId="inventories"
      exportName="inventories"
      words={t('list', { returnObjects: true })}
      columns={columns}
      defaultCompare={byFamily}
      searched={searched}
      idOf={({ id }) => id}
      moreOf={(inventory) => [{ id: 'ingest', label: t('ingestAccount'), run: () => openAccount(inventory) }]}
      form={(inventory, more) => <InventoryDialog key={inventory?.id} inventory={inventory} {...more} />}
      question={({ id, name }) => ({
        title: t('removeTitle', { name }),
        text: t('removeText'),
        run: () => removeInventory(id),
        done: { title: t('removed'), text: name },
      })}
    >
      {account ? <IngestAccountDialog inventory={account} onClose={() => openAccount(undefined)} /> : null}
    </EditedListScreen>
  )
}

const searched = ({ name, parentName, region, customerId }: EnhancedInventory) => [
  name,
  parentName,
  region,
  customerId,
]

function inventoryColumns(t: TFunction<'inventories'>): readonly GridColumn<EnhancedInventory>[] {
  type Words = 'parentName' | 'region' | 'customerId' | 'sipServer' | 'cloudProvider'
  const words = (id: Words, width: number, hiddenAtFirst = false) =>
    textColumn<EnhancedInventory>(id, t(`field.${id}`), width, (one) => one[id] ?? '', { hiddenAtFirst })
  const counts = ['units', 'channels', 'groups', 'users', 'secondaries'] as const
  return [
    textColumn('name', t('field.name'), 260, ({ name }) => name, {
      required: true,
      render: (one) => (
        <span className={one.parent === null ? 'clip' : `clip ${styles.inventoryChild}`}>{one.name}</span>
      ),
    }),
    words('parentName', 200),
    words('region', 200),
    words('customerId', 130),
    words('sipServer', 180, true),
    words('cloudProvider', 110, true),
    ...counts.map((id) => figureColumn<EnhancedInventory>(id, t(`field.${id}`), 92, (one) => one[id])),
  ]
}
