/** Handle of a running timer; only for the clock that gave it. */
export interface Timer {
  readonly isTimer: true
}

/** Time as a dependency, so that rules about time are tested without waiting. */
export interface Clock {
  /** Wall-clock milliseconds since 1970, for stamps that are shown, stored or sent. It may jump when the clock is set. */
  nowMs(): number
  /** Milliseconds that only go forward, from any start, for everything that waits, ages or expires within a process. */
  monotonicMs(): number
  setTimeout(run: () => void, delayMs: number): Timer
  setInterval(run: () => void, periodMs: number): Timer
  clearTimeout(timer: Timer | undefined): void
  clearInterval(timer: Timer | undefined): void
}

/**
 * The wall time at the start, continued by monotonic time: for ages that are stored because they outlast the process.
 * Setting the clock does not change any age until the next start.
 */
export function createAgeingClock(clock: Clock): Clock {
  const startMs = clock.nowMs() - clock.monotonicMs()
  return { ...clock, nowMs: () => Math.round(startMs + clock.monotonicMs()) }
}

interface SystemTimer extends Timer {
  readonly handle: NodeJS.Timeout
}

const clearSystemTimer = (timer: Timer | undefined) =>
  clearTimeout((timer as SystemTimer | undefined)?.handle)

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimeout: (run, delayMs): SystemTimer => ({ isTimer: true, handle: setTimeout(run, delayMs) }),
  setInterval: (run, periodMs): SystemTimer => ({ isTimer: true, handle: setInterval(run, periodMs) }),
  clearTimeout: clearSystemTimer,
  clearInterval: clearSystemTimer,
}

export interface TestClock extends Clock {
  /** Sets the wall clock forward or back, as an operator or a time server does; timers and monotonic time continue. */
  stepWall(ms: number): void
  /** Moves time forward and runs every timer due on the way, in order of time. */
  advance(ms: number): void
  /** Like advance, but lets promises settle before the first and after each timer. */
  advanceAsync(ms: number): Promise<void>
  /** Time passes while the process is paused: due timers run once, at the next advance. */
  pause(ms: number): void
  /** Number of pending timers, to show that nothing was left running. */
  pendingCount(): number
}

interface TestTimer extends Timer {
  dueMs: number
  order: number
  readonly periodMs: number | undefined
  readonly run: () => void
}

/** A clock that only moves when a test moves it. */
export function createTestClock(startMs = 1_700_000_000_000): TestClock {
  let currentMs = 0
  let wallStartMs = startMs
  let orders = 0
  const timers = new Set<TestTimer>()

  function add(run: () => void, delayMs: number, periodMs: number | undefined): Timer {
    const timer: TestTimer = {
      isTimer: true,
      dueMs: currentMs + Math.max(0, delayMs),
      order: orders++,
      periodMs,
      run,
    }
    timers.add(timer)
    return timer
  }

  function nextDue(limitMs: number): TestTimer | undefined {
    let next: TestTimer | undefined
    for (const timer of timers) {
      if (timer.dueMs > limitMs) continue
      if (!next || timer.dueMs < next.dueMs || (timer.dueMs === next.dueMs && timer.order < next.order))
        next = timer
    }
    return next
  }

  function fire(timer: TestTimer): void {
    currentMs = Math.max(currentMs, timer.dueMs)
    if (timer.periodMs === undefined) timers.delete(timer)
    else {
      timer.dueMs += Math.max(1, timer.periodMs)
      timer.order = orders++
    }
    timer.run()
  }

  const clear = (timer: Timer | undefined) => void timers.delete(timer as TestTimer)
  return {
    nowMs: () => wallStartMs + currentMs,
    monotonicMs: () => currentMs,
    stepWall(ms) {
      wallStartMs += ms
    },
    setTimeout: (run, delayMs) => add(run, delayMs, undefined),
    setInterval: (run, periodMs) => add(run, periodMs, periodMs),
    clearTimeout: clear,
    clearInterval: clear,
    advance(ms) {
      const endMs = currentMs + ms
      for (let timer = nextDue(endMs); timer; timer = nextDue(endMs)) fire(timer)
      currentMs = endMs
    },
    async advanceAsync(ms) {
      const endMs = currentMs + ms
      await settled()
      for (let timer = nextDue(endMs); timer; timer = nextDue(endMs)) {
        fire(timer)
        await settled()
      }
      currentMs = endMs
    },
    pause(ms) {
      currentMs += ms
      for (const timer of timers) timer.dueMs = Math.max(timer.dueMs, currentMs)
    },
    pendingCount: () => timers.size,
  }
}

/** A turn of the event loop: every promise that can settle has settled. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
