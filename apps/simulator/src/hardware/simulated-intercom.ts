/** The headset lines of a simulated crew: calls are answered after a few seconds, and hung up faster. */
import { Refused } from '@backhaul/device/refused'
import type { IntercomHardware } from '@backhaul/device/unit-hardware'
import type { Clock } from '@backhaul/runtime/clock'

const answeredAfterMs = 1500
const hungUpAfterMs = 500

export const createSimulatedIntercom = (clock: Clock): IntercomHardware => ({
  connect: (_, signal) =>
    new Promise((resolve, reject) => {
      const timer = clock.setTimeout(resolve, answeredAfterMs)
      signal.addEventListener('abort', () => {
        clock.clearTimeout(timer)
        reject(new Refused('intercom.cancelled'))
      })
    }),
  disconnect: () => new Promise((resolve) => void clock.setTimeout(resolve, hungUpAfterMs)),
})
