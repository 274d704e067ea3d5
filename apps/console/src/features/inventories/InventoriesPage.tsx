// /psg/system_entities/inventories: the customers and their secondary inventories.
import type { EnhancedInventory } from '@backhaul/contract/nouns/inventories'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AddButton } from '../../ui/AddButton.tsx'
import { figureColumn, textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { textFilter } from '../../ui/text-filter.ts'
import { useListDialog } from '../../ui/use-list-dialog.ts'
import { ConfirmDialog } from '../lists/ConfirmDialog.tsx'
import { useWholeList } from '../lists/lists.ts'
import { ListScreen } from '../preferences/ListScreen.tsx'
import { InventoryDialog } from './InventoryDialog.tsx'
import { byFamily, inventories, removeInventory } from './inventories.ts'
import './inventories.css'

export function InventoriesPage() {
  const { t } = useTranslation('inventories')
  const list = useWholeList(inventories)
  const { over, add, open, close } = useListDialog(list.store)
  const [text, setText] = useState('')
  const columns = useMemo(() => inventoryColumns(t), [t])
  const filter = useMemo(() => textFilter(text, searched), [text])
  const addButton = <AddButton label={t('add')} onClick={add} />
  return (
    <ListScreen
      {...list}
      gridId="inventories"
      search={{ label: t('search'), text, onText: setText }}
      actions={addButton}
      label={t('list')}
      columns={columns}
      defaultCompare={byFamily}
      filter={filter}
      onOpen={(id) => open('edit', id)}
      onRowKey={(key, id) => {
        if (key !== 'F2') return false
        open('edit', id)
        return true
      }}
      rowMenu={(id) => [
        { id: 'edit', label: t('edit'), run: () => open('edit', id) },
        { id: 'remove', label: t('remove'), run: () => open('delete', id) },
      ]}
      empty={{ ...t('empty', { returnObjects: true }), action: addButton }}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="inventories"
    >
      {over?.kind === 'edit' ? (
        <InventoryDialog
          key={over.item?.id}
          inventory={over.item}
          onDelete={() => open('delete', over.item?.id ?? '')}
          onClose={close}
        />
      ) : null}
      {over?.kind === 'delete' ? (
        <ConfirmDialog
          title={t('removeTitle', { name: over.item.name })}
          text={t('removeText')}
          okLabel={t('remove')}
          run={() => removeInventory(over.item.id)}
          done={{ title: t('removed'), text: over.item.name }}
          onClose={close}
        />
      ) : null}
    </ListScreen>
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
    textColumn<EnhancedInventory>(id, t(`field.${id}`), width, (one) => one[id] ?? '', {
      hiddenAtFirst,
      render: (one) => one[id] || '—',
    })
  const counts = ['units', 'channels', 'groups', 'users', 'secondaries'] as const
  return [
    textColumn('name', t('field.name'), 260, ({ name }) => name, {
      required: true,
      render: (one) => (
        <span className={one.parent === null ? 'clip' : 'clip inventory-child'}>{one.name}</span>
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
