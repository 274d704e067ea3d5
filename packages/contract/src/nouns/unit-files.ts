/** Files on units, and their way to the server of a channel (EN-UPLOAD, ST-UPL, ST-FT rows). */

import { z } from 'zod'
import { ReasonCause, rule } from '../define/refusals.ts'
import { Metadata } from './names.ts'

/**
 * 1. pending: waits for the files of the same unit before it;
 * 2. uploading: bytes arrive at the server;
 * 3. waiting: unit or server is not connected; it continues by itself, after the bytes that the server keeps;
 * 4. success: the server has all of it (final);
 * 5. failed: it cannot continue, or a user cancelled it (final);
 * 6. rejected: the unit or the server did not accept it (final).
 */
const uploadStates = ['pending', 'uploading', 'waiting', 'success', 'failed', 'rejected'] as const
export const UploadState = z.enum(uploadStates)
export type UploadState = z.infer<typeof UploadState>

/** Other words of devices for these states (GAP-FILE-01). */
const aliases: Readonly<Record<string, UploadState>> = {
  done: 'success',
  uploaded: 'success',
  completed: 'success',
  ongoing: 'uploading',
  running: 'uploading',
}

/** The state that a device's own word means; undefined for any other word. */
export const uploadStateOf = (word: string): UploadState | undefined =>
  aliases[word] ?? uploadStates.find((state) => state === word)

/** The states of an unfinished upload. */
export const OPEN_UPLOADS = ['pending', 'uploading', 'waiting'] as const satisfies readonly UploadState[]

export const isUploadOver = (state: UploadState): boolean =>
  !(OPEN_UPLOADS as readonly UploadState[]).includes(state)

/**
 * The time that an upload waits for its unit and its server; a server keeps a partial file as long after its last byte.
 */
export const UPLOAD_WAITS_HOURS = 24
export const UPLOAD_WAITS_MS = UPLOAD_WAITS_HOURS * 3_600_000

/** Names a file on a server's disk. */
export const UploadId = z.string().regex(/^[\w-]{1,64}$/)

/** Uploads of each unit that are listed (CO-UNIT-52). */
export const UPLOADS_KEPT = 10

/** An absolute path on a unit's storage, without a way up. */
export const StoragePath = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^\/[^\0]*$/, rule('field.pattern'))
  .refine((path) => !path.split('/').includes('..'), rule('field.pattern'))

export const FileUpload = z.object({
  id: z.string(),
  path: z.string().describe('On the unit'),
  name: z.string().describe('At the server'),
  metadata: Metadata.nullable().describe('Entered before the upload; null: that of the unit'),
  state: UploadState,
  sizeBytes: z.number().int().nullable().describe('Known once the unit begins to send'),
  sentBytes: z.number().int(),
  channelId: z.string().describe('The channel that gets the file'),
  channelName: z.string(),
  by: z.string(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  reason: z.string().nullable().describe('Why it failed or was rejected, or the cause of its waiting'),
  cause: ReasonCause,
})
export type FileUpload = z.infer<typeof FileUpload>

/** The content of a folder on a unit. */
export const FolderEntry = z.object({
  name: z.string().min(1).max(255),
  isFolder: z.boolean(),
  sizeBytes: z.number().int().min(0),
  modifiedMs: z.number().int().min(0),
})
export type FolderEntry = z.infer<typeof FolderEntry>

/** Most entries of a listed folder, so that no unit fills its connection with names. */
export const ENTRIES_AT_MOST = 1000

export const Folder = z.object({
  path: z.string(),
  entries: z.array(FolderEntry),
  isCut: z.boolean().describe('There are more entries than are listed'),
})
export type Folder = z.infer<typeof Folder>

/** Most files of one request to delete. */
export const PATHS_AT_MOST = 50

const nameLength = 64

/** The name of a file at a server: characters that a file system rejects are replaced, the extension is kept. */
export function nameAtServer(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const ending = /\.\w{1,8}$/.exec(name)?.[0] ?? ''
  const stem = name.slice(0, name.length - ending.length).replaceAll(/[^\w@~+={},!(). -]/g, '_')
  return `${stem.replace(/^[. ]+/, '').slice(0, nameLength - ending.length) || 'file'}${ending}`
}
