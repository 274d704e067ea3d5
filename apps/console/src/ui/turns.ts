// Answers do not always come in the order in which they were asked for.

/**
 * Each call begins a turn. What it gives back is asked when the answer is there: false when one that was asked for
 * later has been taken in already, so that the older does not stand in its place.
 */
export function createTurns(): () => () => boolean {
  let begun = 0
  let taken = 0
  return () => {
    begun += 1
    const own = begun
    return () => {
      if (own < taken) return false
      taken = own
      return true
    }
  }
}
