// Stores new devices: those that register at the same time share a transaction, so that a fleet does not wait for the disk
// once for each of them.
import { Conflict, NotAllowed } from '@backhaul/contract/define/errors'
import { isOrphan } from '../../database/dialect.ts'
import type { Database, Queries } from '../../database/schema.ts'
import type { Groups } from '../../people/groups/groups.ts'
import { type DeviceFacts, insertDevices } from './device-table.ts'
import type { Pairing } from './pairing.ts'

interface Newcomer {
  /** The facts of the device, with the requested name. */
  facts: DeviceFacts
  /** The group that it joins; a server joins it with its channels. */
  groupId: string
  /** The hash of the pairing code that admits it, which is used up with it. */
  codeHash: string | undefined
}

interface Stored {
  /** The facts of the device, with the name that was free. */
  facts: DeviceFacts
  /** Notifies of the groups that it joined; called once it is known. */
  notify: () => void
}

/**
 * Resolves after the commit. One that is refused does not affect the others: NotAllowed when its code was used or its group was
 * deleted meanwhile, Conflict when no name is free.
 */
export type AddNewcomer = (newcomer: Newcomer) => Promise<Stored>

interface Needs {
  db: Database
  groups: Groups
  pairing: Pairing
}

interface Waiting extends PromiseWithResolvers<Stored> {
  newcomer: Newcomer
}

export function createNewcomers(needs: Needs): AddNewcomer {
  let waiting: Waiting[] = []
  let isStoring = false

  async function storeWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const now = waiting
      waiting = []
      await settle(needs, now)
    }
    isStoring = false
  }

  return (newcomer) => {
    const one = { newcomer, ...Promise.withResolvers<Stored>() }
    waiting.push(one)
    if (!isStoring) {
      isStoring = true
      // All newcomers of this turn of the event loop are stored together.
      setImmediate(() => void storeWaiting())
    }
    return one.promise
  }
}

async function settle(needs: Needs, some: readonly Waiting[]): Promise<void> {
  try {
    const stored = await store(
      needs,
      some.map(({ newcomer }) => newcomer),
    )
    for (const [at, { resolve }] of some.entries()) resolve(stored[at] as Stored)
  } catch (error) {
    if (some.length > 1) for (const one of some) await settle(needs, [one])
    else some[0]?.reject(isOrphan(error) ? new NotAllowed('registration.unknownKey') : error)
  }
}

/** All or none. */
async function store({ db, groups, pairing }: Needs, newcomers: readonly Newcomer[]): Promise<Stored[]> {
  return await db.transaction().execute(async (transaction) => {
    for (const { facts, codeHash } of newcomers)
      if (codeHash !== undefined) await pairing.spend(transaction, codeHash, facts.id)
    const named = await insertUnderFreeNames(
      transaction,
      newcomers.map(({ facts }) => facts),
    )
    const units = newcomers.flatMap(({ facts: { id, kind, inventoryId }, groupId }) =>
      kind === 'unit' ? [{ id, groupId, inventoryId }] : [],
    )
    const notifications = await groups.joinNewUnits(transaction, units)
    const notifyOf = new Map(units.map(({ id }, at) => [id, notifications[at]]))
    return named.map((facts) => ({ facts, notify: () => notifyOf.get(facts.id)?.() }))
  })
}

const triesForAName = 50

/** The first of a name gets it, the next ones the name with a number. */
async function insertUnderFreeNames(db: Queries, devices: readonly DeviceFacts[]): Promise<DeviceFacts[]> {
  const named = new Map<string, DeviceFacts>()
  let left = devices
  for (let number = 1; left.length > 0; number++) {
    if (number > triesForAName) throw new Conflict('registration.nameTaken')
    const tried = number === 1 ? left : left.map((facts) => ({ ...facts, name: `${facts.name}-${number}` }))
    const inserted = await insertDevices(db, tried)
    for (const facts of tried) if (inserted.has(facts.id)) named.set(facts.id, facts)
    left = left.filter(({ id }) => !inserted.has(id))
  }
  return devices.map(({ id }) => named.get(id) as DeviceFacts)
}
