// Sends servers the graphics that their channels want and they do not hold.
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Devices } from '../../fleet/devices/devices.ts'
import type { Servers } from '../../fleet/servers/servers.ts'
import type { Events } from '../../world/events.ts'
import { pngOf } from './overlay-table.ts'

/** The time that a server may take to report a graphic that it was sent. */
const confirmWithinMs = 20_000

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  devices: Devices
  servers: Servers
  channels: Channels
}

export function deliverOverlays({ db, clock, log, events, devices, servers, channels }: Needs) {
  /** The time at which each graphic was last sent, by server and graphic. */
  const sentMs = new Map<string, Map<string, number>>()
  let sending: Promise<unknown> = Promise.resolve()
  let orders = 0

  function missing(serverId: string): string[] {
    const wanted = channels.ofServer(serverId).flatMap(({ overlay }) => overlay?.id ?? [])
    const held = servers.memory(serverId)?.actual.overlays ?? []
    const sent = sentMs.get(serverId)
    const isAwaited = (id: string) =>
      clock.monotonicMs() - (sent?.get(id) ?? Number.NEGATIVE_INFINITY) < confirmWithinMs
    return [...new Set(wanted)].filter((id) => !held.includes(id) && !isAwaited(id))
  }

  async function send(serverId: string, id: string): Promise<void> {
    const png = await pngOf(db, id)
    if (png === undefined) return
    const deadlineMs = clock.nowMs() + confirmWithinMs
    devices.order(serverId, { id: `${id} ${orders++}`, name: 'put_overlay', args: { id, png }, deadlineMs })
  }

  function deliver(serverId: string): void {
    if (!servers.isOnline(serverId)) return
    for (const id of missing(serverId)) {
      const ofServer = sentMs.get(serverId) ?? new Map<string, number>()
      sentMs.set(serverId, ofServer.set(id, clock.monotonicMs()))
      sending = sending
        .then(() => send(serverId, id))
        .catch((error) => log.error({ err: error, serverId, id }, 'graphic not sent to the server'))
    }
  }

  events.on('device:serverReport', ({ deviceId }) => deliver(deviceId))
  events.on('deviceDisconnected', ({ deviceId }) => void sentMs.delete(deviceId))

  return {
    deliver,
    async settled(): Promise<void> {
      await sending
    },
  }
}
