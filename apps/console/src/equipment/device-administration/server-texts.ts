// Texts for a server's warnings (GAP-SRV-06).
import type { ServerWarning } from '@backhaul/contract/nouns/servers'
import type { TFunction } from 'i18next'
import { shortDate } from '../../ui/locale.ts'

export const warningText = (t: TFunction<'deviceAdministration'>, { code, date }: ServerWarning): string =>
  date !== null && (code === 'GRACE_PERIOD' || code === 'PENDING_TERMINATION')
    ? t(`warningUntil.${code}`, { date: shortDate(new Date(date)) })
    : t(`warning.${code}`)
