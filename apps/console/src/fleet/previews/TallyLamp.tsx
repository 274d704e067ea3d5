import { gate } from '@backhaul/contract/nouns/gates'
import { useTranslation } from 'react-i18next'
import { useSignedIn } from '../../session/sign-ins/sign-ins.ts'
import styles from './previews.module.css'

interface Tally {
  onAir: boolean
  supportedByUnit: boolean
}

/** Look of a tally: red on air, grey where the crew does not see it; nothing without the service (GAP-AUDIO-04). */
export function useTally({ onAir, supportedByUnit }: Tally): 'onAir' | 'unsupported' | undefined {
  const userServices = useSignedIn()?.configuration.userServices ?? []
  if (!onAir || gate('tally', { userServices }) !== undefined) return undefined
  return supportedByUnit ? 'onAir' : 'unsupported'
}

export function TallyLamp({ tally, className = '' }: { tally: Tally; className?: string }) {
  const { t } = useTranslation('previews')
  const shown = useTally(tally)
  if (!shown) return null
  return (
    <span className={`${styles.onAir} ${className}`} data-part="tally" data-tally={shown}>
      {t('onAir')}
    </span>
  )
}
