/** The days before its expiry in which a password is warned of (CO-UNIT-55, GAP-NAV-04). */

const warnedDays = 14
const dayS = 86_400

/** Whole days left, when they are few enough to warn; undefined when there is no warning. */
export function daysToWarn(secondsLeft: number | null): number | undefined {
  if (secondsLeft === null) return undefined
  const days = Math.max(0, Math.floor(secondsLeft / dayS))
  return days <= warnedDays ? days : undefined
}

interface Moment {
  secondsLeft: number | null
  /** ms; until when the user put the warning off, null when not. */
  postponedUntilMs: number | null
  nowMs: number
}

/** On the last day the warning cannot be postponed. */
export function isWarned({ secondsLeft, postponedUntilMs, nowMs }: Moment): boolean {
  const days = daysToWarn(secondsLeft)
  if (days === undefined) return false
  return days === 0 || postponedUntilMs === null || nowMs >= postponedUntilMs
}

/** The beginning of the next day where the user is. */
export function nextDayMs(nowMs: number): number {
  const day = new Date(nowMs)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime()
}
