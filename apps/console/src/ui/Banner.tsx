import type { ReactNode } from 'react'
import { StatusGlyph } from './StatusGlyph.tsx'

interface BannerProps {
  tone: 'warning' | 'critical'
  title: string
  children?: ReactNode
  action?: { label: string; run: () => void } | undefined
}

/** A strip under the top bar for what concerns the whole page. */
export function Banner({ tone, title, children, action }: BannerProps) {
  return (
    <div className={`banner banner-${tone}`} role={tone === 'critical' ? 'alert' : 'status'}>
      <StatusGlyph shape={tone === 'critical' ? 'octagon' : 'triangle'} tone={tone} size={16} />
      <strong>{title}</strong>
      <span className="banner-text">{children}</span>
      {action ? (
        <button type="button" className="plain-button" onClick={action.run}>
          {action.label}
        </button>
      ) : null}
    </div>
  )
}
