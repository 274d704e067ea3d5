import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Log } from '@backhaul/runtime/log'

const mostPorts = 64

/**
 * Assigns a port number to each network interface of the unit. The number belongs to the name of the interface
 * permanently, across restarts, since graphs and colours are keyed by it; that of a modem belongs to the modem, which may
 * get another interface when it is reset.
 */
export interface PortAssignments {
  /** Undefined when all 64 ports are taken. */
  portOf(id: string, imei?: string): number | undefined
}

export function openPortAssignments(path: string, log: Log): PortAssignments {
  const ports = new Map(Object.entries(readPorts(path)))
  const ofModem = 'modem '

  function free(): number | undefined {
    const taken = new Set(ports.values())
    return Array.from({ length: mostPorts }, (_, index) => index).find((index) => !taken.has(index))
  }

  /** The port of the interface, which existed before its modem was recognised. */
  function ofInterface(id: string): number | undefined {
    const port = ports.get(id)
    const isOfAnother = [...ports].some(([key, other]) => key.startsWith(ofModem) && other === port)
    return isOfAnother ? undefined : port
  }

  /** A full disk leaves the stored file complete. */
  function store(): void {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(`${path}.new`, `${JSON.stringify(Object.fromEntries(ports))}\n`)
    renameSync(`${path}.new`, path)
  }

  return {
    portOf(id, imei) {
      const key = imei === undefined ? id : `${ofModem}${imei}`
      const known = ports.get(key)
      if (known !== undefined) return known
      const port = (imei === undefined ? undefined : ofInterface(id)) ?? free()
      if (port === undefined) return undefined
      ports.set(key, port)
      try {
        store()
      } catch (error) {
        // The unit continues to send; the next new one stores them too.
        log.error({ err: error, path, interface: id, port }, 'port of the interface not stored')
      }
      return port
    },
  }
}

/** A missing or damaged file counts as empty. */
function readPorts(path: string): Record<string, number> {
  try {
    const ports = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
    const valid = Object.entries(ports).filter(([, port]) => Number.isInteger(port)) as [string, number][]
    return Object.fromEntries(valid)
  } catch {
    return {}
  }
}
