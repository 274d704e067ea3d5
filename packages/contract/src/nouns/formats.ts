/** How figures are written for people. */

/** Bit rates in Mbps with 2 decimals (CO-UNIT-48), for example 4120 → "4.12 Mbps". */
export const formatMbps = (kbps: number): string => `${(kbps / 1000).toFixed(2)} Mbps`

/** A delay as an operator says it: "800 ms" below a second, else "1.5 s". */
export const formatDelay = (delayMs: number): string =>
  delayMs < 1000
    ? `${delayMs} ms`
    : `${(delayMs / 1000).toLocaleString('en-GB', { maximumFractionDigits: 1 })} s`
