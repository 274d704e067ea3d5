// /psg/system_settings/inventory_service: services that the vendor gives a customer, and the number of its licences.
import type { ManagedService } from '@backhaul/contract/nouns/services'
import { IconKey } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { useCustomerList } from '../../people/inventory-names/InventoryChoice.tsx'
import { AddButton } from '../../ui/AddButton.tsx'
import { compareTexts } from '../../ui/locale.ts'
import { textFilter } from '../../ui/text-filter.ts'
import { useListDialog } from '../../ui/use-list-dialog.ts'
import { StockDialog } from '../licences/StockDialog.tsx'
import { ServiceDialog } from './ServiceDialog.tsx'
import { serviceColumns } from './service-columns.tsx'
import { labelOf } from './service-texts.ts'
import { customerServices, takeService } from './services.ts'

export function CustomerServicesPage() {
  const { t } = useTranslation('services')
  const { choice, inventory, ...list } = useCustomerList(customerServices)
  const { over, add, open, close } = useListDialog<ManagedService, 'take'>(list.store)
  const [isStockOpen, setStockOpen] = useState(false)
  const [text, setText] = useState('')
  const columns = useMemo(() => serviceColumns(t, 'one customer'), [t])
  const filter = useMemo(
    () => textFilter(text, ({ name, plan }: ManagedService) => [labelOf(t, name), name, plan]),
    [t, text],
  )
  return (
    <ListScreen
      {...list}
      gridId="customerServices"
      search={{ label: t('customer.search'), text, onText: setText }}
      actions={
        <>
          {choice}
          <button type="button" className="plain-button tool-button" onClick={() => setStockOpen(true)}>
            <IconKey size={16} aria-hidden />
            <span>{t('customer.stock')}</span>
          </button>
          <AddButton label={t('customer.other')} onClick={add} />
        </>
      }
      label={t('customer.title')}
      columns={columns}
      defaultCompare={givenFirst}
      filter={filter}
      onOpen={(name) => open('edit', name)}
      rowMenu={(name) =>
        list.store.get(name)?.status === 'na'
          ? [{ id: 'give', label: t('customer.give'), run: () => open('edit', name) }]
          : [
              { id: 'edit', label: t('customer.edit'), run: () => open('edit', name) },
              { id: 'take', label: t('customer.take'), run: () => open('take', name) },
            ]
      }
      empty={t('empty', { returnObjects: true })}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="customer-services"
    >
      {over?.kind === 'edit' ? (
        <ServiceDialog
          key={over.item?.name}
          service={over.item}
          inventory={inventory}
          onTake={() => open('take', over.item?.name ?? '')}
          onClose={close}
        />
      ) : null}
      {over?.kind === 'take' ? (
        <ConfirmDialog
          title={t('customer.takeTitle', { name: labelOf(t, over.item.name) })}
          text={t('customer.takeText', { inventory: over.item.inventoryName })}
          okLabel={t('customer.take')}
          run={() => takeService(over.item)}
          done={{ title: t('customer.taken'), text: labelOf(t, over.item.name) }}
          onClose={close}
        />
      ) : null}
      {isStockOpen ? <StockDialog inventory={inventory} onClose={() => setStockOpen(false)} /> : null}
    </ListScreen>
  )
}

const givenFirst = (a: ManagedService, b: ManagedService): number =>
  Number(a.status === 'na') - Number(b.status === 'na') || compareTexts(a.name, b.name)
