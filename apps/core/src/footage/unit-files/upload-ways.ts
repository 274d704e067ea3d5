// The way of a file: through a tunnel over the links of its unit, or through core.
import type { UploadTunnel } from '@backhaul/contract/gateway/uploads'
import type { Clock } from '@backhaul/runtime/clock'
import type { Servers } from '../../fleet/servers/servers.ts'
import type { Units } from '../../fleet/units/units.ts'
import { newTunnel } from '../../programme/tunnels/tunnels.ts'

export interface UploadWays {
  /** A new key and the server's address for one attempt. Undefined where the file goes through core. */
  tunnel(unitId: string, serverId: string): UploadTunnel | undefined
  /** No link of the unit has reached the server: files go through core, until one of them connects again or for a time. */
  silent(unitId: string, serverId: string): void
  /** A device has connected, perhaps in another network. */
  connected(deviceId: string): void
}

const throughCoreMs = 600_000

export function createUploadWays(needs: { clock: Clock; units: Units; servers: Servers }): UploadWays {
  const { clock, units, servers } = needs
  const silences: { unitId: string; serverId: string; sinceMs: number }[] = []

  function isSilent(unitId: string, serverId: string): boolean {
    const nowMs = clock.monotonicMs()
    return silences.some(
      (one) => one.unitId === unitId && one.serverId === serverId && nowMs - one.sinceMs < throughCoreMs,
    )
  }

  function forget(isMeant: (one: { unitId: string; serverId: string }) => boolean): void {
    silences.splice(0, silences.length, ...silences.filter((one) => !isMeant(one)))
  }

  return {
    tunnel(unitId, serverId) {
      const port = servers.memory(serverId)?.actual.uploadPort
      const canCall = units.values(unitId)?.capabilities.uploadTunnel === true
      if (typeof port !== 'number' || !canCall || isSilent(unitId, serverId)) return undefined
      const targets = servers.addresses(serverId).map((host) => ({ host, port }))
      return targets.length === 0 ? undefined : { ...newTunnel('up'), targets }
    },
    silent(unitId, serverId) {
      forget((one) => one.unitId === unitId && one.serverId === serverId)
      silences.push({ unitId, serverId, sinceMs: clock.monotonicMs() })
    },
    connected: (deviceId) => forget((one) => one.unitId === deviceId || one.serverId === deviceId),
  }
}
