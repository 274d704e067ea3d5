// Gives a new machine its identity: which key admits it, into which group, under which name.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { Conflict, NotAllowed } from '@backhaul/contract/define/errors'
import type { Register } from '@backhaul/contract/gateway/gateway'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database } from '../../database/schema.ts'
import { isTaken } from '../../database/words.ts'
import type { Groups } from '../groups/groups.ts'
import { type DeviceFacts, insertDevice, updateDevice } from './device-table.ts'

const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

const freshId = (kind: Register['kind']): string =>
  `${kind === 'unit' ? 'u' : 'sv'}-${randomBytes(9).toString('base64url').replaceAll('_', 'x')}`

export interface RegistrationNeeds {
  db: Database
  clock: Clock
  groups: Groups
  /** Admits machines that run beside core, into the group named behind a slash, else the first group. */
  localKey: string | undefined
  initialWanted: (kind: Register['kind']) => object
}

export interface Registered {
  facts: DeviceFacts
  token: string
  isNew: boolean
}

type Admission = { id: string; inventoryId: string; unitAutoAssociation: boolean }

/** Throws NotAllowed for a key that admits nobody. */
export async function admit(
  { groups, localKey }: RegistrationNeeds,
  key: string,
  isLoopback: boolean,
): Promise<Admission> {
  const [secret, groupId] = splitKey(key)
  if (isLoopback && localKey !== undefined && isSame(secret, localKey)) {
    const chosen = groupId === undefined ? await groups.oldest() : await groups.find(groupId)
    if (!chosen) throw new NotAllowed('registrationKey: there is no such group')
    return chosen
  }
  const group = await groups.byRegistrationKey(key)
  if (!group) throw new NotAllowed('registrationKey: unknown registration key')
  return group
}

function splitKey(key: string): [string, string | undefined] {
  const slash = key.lastIndexOf('/')
  return slash < 0 ? [key, undefined] : [key.slice(0, slash), key.slice(slash + 1)]
}

const isSame = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())

/**
 * A machine that comes again with the serial number of a known device, for instance after it lost its disk, becomes
 * that device, unless that one is connected.
 */
export async function registerDevice(
  needs: RegistrationNeeds,
  message: Register,
  group: Admission,
  known: DeviceFacts | undefined,
  isConnected: boolean,
): Promise<Registered> {
  const token = randomBytes(32).toString('base64url')
  const tokenHash = hashToken(token)
  const { product: productType, serialNumber, swVersion, kind } = message
  if (known) {
    if (isConnected) throw new Conflict('serialNumber: the device with this serial number is connected')
    await updateDevice(needs.db, known.id, { tokenHash, swVersion })
    return { facts: { ...known, tokenHash, swVersion }, token, isNew: false }
  }
  const facts: DeviceFacts = {
    id: freshId(kind),
    kind,
    inventoryId: group.inventoryId,
    name: nameFrom(message.name),
    comment: '',
    productType,
    serialNumber,
    swVersion,
    tokenHash,
    wanted: needs.initialWanted(kind),
    wantedRevision: 1,
    details: { groups: [group.id] },
    registeredMs: needs.clock.nowMs(),
  }
  await insertUnderFreeName(needs.db, facts)
  if (kind === 'unit') await needs.groups.addMember(group.id, 'unit', facts.id)
  return { facts, token, isNew: true }
}

/** Names are letters, numbers, underscores and hyphens (VA-UNIT-01); a device may call itself anything. */
const nameFrom = (name: string): string => name.replace(/[^\p{L}\p{N}_-]+/gu, '-')

const triesForAName = 50

async function insertUnderFreeName(db: Database, facts: DeviceFacts): Promise<void> {
  const wished = facts.name
  for (let number = 2; ; number++) {
    try {
      return await insertDevice(db, facts)
    } catch (error) {
      if (!isTaken(error) || number > triesForAName) throw error
      facts.name = `${wished}-${number}`
    }
  }
}
