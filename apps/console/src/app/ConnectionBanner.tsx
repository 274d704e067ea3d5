import { useTranslation } from 'react-i18next'
import { type LinkState, push } from '../doors/push.ts'
import { generic } from '../texts/generic.ts'
import { ageParts } from '../ui/age.ts'
import { Banner } from '../ui/Banner.tsx'
import { useSecond } from '../ui/seconds.ts'
import { useLink } from './link.ts'

/** A short break heals before anyone has read a banner; the values dim meanwhile. */
const quietMs = 1500

/** One banner for the whole page: what the person sees is old, and when it is tried again. */
export function ConnectionBanner() {
  const link = useLink()
  useSecond()
  return link.kind === 'lost' || link.kind === 'gaveUp' ? <Lost link={link} /> : null
}

function Lost({ link }: { link: Extract<LinkState, { sinceMs: number }> }) {
  const { t } = useTranslation()
  const { t: tUi } = useTranslation('ui')
  const lostMs = Date.now() - link.sinceMs
  if (lostMs < quietMs) return null
  const { unit, count } = ageParts(Date.now() - (push.lastFrameMs() || link.sinceMs))
  const age = tUi(`age.${unit}`, { count })
  const action = { label: t('link.connectNow'), run: push.retryNow }
  if (link.kind === 'gaveUp') {
    return (
      <Banner tone="critical" title={generic('websocketError')} action={action}>
        {t('link.gaveUpText', { age })}
      </Banner>
    )
  }
  const seconds = Math.max(0, Math.ceil((link.nextMs - Date.now()) / 1000))
  return (
    <Banner tone="critical" title={t('link.bannerTitle')} action={action}>
      {seconds > 0
        ? t('link.bannerText', { age, attempt: link.attempt, seconds })
        : t('link.bannerTrying', { age, attempt: link.attempt })}
    </Banner>
  )
}
