import { useTranslation } from 'react-i18next'
import { push } from '../doors/push.ts'
import { ageParts } from '../ui/age.ts'
import { StatusGlyph } from '../ui/StatusGlyph.tsx'
import { useSecond } from '../ui/seconds.ts'
import { useLink } from './link.ts'

/** Shows whether live data arrive, with the age of the newest; faults are shown in words. */
export function ConnectionIndicator() {
  const { t } = useTranslation()
  const { t: tUi } = useTranslation('ui')
  const link = useLink()
  useSecond()
  const newestMs = push.lastFrameMs()
  const { unit, count } = ageParts(Date.now() - newestMs)
  const age = tUi(`age.${unit}`, { count })
  if (link.kind === 'closed') return null
  const good = link.kind === 'open'
  const waiting = link.kind === 'connecting'
  const tip = good && newestMs > 0 ? t('link.tipOpen', { age }) : t(`link.${link.kind}`)
  return (
    <span className="link-mark" role="status" data-tip={tip}>
      <StatusGlyph
        shape={good ? 'disc' : waiting ? 'arc' : 'octagon'}
        tone={good ? 'live' : waiting ? 'transition' : 'critical'}
        size={12}
      />
      <span className={good ? 'visually-hidden' : 'link-word'}>{t(`link.${link.kind}`)}</span>
    </span>
  )
}
