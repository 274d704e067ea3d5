// Gives a new machine its identity: which key or code admits it, into which group, under which name.
import { Conflict, NotAllowed } from '@backhaul/contract/define/errors'
import type { Register } from '@backhaul/contract/gateway/gateway'
import { normalPairingCode } from '@backhaul/contract/nouns/pairing'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database } from '../../database/schema.ts'
import { hashSecret, isSecretOf } from '../../database/secrets.ts'
import { sharedLookup } from '../../database/shared-lookup.ts'
import type { GroupFacts, Groups } from '../../people/groups/groups.ts'
import { randomText, textIdAt } from '../../world/random-text.ts'
import { type DeviceDetails, type DeviceFacts, holdDetails, updateDevice } from './device-table.ts'
import { type AddNewcomer, createNewcomers } from './newcomers.ts'
import type { Pairing } from './pairing.ts'

/** The hash of an unknown token: the machine gets its own when it joins. */
export const unknownTokenHash = (): string => hashSecret(randomText(32))

export const newDeviceId = (kind: Register['kind'], nowMs: number): string =>
  `${kind === 'unit' ? 'u' : 'sv'}-${textIdAt(nowMs).replaceAll('_', 'x')}`

interface Needs {
  db: Database
  clock: Clock
  groups: Groups
  pairing: Pairing
  /** Admits machines that run on the same machine as core, into the group named behind a slash, else the first group. */
  localKey: string | undefined
  /** Units with this serial number, of every customer. */
  unitsWithSerial: (serialNumber: string) => readonly Pick<DeviceFacts, 'inventoryId' | 'details'>[]
  initialWanted: (kind: Register['kind']) => object
}

type FindGroup = (of: string) => Promise<GroupFacts | undefined>

/** The dependencies of registrations; those at the same time share lookups and a transaction. */
export interface RegistrationNeeds extends Needs {
  oldestGroup: FindGroup
  groupWithId: FindGroup
  groupWithKey: FindGroup
  addNewcomer: AddNewcomer
  localKeyHash: string | undefined
}

export const registrationNeeds = (needs: Needs): RegistrationNeeds => ({
  ...needs,
  oldestGroup: sharedLookup(() => needs.groups.oldest()),
  groupWithId: sharedLookup((id) => needs.groups.find(id)),
  groupWithKey: sharedLookup((key) => needs.groups.keys.find(key)),
  addNewcomer: createNewcomers(needs),
  localKeyHash: needs.localKey === undefined ? undefined : hashSecret(needs.localKey),
})

export interface Registered {
  facts: DeviceFacts
  token: string
  isNew: boolean
  /** Notifies of the groups that it joined; called once it is known. */
  notify: () => void
}

export interface Admission {
  inventoryId: string
  /** The group that the machine joins; it has none when the code of its own unit admits it. */
  groupId?: string
  /** Set when a pairing code of the group admits; it is used up with the registration. */
  codeHash?: string
  /** Set when the code of its own unit admits it. */
  unitCode?: string
}

/** Throws NotAllowed for an invalid key or code. */
export async function admit(
  { oldestGroup, groupWithId, groupWithKey, pairing, localKeyHash, unitsWithSerial }: RegistrationNeeds,
  { registrationKey: key, kind, serialNumber }: Pick<Register, 'registrationKey' | 'kind' | 'serialNumber'>,
  isLoopback: boolean,
): Promise<Admission> {
  const [secret, groupId] = splitKey(key)
  if (isLoopback && localKeyHash !== undefined && isSecretOf(localKeyHash, secret)) {
    const chosen = groupId === undefined ? await oldestGroup('') : await groupWithId(groupId)
    if (!chosen) throw new NotAllowed('registration.noGroup')
    return { groupId: chosen.id, inventoryId: chosen.inventoryId }
  }
  const group = await groupWithKey(key)
  if (group) return { groupId: group.id, inventoryId: group.inventoryId }
  const unitCode = kind === 'unit' ? normalPairingCode(key) : undefined
  const own = unitCode && unitsWithSerial(serialNumber).find(({ details }) => hasCode(details, unitCode))
  if (own) return { inventoryId: own.inventoryId, unitCode }
  const code = await pairing.find(key)
  const paired = code && (await groupWithId(code.groupId))
  if (!code || !paired) throw new NotAllowed('registration.unknownKey')
  if (kind !== 'unit') throw new NotAllowed('registration.unitsOnly')
  return { groupId: paired.id, inventoryId: paired.inventoryId, codeHash: code.codeHash }
}

