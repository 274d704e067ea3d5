// Small gauges for live rows: plain SVG, a word for those who cannot see them.

export type BatteryTone = 'green' | 'yellow' | 'red' | 'grey'

export type BatteryStep = 'charging' | '10' | '30' | '50' | '100' | 'unknown'

interface BatteryProps {
  /** 0 to 100; null when not known */
  percent: number | null
  level: BatteryStep
  tone: BatteryTone
  charging: boolean
  /** px */
  size?: number
}

/** Filled by steps, so that a level is seen at a glance; while it charges, by the figure under the bolt. */
export function BatteryGauge({ percent, level, tone, charging, size = 22 }: BatteryProps) {
  const filled = level === 'charging' ? (percent ?? 0) : level === 'unknown' ? 0 : Number(level)
  const fill = (filled / 100) * 14
  return (
    <svg
      className={`battery battery-${tone}`}
      data-level={level}
      width={size}
      height={size / 2}
      viewBox="0 0 22 11"
      aria-hidden="true"
      focusable="false"
    >
      <rect
        x=".75"
        y=".75"
        width="17.5"
        height="9.5"
        rx="2.2"
        fill="none"
        stroke="var(--outline)"
        strokeWidth="1.3"
      />
      <rect x="19.4" y="3.4" width="2" height="4.2" rx="1" fill="var(--outline)" />
      <rect x="2.5" y="2.5" width={fill} height="6" rx="1" fill="currentColor" />
      {level === 'unknown' ? (
        <path
          d="M7.4 4.1a2.1 2.1 0 1 1 2.9 1.9q-.8.4-.8 1M9.5 8.6v.1"
          fill="none"
          stroke="var(--outline)"
          strokeWidth="1.2"
          strokeLinecap="round"
        />
      ) : null}
      {charging ? (
        <path
          d="M10.6 1.2 6.4 6.2h2.8L8.4 9.9l4.2-5H9.8z"
          fill="var(--text-1)"
          stroke="var(--surface-0)"
          strokeWidth="1.8"
          paintOrder="stroke"
        />
      ) : null}
    </svg>
  )
}

export interface LinkBar {
  id: string
  up: boolean
  /** 0 to 1 */
  level: number
}

const barWidth = 4
const barGap = 2
const barHeight = 14

/** One bar a link: its height is its share, an outline with a slash is a link that is down. */
export function LinkBars({ bars, slots = 6 }: { bars: readonly LinkBar[]; slots?: number }) {
  const count = Math.max(slots, bars.length)
  let up = ''
  let down = ''
  bars.forEach((bar, index) => {
    const x = index * (barWidth + barGap)
    if (bar.up) {
      const height = Math.max(2, Math.round(bar.level * barHeight))
      up += `M${x} ${barHeight}v${-height}h${barWidth}v${height}z`
    } else down += `M${x + 0.5} 1.5h3v12h-3zM${x + 0.5} 11.5l3-4M${x + 0.5} 6.5l3-4`
  })
  return (
    <svg
      className="link-bars"
      width={count * (barWidth + barGap)}
      height={barHeight}
      viewBox={`0 0 ${count * (barWidth + barGap)} ${barHeight}`}
      aria-hidden="true"
      focusable="false"
    >
      <path d={up} fill="var(--status-live)" />
      <path d={down} fill="none" stroke="var(--outline)" strokeWidth="1" />
    </svg>
  )
}
