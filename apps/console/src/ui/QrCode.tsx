import { encode } from 'uqr'

/** Four modules of white around it, as readers want it; dark on white in both themes. */
const quietZone = 4

/** A text as a QR code; `label` describes it for screen readers. */
export function QrCode({ text, label, sizePx = 168 }: { text: string; label: string; sizePx?: number }) {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      role="img"
      aria-label={label}
      width={sizePx}
      height={sizePx}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  )
}
