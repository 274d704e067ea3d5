// /services/inventory_services: what the customer has beside his units, how long, and how much of it is used.
import type { ManagedService } from '@backhaul/contract/nouns/services'
import { IconPlus } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Banner } from '../../ui/Banner.tsx'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts, dateFormat } from '../../ui/locale.ts'
import { StatusGlyph } from '../../ui/StatusGlyph.tsx'
import { useValue } from '../../ui/value.ts'
import { ListScreen } from '../preferences/ListScreen.tsx'
import { daysLeft, glyphOf, labelOf, usageText } from './service-words.ts'
import { loadServices, overUsed, serviceStore, servicesState } from './services.ts'
import { TrialDialog } from './TrialDialog.tsx'
import './services.css'

/** What is used grows by itself. */
const refreshMs = 60_000

export function InventoryServicesPage() {
  const { t } = useTranslation('services')
  const { state, errorText } = useValue(servicesState)
  const over = useValue(overUsed)
  const [text, setText] = useState('')
  const [isTrialOpen, setTrialOpen] = useState(false)
  const columns = useMemo(() => columnsOf(t), [t])
  const filter = useMemo(() => filterBy(t, text), [t, text])
  useEffect(() => {
    void loadServices()
    const refresh = setInterval(() => void loadServices(), refreshMs)
    return () => clearInterval(refresh)
  }, [])
  const trial = (
    <button type="button" className="plain-button tool-button" onClick={() => setTrialOpen(true)}>
      <IconPlus size={16} aria-hidden />
      <span>{t('trial.start')}</span>
    </button>
  )
  return (
    <ListScreen
      gridId="inventoryServices"
      search={{ label: t('search'), text, onText: setText }}
      actions={trial}
      notice={over.map((service) => (
        <Banner key={`${service.inventoryId} ${service.name}`} tone="warning" title={t('over.title')}>
          {t('over.text', {
            service: labelOf(t, service.name),
            inventory: service.inventoryName,
            usage: usageText(service),
          })}
        </Banner>
      ))}
      label={t('title')}
      store={serviceStore}
      columns={columns}
      defaultCompare={byInventory}
      filter={filter}
      onOpen={() => {}}
      state={state}
      errorText={errorText}
      onRetry={() => void loadServices()}
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

function filterBy(
  t: TFunction<'services'>,
  text: string,
): ((service: ManagedService) => boolean) | undefined {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return undefined
  return ({ name, inventoryName, plan }) =>
    [labelOf(t, name), name, inventoryName, plan ?? ''].some((value) => value.toLowerCase().includes(wanted))
}

const dateOf = dateFormat({ dateStyle: 'medium' })

function columnsOf(t: TFunction<'services'>): readonly GridColumn<ManagedService>[] {
  const words = (
    id: 'name' | 'inventoryName' | 'plan' | 'renewal' | 'trial',
    width: number,
    text: (service: ManagedService) => string,
  ): GridColumn<ManagedService> => ({
    id,
    title: t(`columns.${id}`),
    width,
    render: text,
    text,
    compare: (a, b) => compareTexts(text(a), text(b)),
  })
  const stateText = ({ state, status }: ManagedService) =>
    state === null ? t(`status.${status as 'na'}`) : t(`state.${state}`)
  const expiryText = ({ expiration }: ManagedService): string => {
    if (expiration === null) return t('expiry.none')
    const days = daysLeft(expiration, Date.now())
    const date = dateOf(new Date(expiration))
    return days > 0 ? t('expiry.ahead', { date, count: days }) : t('expiry.past', { date })
  }
  return [
    { ...words('name', 200, ({ name }) => labelOf(t, name)), required: true },
    words('inventoryName', 220, ({ inventoryName }) => inventoryName),
    {
      id: 'state',
      title: t('columns.state'),
      width: 150,
      render: (service) => (
        <span className="service-state">
          <StatusGlyph {...glyphOf(service)} size={14} />
          {stateText(service)}
        </span>
      ),
      text: stateText,
      compare: (a, b) => compareTexts(stateText(a), stateText(b)),
    },
    words('plan', 130, ({ plan }) => (plan === null ? '' : t(`plan.${plan}`))),
    {
      id: 'usage',
      title: t('columns.usage'),
      width: 210,
      render: (service) => <Usage service={service} />,
      text: usageText,
      compare: (a, b) => share(a) - share(b),
    },
    {
      id: 'expiration',
      title: t('columns.expiration'),
      width: 220,
      render: expiryText,
      text: expiryText,
      compare: (a, b) => compareTexts(a.expiration ?? '9', b.expiration ?? '9'),
    },
    words('renewal', 110, ({ renewal }) => renewal),
    {
      id: 'instanceLimit',
      title: t('columns.instanceLimit'),
      width: 100,
      align: 'end',
      render: ({ instanceLimit }) => instanceLimit ?? '—',
      text: ({ instanceLimit }) => String(instanceLimit ?? ''),
      compare: (a, b) => (a.instanceLimit ?? Infinity) - (b.instanceLimit ?? Infinity),
    },
    words('trial', 100, ({ trial }) => t(trial ? 'trial.used' : 'trial.unused')),
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
