import { useTranslation } from 'react-i18next'
import { push } from '../doors/push.ts'
import { rereadAll } from '../doors/reads.ts'
import { useSignedIn } from '../session/sign-ins/sign-ins.ts'
import { reasonText } from '../texts/generic.ts'
import { ageParts } from '../ui/age.ts'
import { Banner } from '../ui/Banner.tsx'
import { useSecond } from '../ui/seconds.ts'
import { useValue } from '../ui/value.ts'
import { useLink } from './link.ts'
import { type BrokenLink, pageBanner } from './page-banner.ts'
import { askAgain, type Missing, missingNow } from './partial-access.ts'
import { refusedGroups } from './refused-reads.ts'

/** The one banner of the console about itself: which data are old or incomplete, and how they are tried again. */
export function PageBanner() {
  const { t } = useTranslation()
  const link = useLink()
  const configuration = useSignedIn()?.configuration
  const refused = useValue(refusedGroups)
  useSecond()
  const missing = missingNow({ link, configuration, refused })
  const banner = pageBanner({ link, nowMs: Date.now(), missing })
  if (banner === undefined) return null
  const retry = async () => {
    await askAgain(banner.missing)
    await rereadAll()
  }
  if (banner.kind === 'connection') return <Lost link={banner.link} missing={missing} onRetry={retry} />
  if (banner.kind === 'behind') {
    return (
      <Banner tone="warning" title={t('link.behindTitle', { seconds: banner.seconds })}>
        {t('link.behindText')}
      </Banner>
    )
  }
  return (
    <Banner
      tone="warning"
      title={t('partial.title')}
      action={{ label: t('partial.retry'), run: () => void retry() }}
    >
      <Unreachable missing={missing} />
    </Banner>
  )
}

function Unreachable({ missing }: { missing: readonly Missing[] }) {
  const { t } = useTranslation()
  return t('partial.text', { list: missing.map((part) => t(`partial.missing.${part}`)).join(', ') })
}

interface LostProps {
  link: BrokenLink
  missing: readonly Missing[]
  onRetry: () => Promise<void>
}

function Lost({ link, missing, onRetry }: LostProps) {
  const { t } = useTranslation()
  const { t: tUi } = useTranslation('ui')
  const { unit, count } = ageParts(Date.now() - (push.lastFrameMs() || link.sinceMs))
  const age = tUi(`age.${unit}`, { count })
  // Nothing else is missing: there is nothing else to request.
  const run = () => (missing.length === 0 ? push.retryNow() : void onRetry())
  const seconds = link.kind === 'lost' ? Math.max(0, Math.ceil((link.nextMs - Date.now()) / 1000)) : 0
  const words =
    link.kind === 'gaveUp'
      ? t('link.gaveUpText', { age })
      : seconds > 0
        ? t('link.bannerText', { age, attempt: link.attempt, seconds })
        : t('link.bannerTrying', { age, attempt: link.attempt })
  return (
    <Banner
      tone="critical"
      title={link.kind === 'gaveUp' ? reasonText('system.websocketError') : t('link.bannerTitle')}
      action={{ label: t('link.connectNow'), run }}
    >
      {words}
      {missing.length > 0 ? (
        <>
          {' '}
          {t('partial.title')}. <Unreachable missing={missing} />
        </>
      ) : null}
    </Banner>
  )
}
