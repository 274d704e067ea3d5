// The time that graphics were on air: it counts towards the trial of the service, and without the service they are removed (CO-ADMIN-03).
import { type Channel, channelIsIn } from '@backhaul/contract/nouns/channels'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Services } from '../../usage/services/services.ts'

const SERVICE = 'graphics'
/** A hundredth of an hour: the use of services is kept in thousandths. */
const periodMs = 36_000

interface Needs {
  clock: Clock
  log: Log
  services: Services
  /** Channels with a graphic. */
  inUse(): Channel[]
  clearChannel(id: string): Promise<void>
}

export function countOverlayUse({ clock, log, services, inUse, clearChannel }: Needs) {
  let timer: Timer | undefined
  let counting: Promise<void> = Promise.resolve()

  async function count(): Promise<void> {
    const customers = Map.groupBy(inUse(), ({ inventoryId }) => inventoryId)
    for (const [inventoryId, channels] of customers) {
      const onAir = channels.filter(({ status }) => channelIsIn(status, 'collecting')).length
      if (onAir > 0) await services.use(inventoryId, SERVICE, (onAir * periodMs) / 3_600_000)
      if ((await services.inForce([inventoryId])).includes(SERVICE)) continue
      for (const { uniqueId } of channels) await clearChannel(uniqueId)
    }
  }

  return {
    start() {
      timer = clock.setInterval(() => {
        counting = counting
          .then(count)
          .catch((error) => log.error({ err: error }, 'graphics: counting use failed'))
      }, periodMs)
    },
    async stop(): Promise<void> {
      clock.clearInterval(timer)
      await counting
    },
  }
}
