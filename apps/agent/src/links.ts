import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '@backhaul/runtime/clock'
import type { Interface } from './hardware/interfaces.ts'
import type { PortAssignments } from './hardware/port-assignments.ts'

const scanPeriodMs = 2000

/** An interface as the unit knows it: one that went away is kept in the list, since its graph continues. */
export interface UnitLink extends Interface {
  readonly port: number
  /** Enabled by the operator. */
  readonly enabled: boolean
  /** It is there and has an address. */
  readonly present: boolean
}

export interface Links {
  all(): readonly UnitLink[]
  /** The links over which pictures may be sent now. */
  usable(): readonly UnitLink[]
  disable(ports: readonly number[]): void
  stop(): void
}

export interface LinksOptions {
  scan: () => readonly Interface[]
  assignments: PortAssignments
  clock: Clock
  onChange: () => void
}

/** Checks for interfaces every 2 s, so that a modem that is plugged in on the way is used within that time. */
export function followLinks({ scan, assignments, clock, onChange }: LinksOptions): Links {
  let disabled: readonly number[] = []
  let links: readonly UnitLink[] = []

  function rescan(): void {
    const found = scan().flatMap((entry) => {
      const port = assignments.portOf(entry.id, entry.imei)
      const present = entry.address !== ''
      return port === undefined ? [] : [{ ...entry, port, enabled: !disabled.includes(port), present }]
    })
    const gone = links
      .filter(({ port, id }) => !found.some((link) => link.port === port || link.id === id))
      .map((link) => ({ ...link, enabled: !disabled.includes(link.port), present: false }))
    const next = [...found, ...gone].toSorted((a, b) => a.port - b.port)
    if (isDeepStrictEqual(next, links)) return
    links = next
    onChange()
  }

  rescan()
  const timer = clock.setInterval(rescan, scanPeriodMs)
  return {
    all: () => links,
    usable: () => links.filter(({ present, enabled }) => present && enabled),
    disable(ports) {
      disabled = [...ports]
      rescan()
    },
    stop: () => clock.clearInterval(timer),
  }
}
