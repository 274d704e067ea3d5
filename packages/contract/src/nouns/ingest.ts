/**
 * Ingest: a customer's account at the newsroom (EN-INV-21), the style sheet that maps the newsroom's stories, and which
 * ingest server receives which channel (GAP-CHAN-08).
 */

import { z } from 'zod'
import { ReasonCause, rule } from '../define/refusals.ts'
import { ChannelStatus } from './channels.ts'

const Id = z.string().min(1).max(64)

/** Characters of a mapping file. */
export const MAPPING_MAX = 262_144

/** The settings of an account in addition to its password and its file. */
export const IngestConfiguration = z.strictObject({
  defaultServerId: Id.nullable().describe('Receives the channels without an ingest server of their own'),
})
export type IngestConfiguration = z.infer<typeof IngestConfiguration>

export const MappingFile = z.object({
  name: z.string(),
  size: z.number().int().describe('Characters'),
  uploadedAt: z.iso.datetime(),
})
export type MappingFile = z.infer<typeof MappingFile>

export const IngestAccount = z.object({
  inventoryId: z.string(),
  hasPassword: z.boolean().describe('The password itself is never shown'),
  xsltFile: MappingFile.nullable(),
  configuration: IngestConfiguration,
  closed: z.string().nullable().describe('Why the customer cannot use ingest; null when it can'),
  closedCause: ReasonCause,
})
export type IngestAccount = z.infer<typeof IngestAccount>

const Password = z.string().min(1, rule('field.required')).max(255)

/** Fields that are not given keep their value. */
export const IngestAccountChange = z
  .strictObject({ password: Password, configuration: IngestConfiguration })
  .partial()
export type IngestAccountChange = z.infer<typeof IngestAccountChange>

export const PasswordCheck = z.strictObject({ password: Password })

export const NewMappingFile = z.strictObject({
  name: z
    .string()
    .max(255)
    .refine((name) => /\.xslt?$/i.test(name), { message: rule('ingest.fileType') }),
  content: z.string().min(1, rule('field.required')).max(MAPPING_MAX),
})
export type NewMappingFile = z.infer<typeof NewMappingFile>

/** A channel and the ingest server that receives it. */
export const IngestAssociation = z.object({
  channelId: z.string(),
  channelName: z.string(),
  status: ChannelStatus,
  serverName: z.string().describe('Of the server of the channel'),
  ingestServerId: z.string().nullable(),
  ingestServerName: z.string().nullable(),
  isDefault: z.boolean().describe('By the account, not by the channel'),
})
export type IngestAssociation = z.infer<typeof IngestAssociation>

export const IngestAssociations = z.strictObject({
  associations: z
    .array(z.strictObject({ channelId: Id, ingestServerId: Id.nullable().describe('null: the default one') }))
    .min(1)
    .max(200),
})

/** A server with the channels that it receives as an ingest server, or that it owns. */
export const EnhancedServer = z.object({
  uid: z.string(),
  name: z.string(),
  state: z.enum(['online', 'offline']),
  swVersion: z.string(),
  addresses: z.array(z.string()),
  maxChannels: z.number().int(),
  channels: z.array(IngestAssociation),
})
export type EnhancedServer = z.infer<typeof EnhancedServer>
