/**
 * Shares: a publisher shares channels of its group under a key; a subscriber with the key gets them in a folder
 * (EN-PUB, EN-SUB rows, GAP-SHARE-01). Every group has one root folder (GAP-SHARE-02).
 */

import { z } from 'zod'
import type { PlainCode } from '../define/refusals.ts'
import { ChannelKind, ChannelStatus, channelIsIn } from './channels.ts'
import { NAME_MAX } from './names.ts'

/** VA-SHARE-01 to -03, CO-ADMIN-43 to -45. */
export const SHARE_TEXT_MAX = 32

const id = z.string().min(1).max(64)
const name = z.string().trim().min(1).max(SHARE_TEXT_MAX)
const description = z.string().trim().max(SHARE_TEXT_MAX)

export const Publisher = z.object({
  id: z.string(),
  inventoryId: z.string(),
  name,
  shareKey: z.string().describe('Made by core; its holders may subscribe'),
  description,
  group: z.string(),
  createdOn: z.string().describe('ISO 8601, UTC'),
  createdBy: z.string(),
  channels: z.array(z.string()).describe('Ids of the channels that are shared now'),
})
export type Publisher = z.infer<typeof Publisher>

export const NewPublisher = z.strictObject({ name, description: description.default(''), group: id })
export type NewPublisher = z.infer<typeof NewPublisher>

/** Fields that are not given keep their value. */
export const PublisherChange = z.strictObject({ name, description }).partial()
export type PublisherChange = z.infer<typeof PublisherChange>

/** A channel of another customer, as a subscriber sees it. */
export const SharedChannel = z.object({
  uniqueId: z.string(),
  name: z.string(),
  kind: ChannelKind,
  status: ChannelStatus,
})
export type SharedChannel = z.infer<typeof SharedChannel>

export const Subscriber = z.object({
  id: z.string(),
  inventoryId: z.string(),
  name,
  shareKey: z.string(),
  folder: z.string(),
  folderName: z.string(),
  group: z.string().describe('The group of the folder'),
  publisher: z.string().nullable().describe('Its name; null when it no longer exists'),
  channels: z.array(SharedChannel).describe('The channels that are shared now'),
})
export type Subscriber = z.infer<typeof Subscriber>

export const NewSubscriber = z.strictObject({ name, shareKey: z.string().trim().min(1).max(64), folder: id })
export type NewSubscriber = z.infer<typeof NewSubscriber>

/** Fields that are not given keep their value. */
export const SubscriberChange = NewSubscriber.partial()
export type SubscriberChange = z.infer<typeof SubscriberChange>

export const ShareFolder = z.object({
  id: z.string(),
  inventoryId: z.string(),
  group: z.string(),
  name: z.string(),
  root: z.boolean(),
})
export type ShareFolder = z.infer<typeof ShareFolder>

const folderName = z.string().trim().min(1).max(NAME_MAX)
export const NewShareFolder = z.strictObject({ name: folderName, group: id })
export type NewShareFolder = z.infer<typeof NewShareFolder>
export const ShareFolderChange = z.strictObject({ name: folderName })
export type ShareFolderChange = z.infer<typeof ShareFolderChange>

/** The root folder of a group has the group's name and is removed with it. */
const rootPrefix = 'root-'
export const rootFolderOf = (groupId: string): string => rootPrefix + groupId
/** The group whose root folder this is; undefined for any other folder. */
export const groupOfRootFolder = (folderId: string): string | undefined =>
  folderId.startsWith(rootPrefix) ? folderId.slice(rootPrefix.length) : undefined

/** Why sharing of a channel cannot begin or end now: a channel on air is not changed (ER-SHARE rows, GAP-SHARE-03). */
export function shareRefusal(
  channel: Pick<SharedChannel, 'kind' | 'status'>,
): { code: number; reason: PlainCode } | undefined {
  if (!channelIsIn(channel.status, 'busy')) return undefined
  if (channel.kind === 'OUTPUT_CHANNEL') return { code: 9168, reason: 'share.outputBusy' }
  if (channel.kind === 'DISTRIBUTOR_CHANNEL') return { code: 9169, reason: 'share.publisherActive' }
  if (channel.kind === 'INPUT_CHANNEL') return { code: 9170, reason: 'share.inputBusy' }
  return undefined
}
