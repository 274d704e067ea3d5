/**
 * Ingest: a customer's account at the newsroom (EN-INV-21), the style sheet that maps the newsroom's stories, and which
 * ingest server receives which channel (GAP-CHAN-08).
 */

import { z } from 'zod'
import { ReasonCause, rule } from '../define/refusals.ts'
import { ChannelStatus } from './channels.ts'
import { NewStory } from './stories.ts'

const Id = z.string().min(1).max(64)

/** Characters of a mapping file. */
export const MAPPING_MAX = 262_144

/** The interval at which the newsroom is read (CO-UNIT-21, PU-TIME-14). */
export const NEWSROOM_SYNC_MS = 300_000

/** Characters of a sample for the test of the mapping file. */
export const SAMPLE_MAX = 131_072

/** The settings of an account in addition to its password and its file. */
export const IngestConfiguration = z.strictObject({
  defaultServerId: Id.nullable().describe('Receives the channels without an ingest server of their own'),
  address: z
    .url({ protocol: /^https?$/, message: rule('address.web') })
    .max(1024)
    .nullable()
    .describe('Where the newsroom lists its stories as XML'),
  username: z
    .string()
    .max(255)
    .regex(/^[^:]*$/, rule('field.pattern'))
    .describe('Sent to the newsroom with the password of the account; "" sends neither'),
  sync: z.boolean().describe('Whether the stories follow the newsroom, every 5 minutes'),
})
export type IngestConfiguration = z.infer<typeof IngestConfiguration>

/** The newest reading of the newsroom. */
export const NewsroomResult = z.object({
  at: z.iso.datetime(),
  stories: z.number().int().describe('Listed by the newsroom and usable; 0 after a failure'),
  created: z.number().int(),
  changed: z.number().int(),
  removed: z.number().int(),
  kept: z.number().int().describe('No longer listed, and kept because a unit is assigned to them'),
  skipped: z.number().int().describe('Listed and not usable; the first reason is given'),
  reason: z.string().nullable().describe('Why it failed, or why a story was skipped'),
  cause: ReasonCause,
})
export type NewsroomResult = z.infer<typeof NewsroomResult>

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
  lastSync: NewsroomResult.nullable().describe('null: the newsroom was never read'),
  closed: z.string().nullable().describe('Why the customer cannot use ingest; null when it can'),
  closedCause: ReasonCause,
})
export type IngestAccount = z.infer<typeof IngestAccount>

const Password = z.string().min(1, rule('field.required')).max(255)

/**
 * Fields that are not given keep their value. A change of the address, the user name or the switch has to be confirmed
 * by the password of the account; a new password is its own confirmation.
 */
export const IngestAccountChange = z
  .strictObject({ password: Password, configuration: IngestConfiguration.partial(), confirmation: Password })
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

/** XML as the newsroom sends it, to see what the mapping file makes of it. */
export const MappingTest = z.strictObject({
  content: z.string().min(1, rule('field.required')).max(SAMPLE_MAX),
})

/** Longest id that a newsroom gives a story. */
export const NEWSROOM_ID_MAX = 255

/** Stories that are read of a newsroom. */
export const NEWSROOM_STORIES_MAX = 1000

/** A story as the mapping file gives it: fields that are missing are empty. */
export const NewsroomStory = z.object({
  storyId: z.string().describe('The id that the newsroom gave it, by which it is known again'),
  ...NewStory.shape,
})
export type NewsroomStory = z.infer<typeof NewsroomStory>

export const SkippedStory = z.object({
  position: z.number().int().describe('In the result of the mapping file, from 1 on'),
  storyId: z.string().describe('"" where the newsroom gave none'),
  reason: z.string(),
  cause: ReasonCause,
})
export type SkippedStory = z.infer<typeof SkippedStory>

export const MappedStories = z.object({ stories: z.array(NewsroomStory), skipped: z.array(SkippedStory) })
export type MappedStories = z.infer<typeof MappedStories>

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

/** The most channels that an ingest server ingests files for. */
export const INGEST_CHANNELS_MAX = 1000

/**
 * The folder of each channel at its ingest server: its name, with that of its server where several channels have it. By
 * name of the folder.
 */
export function foldersOf(
  channels: readonly { readonly uniqueId: string; readonly name: string; readonly serverName: string }[],
): { channelId: string; folder: string }[] {
  const byName = Map.groupBy(channels, ({ name }) => name)
  return channels
    .map(({ uniqueId: channelId, name, serverName }) => ({
      channelId,
      folder: byName.get(name)?.length === 1 ? name : `${name}@${serverName}`,
    }))
    .sort((a, b) => (a.folder < b.folder ? -1 : 1))
    .slice(0, INGEST_CHANNELS_MAX)
}
