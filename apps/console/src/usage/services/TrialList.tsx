// The trials of a customer: which service was tried, is on trial or can be tried (SC-SVCS-02).
import { isKnownService, type ManagedService } from '@backhaul/contract/nouns/services'
import type { TFunction } from 'i18next'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { useCustomerList } from '../../people/inventory-names/InventoryChoice.tsx'
import { textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { statusColumn } from '../../ui/grid/status-column.tsx'
import { compareTexts } from '../../ui/locale.ts'
import { dateText, expiryText } from './service-columns.tsx'
import { glyphOf, labelOf, usageText } from './service-texts.ts'
import { ownServices, trialFault } from './services.ts'
import { TrialDialog } from './TrialDialog.tsx'

const mayTry = (service: ManagedService): boolean => trialFault(service) === undefined

export function TrialList({ switcher }: { switcher: ReactNode }) {
  const { t } = useTranslation('services')
  const { choice, ...list } = useCustomerList(ownServices)
  const [text, setText] = useState('')
  const [chosen, choose] = useState<ManagedService | null>(null)
  const columns = useMemo(() => columnsOf(t, choose), [t])
  const filter = useMemo(() => {
    const wanted = text.trim().toLowerCase()
    // A service without a label has no trial.
    return ({ name }: ManagedService) =>
      isKnownService(name) && labelOf(t, name).toLowerCase().includes(wanted)
  }, [t, text])
  const byLabel = useMemo(
    () => (a: ManagedService, b: ManagedService) => compareTexts(labelOf(t, a.name), labelOf(t, b.name)),
    [t],
  )
  const triable = (name: string): ManagedService | undefined => {
    const service = list.store.get(name)
    return service && mayTry(service) ? service : undefined
  }
  return (
    <ListScreen
      {...list}
      gridId="serviceTrials"
      search={{ label: t('trial.search'), text, onText: setText }}
      actions={
        <>
          {choice}
          {switcher}
        </>
      }
      label={t('trial.list')}
      columns={columns}
      defaultCompare={byLabel}
      filter={filter}
      onOpen={(name) => choose(triable(name) ?? null)}
      rowMenu={(name) => {
        const service = triable(name)
        return service ? [{ id: 'start', label: t('trial.start'), run: () => choose(service) }] : []
      }}
      empty={t('empty', { returnObjects: true })}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="trials"
    >
      {chosen ? <TrialDialog service={chosen} onClose={() => choose(null)} /> : null}
    </ListScreen>
  )
}

function columnsOf(
  t: TFunction<'services'>,
  onStart: (service: ManagedService) => void,
): readonly GridColumn<ManagedService>[] {
  const isTrial = ({ state }: ManagedService) => state === 'onTrial' || state === 'trialExpired'
  /** For a service that is in force as well as its trial, only the use of the trial matters here. */
  const state = (service: ManagedService): string => {
    if (service.state === 'onTrial' || service.state === 'trialExpired') return t(`state.${service.state}`)
    if (service.trial) return t('trial.used')
    return t(mayTry(service) ? 'trial.open' : 'trial.inForce')
  }
  const end = (service: ManagedService) =>
    isTrial(service) && service.expiration !== null ? expiryText(t, service) : ''
  return [
    textColumn('name', t('columns.name'), 220, ({ name }) => labelOf(t, name), { required: true }),
    statusColumn('state', t('columns.trial'), 190, state, glyphOf),
    textColumn('started', t('columns.started'), 140, ({ trialStarted }) => dateText(trialStarted), {
      compare: (a, b) => compareTexts(a.trialStarted ?? '', b.trialStarted ?? ''),
    }),
    textColumn('expiration', t('columns.expiration'), 230, end, {
      compare: (a, b) => compareTexts(a.expiration ?? '', b.expiration ?? ''),
    }),
    textColumn('usage', t('columns.usage'), 130, (service) => (isTrial(service) ? usageText(service) : '')),
    {
      id: 'start',
      title: t('trial.ok'),
      width: 160,
      actionsOnly: true,
      render: (service) =>
        mayTry(service) ? (
          <button type="button" className="plain-button" onClick={() => onStart(service)}>
            {t('trial.start')}
          </button>
        ) : null,
      text: () => '',
    },
  ]
}
