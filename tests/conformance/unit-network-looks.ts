/** Agents whose networks may be set, checked at the same time as the unit under test: they are other machines, which wait more than they work. */
import type { UnderTest } from './shared-cases.ts'
import type { Look, Missing } from './verdicts.ts'

/** The settings of their agents that do not depend on the machine. */
export const networkAgent: Readonly<Record<string, string>> = {
  BACKHAUL_LOG: 'json',
  BACKHAUL_REGISTRATION_KEY: 'key-of-the-group',
  BACKHAUL_ADDRESSES_WITHIN_S: '10',
  BACKHAUL_RETURN_PORT: '0',
  BACKHAUL_CODER: 'software',
}

interface Stand extends UnderTest {
  stop(): Promise<void>
}

/** A machine with an agent, and the rows that are checked there, in this order. */
export interface NetworkStand<Unit extends Stand> {
  /** Why this machine cannot have it. */
  fault(): string | undefined
  open(): Promise<Unit>
  readonly looks: Readonly<Record<string, Look<Unit>>>
}

interface Begun {
  /** By row: what was seen, or why this machine lacks it; rejects when the effect is missing. */
  readonly found: ReadonlyMap<string, Promise<string | Missing>>
  /** Resolves when the agent has ended. */
  readonly ended: Promise<void>
}

/** Checks the wanted rows; a machine without any wanted row is not started. */
export function beginLooks<Unit extends Stand>(
  { fault, open, looks }: NetworkStand<Unit>,
  isWanted: (row: string) => boolean,
): Begun {
  const wanted = Object.entries(looks).filter(([row]) => isWanted(row))
  if (wanted.length === 0) return { found: new Map(), ended: Promise.resolve() }
  const absent = fault()
  const opened = absent === undefined ? open() : undefined
  let last: Promise<unknown> = Promise.resolve()
  const found = new Map<string, Promise<string | Missing>>()
  for (const [row, one] of wanted) {
    const seen = last.then(async () => (opened ? await seenBy(one, await opened) : { absent: absent ?? '' }))
    found.set(row, seen)
    last = seen.catch(() => {})
  }
  async function end(): Promise<void> {
    await last
    const unit = await opened?.catch(() => undefined)
    await unit?.stop()
  }
  return { found, ended: end() }
}

async function seenBy<Unit extends Stand>(one: Look<Unit>, unit: Unit): Promise<string | Missing> {
  const seen = await one(unit)
  if (unit.core.faults.length > 0) throw new Error(unit.core.faults.join('\n'))
  return seen
}
