/** Units and servers in administration: records that a user may make before the machine itself joins. */

import { z } from 'zod'
import { rule } from '../define/refusals.ts'
import { Comment, Name } from './names.ts'
import { isUnitProduct, products } from './products.ts'
import { MAX_CHANNELS, Server, ServerSettings, ServerType, whole } from './servers.ts'
import { UnitStatus } from './unit-status.ts'
import { Unit } from './units.ts'

export const SERIAL_NUMBER_MAX = 64
const Id = z.string().min(1).max(64)
const SerialNumber = z.string().trim().min(1, rule('field.required')).max(SERIAL_NUMBER_MAX)
const Groups = z.array(Id).max(200)

/** The answer to a request that voids a certificate (ER-CERT-01). */
export const CERTIFICATE_DELETED = 'Deletion request sent'

/** The terms on which a customer has a machine (EN-INV-24, GAP-INV-04). */
export const Ownership = z.enum([
  'lease',
  'sold',
  'psg',
  'rent',
  'r&d',
  'inventory',
  'roaming',
  'engineering',
  'demo',
])
export type Ownership = z.infer<typeof Ownership>
const OwnershipChange = Ownership.nullable().optional().describe('For vendor staff')

const Kept = z.object({
  uid: z.string(),
  name: z.string(),
  comment: z.string(),
  productType: z.string(),
  serialNumber: z.string(),
  swVersion: z.string().describe('Empty until the machine has joined'),
  inventory: z.string(),
  inventoryName: z.string(),
  groups: z.array(z.object({ uid: z.string(), name: z.string() })).describe("Those in the caller's scope"),
  ownership: Ownership.nullable(),
  registeredAt: z.iso.datetime(),
})

/** A unit with the values that the gates of its controls need. */
export const AdministeredUnit = Kept.extend({
  status: UnitStatus,
  deregisteredAt: z.iso
    .datetime()
    .nullable()
    .describe('Since then its machine is unknown, and can only come back with a pairing code'),
  ...Unit.pick({ services: true, license: true, upgrade: true }).shape,
})
export type AdministeredUnit = z.infer<typeof AdministeredUnit>

/** Product types of which a user may make a unit's record. */
export const unitProducts: readonly string[] = products.filter(isUnitProduct).map(({ name }) => name)

export const NewUnit = z.strictObject({
  name: Name,
  comment: Comment.default(''),
  productType: z.string().refine((name) => unitProducts.includes(name), {
    error: ({ input }) => (input === '' ? rule('field.required') : rule('device.unknownProduct')),
  }),
  serialNumber: SerialNumber,
  inventory: Id,
  groups: Groups.default([]),
})
export type NewUnit = z.infer<typeof NewUnit>

export const UnitChange = z.strictObject({
  name: Name.optional(),
  comment: Comment.optional(),
  groups: Groups.optional().describe("Replaces those in the caller's scope"),
  ownership: OwnershipChange,
  sla: z.boolean().optional().describe('Whether the unit is under SLA; for vendor staff'),
})
export type UnitChange = z.infer<typeof UnitChange>

const ofServer = Server.omit({
  deviceId: true,
  uniqueId: true,
  name: true,
  comment: true,
  serialNumber: true,
  swVersion: true,
  productType: true,
  inventoryId: true,
  rev: true,
}).shape

export const AdministeredServer = Kept.extend({
  ...ofServer,
  channels: z.number().int(),
  address: z.string().describe('As given by a user; the server itself may report others'),
  inventories: z.array(z.string()).describe('Other customers that may use a gateway'),
})
export type AdministeredServer = z.infer<typeof AdministeredServer>

const hosts = [z.ipv4(), z.ipv6(), z.hostname()]
const Address = z
  .string()
  .max(255)
  .refine((text) => text === '' || hosts.some((host) => host.safeParse(text).success), {
    message: rule('address.ip'),
  })

export const NewServer = z.strictObject({
  type: ServerType,
  name: Name,
  comment: Comment.default(''),
  serialNumber: SerialNumber,
  inventory: Id,
  groups: Groups.default([]),
  address: Address.default(''),
  inventories: z.array(Id).max(200).default([]),
})
export type NewServer = z.infer<typeof NewServer>

export const ServerChange = z.strictObject({
  name: Name.optional(),
  comment: Comment.optional(),
  groups: Groups.optional().describe("Replaces those in the caller's scope"),
  address: Address.optional(),
  inventories: z.array(Id).max(200).optional().describe('Gateways only'),
  ownership: OwnershipChange,
  expiration: z.iso.datetime().nullable().optional().describe('For vendor staff'),
  outputChannels: whole(0, MAX_CHANNELS)
    .nullable()
    .optional()
    .describe('For vendor staff; null removes the limit'),
  settings: ServerSettings.partial().optional(),
})
export type ServerChange = z.infer<typeof ServerChange>
