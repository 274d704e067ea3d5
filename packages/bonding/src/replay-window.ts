// Remembers which counters of signed datagrams were seen, so that each is accepted once.

const WINDOW = 2048

export type ReplayWindow = {
  /** True once per counter; false for a repeated one and for one too old to remember. */
  accept(counter: number): boolean
}

/** Datagrams of one instance travel over several links, so they arrive out of order within the window. */
export function createReplayWindow(): ReplayWindow {
  const slots = new Float64Array(WINDOW)
  let highest = 0
  return {
    accept(counter) {
      if (counter <= 0 || counter <= highest - WINDOW || slots[counter % WINDOW] === counter) return false
      slots[counter % WINDOW] = counter
      highest = Math.max(highest, counter)
      return true
    },
  }
}
