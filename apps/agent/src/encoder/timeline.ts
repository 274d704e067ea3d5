// The capture times of the frames and sample blocks of a source, derived from their order and their arrival.
// 1. The first is stamped with its arrival, each further one with its own length more.
// 2. A pause of the machine makes some arrive late, and none is moved for that: the reference is how far the least
//    late one of the last second is behind the clock.
// 3. More than 20 ms off: each stamp is moved back towards the clock by a little. This also follows a source whose clock drifts.
// 4. More than 0.2 s before the clock: a source that is opened may give what it has gathered before. It is left out.
// 5. More than 0.5 s behind, and for a whole second: something was lost, and the stamps jump to the clock.

const ticksPerMs = 90
const toleranceTicks = 20 * ticksPerMs
const lossTicks = 500 * ticksPerMs
const earlyTicks = 200 * ticksPerMs
const windowTicks = 1000 * ticksPerMs
/** Data that arrives too fast is moved by no more than this. */
const mostBackTicks = ticksPerMs

export interface Timeline {
  /** Whether the present data is to be dropped. */
  isEarly(): boolean
  /** The stamp of what arrives now. */
  next(): number
  /** Begins again: the next data does not continue the data before. */
  restart(): void
}

export interface TimelineOptions {
  /** Length of what is stamped. */
  unitTicks: number
  /** The excess that the distance of two stamps may have over that. */
  mostForwardTicks: number
  nowTicks: () => number
}

export function createTimeline({ unitTicks, mostForwardTicks, nowTicks }: TimelineOptions): Timeline {
  const windowUnits = Math.round(windowTicks / unitTicks)
  let last: number | undefined
  let isContinued = false
  let behind: number[] = []

  function correction(): number {
    const low = Math.min(...behind)
    if (behind.length >= windowUnits && low > lossTicks) return low
    if (low > toleranceTicks)
      return Math.min(mostForwardTicks, Math.ceil((low - toleranceTicks) / windowUnits))
    return low < -toleranceTicks ? -mostBackTicks : 0
  }

  return {
    isEarly: () => last !== undefined && isContinued && last + unitTicks - nowTicks() > earlyTicks,
    next() {
      const now = Math.round(nowTicks())
      if (last === undefined || !isContinued) {
        last = last === undefined ? now : Math.max(now, last + unitTicks)
        isContinued = true
        behind = []
        return last
      }
      last += unitTicks
      behind = [...behind.slice(1 - windowUnits), now - last]
      const moved = correction()
      last += moved
      behind = behind.map((ticks) => ticks - moved)
      return last
    },
    restart() {
      isContinued = false
    },
  }
}
