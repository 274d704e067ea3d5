// The time zone of the machine, which a command of its owner sets.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { ServerSettings } from '@backhaul/contract/nouns/servers'
import type { Log } from '@backhaul/runtime/log'

export interface MachineTimeZone {
  /** False without a command, and after it has failed. */
  isSettable(): boolean
  /** Resolves when it is set, or has failed. */
  set(timezone: ServerSettings['timezone'] | undefined): Promise<void>
}

/** The name in the database of time zones; there the sign is that of the hours to add for UTC. */
export function zoneNameOf(timezone: ServerSettings['timezone']): string {
  const hours = Number(timezone.slice('UTC'.length))
  return hours === 0 ? 'Etc/UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}

/** The name of the zone is the last argument of the command. */
export function createMachineTimeZone(command: string | undefined, log: Log): MachineTimeZone {
  let present: string | undefined
  let hasFailed = false
  return {
    isSettable: () => command !== undefined && !hasFailed,
    async set(timezone) {
      if (command === undefined || timezone === undefined || timezone === present) return
      const zone = zoneNameOf(timezone)
      try {
        await promisify(execFile)('/bin/sh', ['-c', `${command} "$1"`, 'sh', zone])
        log.info({ zone }, 'time zone set')
        hasFailed = false
        present = timezone
      } catch (error) {
        log.error(error, `time zone ${zone} not set`)
        hasFailed = true
      }
    },
  }
}
