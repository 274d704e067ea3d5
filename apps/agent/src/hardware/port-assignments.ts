import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const mostPorts = 64

/**
 * Assigns a port number to each network interface of the unit. The number belongs to the name of the interface
 * permanently, across restarts, since graphs and colours are keyed by it.
 */
export interface PortAssignments {
  /** Undefined when all 64 ports are taken. */
  portOf(id: string): number | undefined
}

export function openPortAssignments(path: string): PortAssignments {
  const ports = new Map(Object.entries(readPorts(path)))
  return {
    portOf(id) {
      const known = ports.get(id)
      if (known !== undefined) return known
      const taken = new Set(ports.values())
      const port = Array.from({ length: mostPorts }, (_, index) => index).find((index) => !taken.has(index))
      if (port === undefined) return undefined
      ports.set(id, port)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, `${JSON.stringify(Object.fromEntries(ports))}\n`)
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
