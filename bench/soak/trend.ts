/** Whether something grows: a line through the samples, and how sure its slope is. */

export interface Trend {
  readonly perMinute: number
  /** Twice the standard error of the slope, with samples that follow one another counted for less than one each. */
  readonly noise: number
  readonly isFlat: boolean
}

export interface Sample {
  readonly minute: number
  readonly value: number
}

/** Less growth than this of a heap in a minute is none, however sure it is: 16 kB a minute are 23 MB a day. */
export const flatHeapKb = 16
/** The same of a process: its objects, its compiled code, and what its libraries and its allocator hold. */
export const flatOwnKb = 3 * flatHeapKb

/** Least squares over three samples or more; undefined over fewer. Flat is a slope that is above `flat` by no more than the noise. */
export function trendOf(samples: readonly Sample[], flat: number): Trend | undefined {
  const count = samples.length
  if (count < 3) return undefined
  const meanMinute = samples.reduce((sum, { minute }) => sum + minute, 0) / count
  const meanValue = samples.reduce((sum, { value }) => sum + value, 0) / count
  const spread = samples.reduce((sum, { minute }) => sum + (minute - meanMinute) ** 2, 0)
  const perMinute =
    samples.reduce((sum, { minute, value }) => sum + (minute - meanMinute) * (value - meanValue), 0) / spread
  const residues = samples.map(({ minute, value }) => value - meanValue - perMinute * (minute - meanMinute))
  const squares = residues.reduce((sum, residue) => sum + residue ** 2, 0)
  const following = residues.slice(1).reduce((sum, residue, index) => sum + residue * residues[index]!, 0)
  // Memory comes and goes in waves: samples that resemble the one before add little information.
  const likeness = squares === 0 ? 0 : Math.min(0.9, Math.max(0, following / squares))
  const error = Math.sqrt(squares / (count - 2) / spread)
  const noise = 2 * error * Math.sqrt((1 + likeness) / (1 - likeness))
  return { perMinute, noise, isFlat: perMinute <= flat + noise }
}
