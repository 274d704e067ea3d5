// Checks whether core is up and well, by its own health check, without a sign-in.
import { waitsMs } from '@backhaul/contract/define/waits'

export function coreAnswers(): Promise<boolean> {
  return fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(waitsMs.probe) }).then(
    ({ ok }) => ok,
    () => false,
  )
}
