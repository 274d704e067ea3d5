// The data that the links have carried: the kernel's counters of their interfaces, added up over restarts of the agent, of
// the machine and of the interface.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { dirname, join } from 'node:path'
import type { LinkData } from '@backhaul/contract/nouns/modems'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { z } from 'zod'

const readPeriodMs = 2000
const storePeriodMs = 10_000

const Bytes = z.number().int().min(0)
const Reading = z.object({
  bootId: z.string(),
  ifindex: z.number().int(),
  sentBytes: Bytes,
  receivedBytes: Bytes,
})
/** The kernel's counters of an interface. They begin at 0 with each start of the machine and with each new interface. */
export type Reading = z.infer<typeof Reading>

const Counted = z.object({ last: Reading, sentBytes: Bytes, receivedBytes: Bytes, sinceMs: z.number() })
/** The data that a link has carried since it was first seen, and the reading up to which it is counted. */
export type Counted = z.infer<typeof Counted>

/**
 * Adds what a link has carried since the last reading. After a start of the machine, and for an interface that was made
 * again, that is all that the kernel has counted; what an interface carried before the link was first seen is not.
 */
export function addReading(before: Counted | undefined, now: Reading, nowMs: number): Counted {
  if (!before) return { last: now, sentBytes: 0, receivedBytes: 0, sinceMs: nowMs }
  const { last, sinceMs } = before
  const isSame =
    now.bootId === last.bootId &&
    now.ifindex === last.ifindex &&
    now.sentBytes >= last.sentBytes &&
    now.receivedBytes >= last.receivedBytes
  return {
    last: now,
    sentBytes: before.sentBytes + now.sentBytes - (isSame ? last.sentBytes : 0),
    receivedBytes: before.receivedBytes + now.receivedBytes - (isSame ? last.receivedBytes : 0),
    sinceMs,
  }
}

/** Undefined where the machine has no such interface. */
function readCounters(name: string, sysFolder = '/sys/class/net'): Reading | undefined {
  const number = (file: string) => Number(readFileSync(join(sysFolder, name, file), 'utf8'))
  try {
    return {
      bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
      ifindex: number('ifindex'),
      sentBytes: number('statistics/tx_bytes'),
      receivedBytes: number('statistics/rx_bytes'),
    }
  } catch {
    return undefined
  }
}

interface CountedLink {
  readonly port: number
  /** Name of its interface, or a name of the owner's. */
  readonly id: string
  readonly address: string
}

/** The interface of each link, by port; none for links that share one, whose data the kernel does not tell apart. */
export function interfacesOf(
  links: readonly CountedLink[],
  addresses: Readonly<Record<string, readonly { address: string }[] | undefined>> = networkInterfaces(),
): Map<number, string> {
  const nameOf = ({ id, address }: CountedLink) =>
    addresses[id]
      ? id
      : Object.entries(addresses).find(([, entries]) => entries?.some((one) => one.address === address))?.[0]
  const names = links.map((link) => ({ port: link.port, name: nameOf(link) }))
  return new Map(
    names.flatMap(({ port, name }) => {
      const isShared = names.some((other) => other.port !== port && other.name === name)
      return name === undefined || isShared ? [] : [[port, name]]
    }),
  )
}

export interface DataCounters {
  /** The counter of a link by its port; undefined where the kernel does not count it separately. */
  of(port: number): LinkData | undefined
  /** Stores what is counted. */
  stop(): void
}

interface Options {
  /** The counts are stored there, by port. */
  path: string
  links: () => readonly CountedLink[]
  clock: Clock
  log: Log
  /** Called when other counts than before were stored. */
  onChange: () => void
}

/**
 * Reads the counters every 2 s and stores the counts every 10 s: with the machine the last ones are lost, with the agent
 * none, because the kernel continues to count.
 */
export function openDataCounters({ path, links, clock, log, onChange }: Options): DataCounters {
  const counts = new Map(Object.entries(readCounts(path)).map(([port, one]) => [Number(port), one]))
  let stored = ''

  function read(): void {
    for (const [port, name] of interfacesOf(links())) {
      const now = readCounters(name)
      if (now) counts.set(port, addReading(counts.get(port), now, clock.nowMs()))
    }
  }

  /** A full disk leaves the stored file complete. */
  function store(): void {
    const text = `${JSON.stringify(Object.fromEntries(counts))}\n`
    if (text === stored) return
    try {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(`${path}.new`, text)
      renameSync(`${path}.new`, path)
      stored = text
    } catch (error) {
      log.error({ err: error, path }, 'data counts not stored')
    }
    onChange()
  }

  read()
  const timers = [clock.setInterval(read, readPeriodMs), clock.setInterval(store, storePeriodMs)]
  return {
    of(port) {
      const count = counts.get(port)
      if (!count) return undefined
      const { sentBytes, receivedBytes, sinceMs } = count
      return { sentBytes, receivedBytes, sinceMs }
    },
    stop() {
      for (const timer of timers) clock.clearInterval(timer)
      read()
      store()
    },
  }
}

/** A missing or damaged file counts as empty. */
function readCounts(path: string): Record<string, Counted> {
  try {
    return z.record(z.string(), Counted).parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return {}
  }
}
