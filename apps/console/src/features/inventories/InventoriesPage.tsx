// /psg/system_entities/inventories: the customers and their secondary inventories.
import type { EnhancedInventory } from '@backhaul/contract/nouns/inventories'
import { IconPlus } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { useValue } from '../../ui/value.ts'
import { ListScreen } from '../preferences/ListScreen.tsx'
import { DeleteInventoryDialog } from './DeleteInventoryDialog.tsx'
import { InventoryDialog } from './InventoryDialog.tsx'
import { byFamily, inventoryStore, loadInventories, loading } from './inventories.ts'
import './inventories.css'
import { compareTexts } from '../../ui/locale.ts'

/** What is open: the form of a new one or of one by its id, or the question whether to delete it. */
type Open = { form: string | null } | { remove: string } | null

export function InventoriesPage() {
  const { t } = useTranslation('inventories')
  const [text, setText] = useState('')
  const [open, setOpen] = useState<Open>(null)
  const { state, text: fault } = useValue(loading)
  const columns = useMemo(() => inventoryColumns(t), [t])
  const filter = useMemo(() => filterBy(text), [text])
  useEffect(() => void loadInventories(), [])
  const close = () => setOpen(null)
  const edit = (id: string) => setOpen({ form: id })
  const add = (
    <button type="button" className="plain-button tool-button" onClick={() => setOpen({ form: null })}>
      <IconPlus size={16} aria-hidden />
      <span>{t('add')}</span>
    </button>
  )
  return (
    <ListScreen
      gridId="inventories"
      search={{ label: t('search'), text, onText: setText }}
      actions={add}
      label={t('list')}
      store={inventoryStore}
      columns={columns}
      defaultCompare={byFamily}
      filter={filter}
      onOpen={edit}
      onRowKey={(key, id) => {
        if (key !== 'F2') return false
        edit(id)
        return true
      }}
      rowMenu={(id) => [
        { id: 'edit', label: t('edit'), run: () => edit(id) },
        { id: 'remove', label: t('remove'), run: () => setOpen({ remove: id }) },
      ]}
      state={state}
      errorText={fault}
      onRetry={() => void loadInventories()}
      empty={{ ...t('empty', { returnObjects: true }), action: add }}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="inventories"
    >
      <InventoryDialog
        id={open && 'form' in open ? open.form : undefined}
        onClose={close}
        onDelete={(id) => setOpen({ remove: id })}
      />
      <DeleteInventoryDialog id={open && 'remove' in open ? open.remove : null} onClose={close} />
    </ListScreen>
  )
}

function filterBy(text: string): ((inventory: EnhancedInventory) => boolean) | undefined {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return undefined
  return ({ name, parentName, region, customerId }) =>
    [name, parentName ?? '', region, customerId].some((value) => value.toLowerCase().includes(wanted))
}

function inventoryColumns(t: TFunction<'inventories'>): readonly GridColumn<EnhancedInventory>[] {
  type Words = 'parentName' | 'region' | 'customerId' | 'sipServer' | 'cloudProvider'
  type Counts = 'units' | 'channels' | 'groups' | 'users' | 'secondaries'
  const words = (id: Words, width: number, hiddenAtFirst = false): GridColumn<EnhancedInventory> => ({
    id,
    title: t(`field.${id}`),
    width,
    hiddenAtFirst,
    render: (one) => one[id] || '—',
    text: (one) => one[id] ?? '',
    compare: (a, b) => compareTexts(a[id] ?? '', b[id] ?? ''),
  })
  const figure = (id: Counts): GridColumn<EnhancedInventory> => ({
    id,
    title: t(`field.${id}`),
    width: 92,
    align: 'end',
    render: (one) => one[id],
    text: (one) => `${one[id]}`,
    compare: (a, b) => a[id] - b[id],
  })
  return [
    {
      id: 'name',
      title: t('field.name'),
      width: 260,
      required: true,
      render: (one) => (
        <span className={one.parent === null ? undefined : 'inventory-child'}>{one.name}</span>
      ),
      text: (one) => one.name,
      compare: (a, b) => compareTexts(a.name, b.name),
    },
    words('parentName', 200),
    words('region', 200),
    words('customerId', 130),
    words('sipServer', 180, true),
    words('cloudProvider', 110, true),
    figure('units'),
    figure('channels'),
    figure('groups'),
    figure('users'),
    figure('secondaries'),
  ]
}
