// Common columns of the lists of services.
import type { ManagedService } from '@backhaul/contract/nouns/services'
import type { TFunction } from 'i18next'
import { figureColumn, textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { statusColumn } from '../../ui/grid/status-column.tsx'
import { compareTexts, shortDate } from '../../ui/locale.ts'
import { daysLeft, glyphOf, labelOf, usageText } from './service-texts.ts'
import styles from './services.module.css'

export const dateText = (time: string | null): string => (time === null ? '' : shortDate(new Date(time)))

/** Its displayed state; of one that has none, its status. */
export const stateText = (t: TFunction<'services'>, { state, status }: ManagedService): string =>
  state === null ? t(`status.${status}`) : t(`state.${state}`)

/** The day of its end and what is left until then; nothing for one that the customer does not have. */
export function expiryText(t: TFunction<'services'>, { expiration, status }: ManagedService): string {
  if (expiration === null) return status === 'na' ? '' : t('expiry.none')
  const days = daysLeft(expiration, Date.now())
  const date = dateText(expiration)
  return days > 0 ? t('expiry.ahead', { date, count: days }) : t('expiry.past', { date })
}

/** A list of one customer leaves its name out. */
export function serviceColumns(
  t: TFunction<'services'>,
  of: 'all customers' | 'one customer',
): readonly GridColumn<ManagedService>[] {
  const state = (service: ManagedService) => stateText(t, service)
  const inventory = textColumn<ManagedService>(
    'inventoryName',
    t('columns.inventoryName'),
    190,
    ({ inventoryName }) => inventoryName,
  )
  return [
    textColumn('name', t('columns.name'), 190, ({ name }) => labelOf(t, name), { required: true }),
    ...(of === 'all customers' ? [inventory] : []),
    statusColumn('state', t('columns.state'), 130, state, glyphOf),
    textColumn('plan', t('columns.plan'), 110, ({ plan }) => (plan === null ? '' : t(`plan.${plan}`))),
    textColumn('usage', t('columns.usage'), 200, usageText, {
      render: (service) => <Usage service={service} />,
      compare: (a, b) => share(a) - share(b),
    }),
    textColumn('expiration', t('columns.expiration'), 210, (service) => expiryText(t, service), {
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
    <span className={styles.serviceUsage}>
      {part < 0 ? null : (
        <span className={styles.serviceBar} data-over={service.overUsage || undefined}>
          <span style={{ width: `${Math.min(part, 1) * 100}%` }} />
        </span>
      )}
      {usageText(service)}
    </span>
  )
}
