// Texts of services: their labels, their use, and their duration.
import { isKnownService, type ManagedService } from '@backhaul/contract/nouns/services'
import type { TFunction } from 'i18next'
import { decimal } from '../../ui/locale.ts'
import type { GlyphShape, Tone } from '../../ui/StatusGlyph.tsx'

/** A service without a label is shown as it is written (GAP-SVC-06). */
export const labelOf = (t: TFunction<'services'>, name: string): string =>
  isKnownService(name) ? t(`label.${name}`) : name

const figure = (value: number): string => decimal(value, Number.isInteger(value) ? 0 : 1)

/** `212.5 / 500 GB`; a dash where it is not measured. */
export function usageText({ usageType, usedData, packageSize }: ManagedService): string {
  if (usageType === 'na') return ''
  const unit = usageType === 'data' ? 'GB' : 'h'
  const used = usedData === null ? '—' : figure(usedData)
  return packageSize === null ? `${used} ${unit}` : `${used} / ${figure(packageSize)} ${unit}`
}

/** Whole days until the end, rounded up; negative when it is past. */
export const daysLeft = (expiration: string, nowMs: number): number =>
  Math.ceil((Date.parse(expiration) - nowMs) / 86_400_000)

/** State is shown by shape and word, never by colour alone. */
export function glyphOf({ state }: ManagedService): { shape: GlyphShape; tone: Tone } {
  if (state === 'purchased') return { shape: 'disc', tone: 'live' }
  if (state === 'onTrial') return { shape: 'ring', tone: 'live' }
  if (state === 'overUsage') return { shape: 'triangle', tone: 'warning' }
  return { shape: 'slashedRing', tone: 'offline' }
}
