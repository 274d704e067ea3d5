// /services/inventory_services: what the customer has beside his units, how long, and how much of it is used.
import type { ManagedService } from '@backhaul/contract/nouns/services'
import type { TFunction } from 'i18next'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AddButton } from '../../ui/AddButton.tsx'
import { Banner } from '../../ui/Banner.tsx'
import { figureColumn, textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { useListVersion } from '../../ui/keyed-store.ts'
import { compareTexts, dateFormat } from '../../ui/locale.ts'
import { StatusGlyph } from '../../ui/StatusGlyph.tsx'
import { textFilter } from '../../ui/text-filter.ts'
import { useWholeList } from '../lists/lists.ts'
import { ListScreen } from '../preferences/ListScreen.tsx'
import { daysLeft, glyphOf, labelOf, usageText } from './service-words.ts'
import { managedServices } from './services.ts'
import { TrialDialog } from './TrialDialog.tsx'
import './services.css'

/** What is used grows by itself. */
const refreshMs = 60_000

export function InventoryServicesPage() {
  const { t } = useTranslation('services')
  const list = useWholeList(managedServices)
  const [text, setText] = useState('')
  const [isTrialOpen, setTrialOpen] = useState(false)
  const columns = useMemo(() => columnsOf(t), [t])
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
  useEffect(() => {
    const refresh = setInterval(() => void managedServices.load(), refreshMs)
    return () => clearInterval(refresh)
  }, [])
  const trial = <AddButton label={t('trial.start')} onClick={() => setTrialOpen(true)} />
  return (
    <ListScreen
      {...list}
      gridId="inventoryServices"
      search={{ label: t('search'), text, onText: setText }}
      actions={trial}
      notice={<OverUsed />}
      label={t('title')}
      columns={columns}
      defaultCompare={byInventory}
      filter={filter}
      empty={{ ...t('empty', { returnObjects: true }), action: trial }}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="services"
    >
      {isTrialOpen ? <TrialDialog onClose={() => setTrialOpen(false)} /> : null}
    </ListScreen>
  )
}

const byInventory = (a: ManagedService, b: ManagedService): number =>
  compareTexts(a.inventoryName, b.inventoryName) || compareTexts(a.name, b.name)

/** A line for each service whose package is used up. */
function OverUsed() {
  const { t } = useTranslation('services')
  const { store } = managedServices
  useListVersion(store)
  const over = store
    .ids()
    .flatMap((id) => store.get(id) ?? [])
    .filter(({ overUsage }) => overUsage)
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

const dateOf = dateFormat({ dateStyle: 'medium' })

function columnsOf(t: TFunction<'services'>): readonly GridColumn<ManagedService>[] {
  const stateText = ({ state, status }: ManagedService) =>
    state === null ? t(`status.${status as 'na'}`) : t(`state.${state}`)
  const expiryText = ({ expiration }: ManagedService): string => {
    if (expiration === null) return t('expiry.none')
    const days = daysLeft(expiration, Date.now())
    const date = dateOf(new Date(expiration))
    return days > 0 ? t('expiry.ahead', { date, count: days }) : t('expiry.past', { date })
  }
  return [
    textColumn('name', t('columns.name'), 190, ({ name }) => labelOf(t, name), { required: true }),
    textColumn('inventoryName', t('columns.inventoryName'), 190, ({ inventoryName }) => inventoryName),
    textColumn('state', t('columns.state'), 130, stateText, {
      render: (service) => (
        <span className="service-state">
          <StatusGlyph {...glyphOf(service)} size={14} />
          {stateText(service)}
        </span>
      ),
    }),
    textColumn('plan', t('columns.plan'), 110, ({ plan }) => (plan === null ? '' : t(`plan.${plan}`))),
    textColumn('usage', t('columns.usage'), 200, usageText, {
      render: (service) => <Usage service={service} />,
      compare: (a, b) => share(a) - share(b),
    }),
    textColumn('expiration', t('columns.expiration'), 210, expiryText, {
      compare: (a, b) => compareTexts(a.expiration ?? '9', b.expiration ?? '9'),
    }),
    textColumn('renewal', t('columns.renewal'), 90, ({ renewal }) => renewal),
    figureColumn('instanceLimit', t('columns.instanceLimit'), 90, ({ instanceLimit }) => instanceLimit, {
      compare: (a, b) => (a.instanceLimit ?? Infinity) - (b.instanceLimit ?? Infinity),
    }),
    textColumn('trial', t('columns.trial'), 110, ({ trial }) => t(trial ? 'trial.used' : 'trial.unused')),
  ]
}

/** Used part of the package; nothing is -1. */
const share = ({ usedData, packageSize }: ManagedService): number =>
  usedData === null || !packageSize ? -1 : usedData / packageSize

function Usage({ service }: { service: ManagedService }) {
  const part = share(service)
  return (
    <span className="service-usage">
      {part < 0 ? null : (
        <span className="service-bar" data-over={service.overUsage || undefined}>
          <span style={{ width: `${Math.min(part, 1) * 100}%` }} />
        </span>
      )}
      {usageText(service)}
    </span>
  )
}
