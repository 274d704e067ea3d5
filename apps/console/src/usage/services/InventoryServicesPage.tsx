// /services/inventory_services: services of customers in addition to their units, their time, their use, and their trials.
import type { ManagedService } from '@backhaul/contract/nouns/services'
import { SegmentedControl } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { useList } from '../../kit/lists.ts'
import { Banner } from '../../ui/Banner.tsx'
import { compareTexts } from '../../ui/locale.ts'
import { textFilter } from '../../ui/text-filter.ts'
import { serviceColumns } from './service-columns.tsx'
import { labelOf, usageText } from './service-texts.ts'
import { managedServices } from './services.ts'
import { TrialList } from './TrialList.tsx'

/** The use of services grows by itself. */
const refreshMs = 60_000

const views = ['services', 'trials'] as const

export function InventoryServicesPage() {
  const { t } = useTranslation('services')
  const [view, setView] = useState<(typeof views)[number]>('services')
  const switcher = (
    <SegmentedControl
      size="xs"
      aria-label={t('view.label')}
      value={view}
      onChange={(value) => setView(value as typeof view)}
      data={views.map((value) => ({ value, label: t(`view.${value}`) }))}
    />
  )
  if (view === 'trials') return <TrialList switcher={switcher} />
  return <ServiceList switcher={switcher} onTrials={() => setView('trials')} />
}

function ServiceList({ switcher, onTrials }: { switcher: ReactNode; onTrials: () => void }) {
  const { t } = useTranslation('services')
  const list = useList(managedServices, [], { everyMs: refreshMs })
  const [text, setText] = useState('')
  const columns = useMemo(() => serviceColumns(t, 'all customers'), [t])
  const filter = useMemo(
    () =>
      textFilter(text, ({ name, inventoryName, plan }: ManagedService) => [
        labelOf(t, name),
        name,
        inventoryName,
        plan,
      ]),
    [t, text],
  )
  const toTrials = (
    <button type="button" className="plain-button" onClick={onTrials}>
      {t('view.toTrials')}
    </button>
  )
  return (
    <ListScreen
      {...list}
      gridId="inventoryServices"
      search={{ label: t('search'), text, onText: setText }}
      actions={switcher}
      notice={<OverUsed services={list.items} />}
      label={t('title')}
      columns={columns}
      defaultCompare={byInventory}
      filter={filter}
      empty={{ ...t('empty', { returnObjects: true }), action: toTrials }}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="services"
    />
  )
}

const byInventory = (a: ManagedService, b: ManagedService): number =>
  compareTexts(a.inventoryName, b.inventoryName) || compareTexts(a.name, b.name)

/** A line for each service whose package is used up. */
function OverUsed({ services }: { services: readonly ManagedService[] }) {
  const { t } = useTranslation('services')
  const over = services.filter(({ overUsage }) => overUsage)
  return over.map((service) => (
    <Banner key={`${service.inventoryId} ${service.name}`} tone="warning" title={t('over.title')}>
      {t('over.text', {
        service: labelOf(t, service.name),
        inventory: service.inventoryName,
        usage: usageText(service),
      })}
    </Banner>
  ))
}
