// Checks whether core reaches the internet, only where the operator names an address: no request is sent by default.
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'

const periodMs = 60_000
const afterFailureMs = 5000
const timeoutMs = 10_000
/** A single lost request is not significant. */
const failuresUntilMissing = 2

export interface InternetCheck {
  /** True without an address, and until the address has not answered twice in succession. */
  isReachable(): boolean
  start(): void
  stop(): void
}

/** Any answer counts, regardless of its status: the request arrived. */
export function createInternetCheck(url: string | undefined, clock: Clock, log: Log): InternetCheck {
  let failures = 0
  let timer: Timer | undefined
  async function check(url: string): Promise<void> {
    const before = failures
    failures = await answers(url).then(
      () => 0,
      () => failures + 1,
    )
    if (failures === failuresUntilMissing) log.warn({ url }, 'internet check failed')
    if (failures === 0 && before >= failuresUntilMissing) log.info({ url }, 'internet check succeeds again')
    if (isRunning) timer = clock.setTimeout(() => void check(url), failures > 0 ? afterFailureMs : periodMs)
  }
  let isRunning = false
  return {
    isReachable: () => failures < failuresUntilMissing,
    start() {
      if (url === undefined) return
      isRunning = true
      void check(url)
    },
    stop() {
      isRunning = false
      clock.clearTimeout(timer)
    },
  }
}

async function answers(url: string): Promise<void> {
  const answer = await fetch(url, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  await answer.body?.cancel()
}
