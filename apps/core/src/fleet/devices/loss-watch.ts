// Devices that are lost: disconnected for longer than a change of their network or a restart takes.
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Events } from '../../world/events.ts'

interface LossWatch {
  /** Counts from now on as long as the device is disconnected. */
  watch(deviceId: string): void
  close(): void
}

interface Meaning {
  /** Called when a device disconnects, and when it has been disconnected for this long. */
  isMeant(deviceId: string): boolean
  onLost(deviceId: string): void
}

export type WatchForLoss = (lostAfterMs: number, meaning: Meaning) => LossWatch

export const lossWatching =
  ({ clock, events }: { clock: Clock; events: Events }): WatchForLoss =>
  (lostAfterMs, { isMeant, onLost }) => {
    const lost = new Map<string, Timer>()

    function forget(deviceId: string): void {
      clock.clearTimeout(lost.get(deviceId))
      lost.delete(deviceId)
    }

    function watch(deviceId: string): void {
      forget(deviceId)
      if (!isMeant(deviceId)) return
      const end = () => {
        forget(deviceId)
        if (isMeant(deviceId)) onLost(deviceId)
      }
      lost.set(deviceId, clock.setTimeout(end, lostAfterMs))
    }

    events.on('deviceDisconnected', ({ deviceId }) => watch(deviceId))
    events.on('deviceConnected', ({ deviceId }) => forget(deviceId))
    return {
      watch,
      close() {
        for (const timer of lost.values()) clock.clearTimeout(timer)
      },
    }
  }
