/** Texts of figures for users. */

/** Formats a number with this many decimals; the console passes one that follows the language. */
export type Decimal = (value: number, digits: number) => string

const plain: Decimal = (value, digits) => value.toFixed(digits)

/** Bit rates in Mbps with 2 decimals (CO-UNIT-48), for example 4120 → "4.12 Mbps". */
export const formatMbps = (kbps: number, decimal: Decimal = plain): string =>
  `${decimal(kbps / 1000, 2)} Mbps`

/** A delay as operators write it: "800 ms" below a second, else "1.5 s" and "2 s". */
export function formatDelay(delayMs: number, decimal: Decimal = plain): string {
  if (delayMs < 1000) return `${delayMs} ms`
  const tenths = Math.round(delayMs / 100)
  return `${decimal(tenths / 10, tenths % 10 === 0 ? 0 : 1)} s`
}
