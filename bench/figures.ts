/** From many measured values to the few that a table shows. */

/** The value below which `share` (0 to 1) of all values lie; NaN when there is none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

export function rounded(value: number, digits = 1): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}

/** The change of `values` each minute, by least squares; `atMs` are their times. */
export function slopePerMinute(points: readonly { atMs: number; value: number }[]): number {
  const meanAt = points.reduce((sum, { atMs }) => sum + atMs, 0) / points.length
  const meanValue = points.reduce((sum, { value }) => sum + value, 0) / points.length
  let [above, below] = [0, 0]
  for (const { atMs, value } of points) {
    above += (atMs - meanAt) * (value - meanValue)
    below += (atMs - meanAt) ** 2
  }
  return below === 0 ? 0 : (above / below) * 60_000
}
