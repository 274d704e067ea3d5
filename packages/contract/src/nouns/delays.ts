/** The delays that a unit offers and the changes allowed while it transmits (VA-UNIT-17 to -31, GAP-CONF-01, -02). */
import { because, type Reason } from '../define/refusals.ts'
import { productOf } from './products.ts'
import { isAtLeast } from './versions.ts'

export const LOW_DELAY_MS = 1000
/** A normal configuration is this long or longer. */
export const NORMAL_DELAY_MS = 900

/** The fixed end-to-end budgets, in milliseconds, that a unit of this product and software offers (appendix E, first match). */
export function delayChoices(productName: string, softwareVersion: string): readonly number[] {
  const product = productOf(productName)
  const from = (version: string) => isAtLeast(softwareVersion, version)
  if (product.group === 'liteUnits') return [1000, 1500, 2000, 3000, 5000, 7000, 10000]
  if (product.group === 'smartUnits') {
    return from('5.1')
      ? [800, 900, 1000, 1500, 2000, 3000, 5000, 7000, 10000]
      : [1000, 2000, 3000, 5000, 7000, 10000]
  }
  if (product.family === '600' && from('7.0')) {
    return [400, 500, 600, 700, 800, 900, 1000, 1500, 2000, 3000, 5000, 7000, 10000, 15000, 20000]
  }
  if (product.family === '700' && from('7.0')) {
    return [500, 600, 700, 800, 900, 1000, 1500, 2000, 3000, 5000, 7000, 10000, 15000, 20000]
  }
  if (product.family === '200') return [1000, 1500, 2000, 3000, 5000, 7000, 10000]
  if (product.group === 'fieldUnits' && from('5.0')) {
    return from('7.0')
      ? [400, 600, 800, 900, 1000, 1500, 2000, 3000, 5000, 7000, 10000, 15000, 20000]
      : [800, 900, 1000, 1500, 2000, 3000, 5000, 7000, 10000, 15000]
  }
  if (from('4.0')) return [1000, 1500, 2000, 3000, 5000, 10000]
  return [1000, 2000, 3000, 5000]
}

export const isLowDelay = (delayMs: number): boolean => delayMs < LOW_DELAY_MS

/** Why a delay must not be set, as a text for the operator, or undefined when it may. */
export function delayFault(change: {
  readonly product: string
  readonly softwareVersion: string
  readonly currentMs: number
  readonly wantedMs: number
  readonly transmitting: boolean
}): Reason | undefined {
  const choices = delayChoices(change.product, change.softwareVersion)
  if (!choices.includes(change.wantedMs)) return because('delay.oneOf', { delays: choices.join(', ') })
  if (!change.transmitting || change.wantedMs === change.currentMs) return undefined
  if (change.currentMs >= NORMAL_DELAY_MS) {
    return change.wantedMs >= NORMAL_DELAY_MS ? undefined : 'delay.minimumWhileLive'
  }
  return 'delay.lowWhileLive'
}
