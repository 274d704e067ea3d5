// Whether core is there and well: what its own health check says, without a sign-in.
import { waitsMs } from '@backhaul/contract/define/waits'

export function coreAnswers(): Promise<boolean> {
  return fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(waitsMs.probe) }).then(
    ({ ok }) => ok,
    () => false,
  )
}
