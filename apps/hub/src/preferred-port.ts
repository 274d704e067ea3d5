// A port that units call at the address that core names to them, so that any other serves as well.
import type { Log } from '@backhaul/runtime/log'
import { openingFault } from './failures.ts'

export interface PreferredPortOptions<Opened> {
  /** The purpose of the port, in the log. */
  name: string
  /** 0 takes any free one. */
  port: number
  open: (port: number) => Promise<Opened>
  log: Log
}

/** Opens any free port where the preferred one cannot be opened. Rejects with the system's error. */
export async function openPreferredPort<Opened extends { readonly port: number }>({
  name,
  port,
  open,
  log,
}: PreferredPortOptions<Opened>): Promise<Opened> {
  try {
    return await open(port)
  } catch (error) {
    if (port === 0) throw error
    const other = await open(0)
    const { message } = openingFault(error, port)
    log.warn({ port, instead: other.port, reason: message }, `another port for ${name} is open`)
    return other
  }
}
