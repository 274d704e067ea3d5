// The two parts of a split, and how the room is shared between them.
import type { ReactNode } from 'react'

/** Pixels as `400px`, or a share of 100 as a number. */
export type SplitSize = number | `${number}px`

export interface SplitProps {
  isStacked?: boolean
  main: ReactNode
  mainMin: number
  /** Next to the main part, or before it; null when there is none. */
  side: ReactNode | null
  isSideFirst?: boolean
  sideLabel: string
  size: SplitSize
  sideMin: number
  sideMax: SplitSize
  /** The size that a double click on the handle restores. */
  defaultSize: SplitSize
  onSize: (size: SplitSize) => void
}

/** The share that the size leaves for the main part. */
export const restOf = (size: SplitSize): number => (typeof size === 'number' ? 100 - size : 100)
