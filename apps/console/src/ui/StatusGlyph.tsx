// Status as colour and shape; the word is always next to it.
import type { ReactElement } from 'react'

export type GlyphShape =
  | 'disc'
  | 'ring'
  | 'target'
  | 'house'
  | 'houseFilled'
  | 'houseDisc'
  | 'dashedSquare'
  | 'arc'
  | 'slashedRing'
  | 'questionRing'
  | 'triangle'
  | 'octagon'

export type Tone =
  | 'live'
  | 'preview'
  | 'ready'
  | 'store'
  | 'busy'
  | 'transition'
  | 'offline'
  | 'warning'
  | 'critical'

/** Look of a state. */
export interface Look {
  shape: GlyphShape
  tone: Tone
}

export const liveLook: Look = { shape: 'disc', tone: 'live' }

/** Transmitting, but to a channel that feeds nothing further: it must not be mistaken for live. */
export const previewLook: Look = { shape: 'target', tone: 'preview' }

/** The look of an object that is only present or absent. */
export const presenceLook = (isOnline: boolean): Look =>
  isOnline ? { shape: 'ring', tone: 'ready' } : { shape: 'slashedRing', tone: 'offline' }

const stroke = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.8 } as const
const house = 'M2.6 6.6 7 2.4l4.4 4.2v5H2.6z'

const shapes: Record<GlyphShape, ReactElement> = {
  disc: <circle cx="7" cy="7" r="4.8" fill="currentColor" />,
  ring: <circle cx="7" cy="7" r="4.2" {...stroke} />,
  target: (
    <>
      <circle cx="7" cy="7" r="5" {...stroke} strokeWidth="1.5" />
      <circle cx="7" cy="7" r="2" fill="currentColor" />
    </>
  ),
  house: <path d={house} {...stroke} strokeLinejoin="round" />,
  houseFilled: (
    <path d={house} fill="currentColor" stroke="currentColor" strokeWidth="1.4" strokeLinejoin="round" />
  ),
  houseDisc: (
    <>
      <path d={house} {...stroke} strokeLinejoin="round" />
      <circle cx="7" cy="8" r="2.1" fill="currentColor" />
    </>
  ),
  dashedSquare: <rect x="2.6" y="2.6" width="8.8" height="8.8" {...stroke} strokeDasharray="2.6 1.8" />,
  arc: <path className="glyph-turning" d="M7 2.4a4.6 4.6 0 1 1-4.6 4.6" {...stroke} strokeLinecap="round" />,
  slashedRing: (
    <>
      <circle cx="7" cy="7" r="4.4" {...stroke} strokeWidth="1.5" />
      <path d="M3.9 10.1 10.1 3.9" {...stroke} strokeWidth="1.5" />
    </>
  ),
  questionRing: (
    <>
      <circle cx="7" cy="7" r="5.2" {...stroke} strokeWidth="1.3" />
      <path
        d="M5.4 5.7a1.6 1.6 0 1 1 2.3 1.5c-.5.2-.7.5-.7 1M7 9.9v.1"
        {...stroke}
        strokeWidth="1.3"
        strokeLinecap="round"
      />
    </>
  ),
  triangle: (
    <>
      <path d="M7 2 12.4 11.6H1.6z" {...stroke} strokeWidth="1.5" strokeLinejoin="round" />
      <path d="M7 5.6v2.6M7 9.9v.1" {...stroke} strokeWidth="1.5" strokeLinecap="round" />
    </>
  ),
  octagon: (
    <>
      <path
        d="M4.8 1.7h4.4l3.1 3.1v4.4l-3.1 3.1H4.8L1.7 9.2V4.8z"
        {...stroke}
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
      <path d="M7 4.3v3.3M7 9.6v.1" {...stroke} strokeWidth="1.5" strokeLinecap="round" />
    </>
  ),
}

export const glyphShapes = Object.keys(shapes) as GlyphShape[]

export function StatusGlyph({ shape, tone, size = 14 }: Look & { size?: number }) {
  return (
    <svg
      className={`glyph tone-${tone}`}
      width={size}
      height={size}
      viewBox="0 0 14 14"
      aria-hidden="true"
      focusable="false"
    >
      {shapes[shape]}
    </svg>
  )
}