const hasCode = ({ pairing }: DeviceDetails, unitCode: string): boolean =>
  pairing?.code != null && normalPairingCode(pairing.code) === unitCode

function splitKey(key: string): [string, string | undefined] {
  const slash = key.lastIndexOf('/')
  return slash < 0 ? [key, undefined] : [key.slice(0, slash), key.slice(slash + 1)]
}

/**
 * A machine that comes again with the serial number of a known device, for instance after it lost its disk, becomes
 * that device, unless that one is connected, or was deregistered and no code admits it. One that belongs to another
 * customer does not join a second one. All of it is stored in one transaction, so that a code is used exactly once.
 */
export async function registerDevice(
  needs: RegistrationNeeds,
  message: Register,
  admission: Admission,
  { known, isElsewhere }: Twins,
): Promise<Registered> {
  const { groupId, codeHash } = admission
  const token = randomText(32)
  const tokenHash = hashSecret(token)
  if (isElsewhere) throw new Conflict('registration.elsewhere')
  if (known?.isConnected) throw new Conflict('registration.connected')
  // A user who may make codes for one group must not get at the devices of another with them.
  if (known && codeHash !== undefined && !known.groups.includes(groupId ?? ''))
    throw new Conflict('registration.otherGroup')
  if (known) {
    const facts = { ...known.facts, tokenHash, swVersion: message.swVersion }
    facts.details = await reRegister(needs, facts, admission)
    return { facts, token, isNew: false, notify() {} }
  }
  // The unit of the code was deleted meanwhile.
  if (groupId === undefined) throw new NotAllowed('registration.unknownKey')
  const wished = newFacts(needs, message, { id: groupId, inventoryId: admission.inventoryId }, tokenHash)
  const { facts, notify } = await needs.addNewcomer({ facts: wished, groupId, codeHash })
  return { facts, token, isNew: true, notify }
}

/** Stores the new token of the known device; answers its details. */
async function reRegister(
  { db, pairing }: RegistrationNeeds,
  { id, tokenHash, swVersion }: DeviceFacts,
  { codeHash, unitCode }: Admission,
): Promise<DeviceDetails> {
  return await db.transaction().execute(async (transaction) => {
    if (codeHash !== undefined) await pairing.spend(transaction, codeHash, id)
    const { deregisteredMs, ...stored } = await holdDetails(transaction, id)
    if (deregisteredMs !== undefined && codeHash === undefined && unitCode === undefined)
      throw new NotAllowed('registration.deregistered')
    const details = unitCode === undefined ? stored : withCodeUsed(stored, unitCode)
    await updateDevice(transaction, id, { tokenHash, swVersion, details })
    return details
  })
}

/** The devices that have the machine's serial number already. */
export interface Twins {
  /** The device of this customer. */
  known: { facts: DeviceFacts; groups: readonly string[]; isConnected: boolean } | undefined
  /** Whether a machine with it has joined another customer; a record that no machine joined does not count. */
  isElsewhere: boolean
}

function newFacts(
  { clock, initialWanted }: RegistrationNeeds,
  { kind, name, product: productType, serialNumber, swVersion }: Register,
  group: { id: string; inventoryId: string },
  tokenHash: string,
): DeviceFacts {
  const registeredMs = clock.nowMs()
  return {
    id: newDeviceId(kind, registeredMs),
    kind,
    inventoryId: group.inventoryId,
    name: nameFrom(name),
    comment: '',
    productType,
    serialNumber,
    swVersion,
    tokenHash,
    wanted: initialWanted(kind),
    wantedRevision: 1,
    details: { groups: [group.id] },
    registeredMs,
  }
}

/** The code was changed or used since the machine sent it: it admits nothing any more. */
function withCodeUsed(details: DeviceDetails, unitCode: string): DeviceDetails {
  const { pairing } = details
  if (!pairing || !hasCode(details, unitCode)) throw new NotAllowed('registration.unknownKey')
  return pairing.mode === 'permanent' ? details : { ...details, pairing: { ...pairing, code: null } }
}

/** Names are letters, numbers, underscores and hyphens (VA-UNIT-01); a device may report any name. */
const nameFrom = (name: string): string => name.replace(/[^\p{L}\p{N}_-]+/gu, '-')
