/** The mark and the name of the product. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path
        d="M5 24a15.5 15.5 0 0 1 22 0"
        fill="none"
        stroke="var(--accent)"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <path
        d="M10.5 18.5a7.8 7.8 0 0 1 11 0"
        fill="none"
        stroke="var(--accent)"
        strokeWidth="3"
        strokeLinecap="round"
        opacity=".6"
      />
      <circle cx="16" cy="9.5" r="4" fill="var(--status-live)" />
    </svg>
  )
}

export function Wordmark() {
  return (
    <div
      style={{
        display: 'flex',
        alignItems: 'center',
        gap: 9,
        fontWeight: 650,
        fontSize: 16,
        letterSpacing: '-0.01em',
      }}
    >
      <Mark />
      Backhaul
    </div>
  )
}
