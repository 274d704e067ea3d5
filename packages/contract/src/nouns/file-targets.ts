/** File targets: FTP, SFTP and S3 servers of a customer, and the sendings of files to them (GAP-FILE-02). */

import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import { type PlainCode, ReasonCause, rule } from '../define/refusals.ts'
import { NAME_MAX } from './names.ts'

export const FILE_TARGETS_PER_INVENTORY = 50

export const FileTargetKind = z.enum(['ftp', 'sftp', 's3'])
export type FileTargetKind = z.infer<typeof FileTargetKind>

/** The document that goes with a file. */
export const SentMetadata = z.enum(['none', 'xml', 'json'])
export type SentMetadata = z.infer<typeof SentMetadata>

/** The protocols of each kind, and the reason for an address of another form. Of S3 the first part of the path is the bucket. */
const addressForms: Readonly<Record<FileTargetKind, { form: RegExp; otherwise: PlainCode }>> = {
  ftp: { form: /^ftps?:\/\/[^\s/@?#]+(\/[^\s?#]*)?$/i, otherwise: 'fileTarget.ftpAddress' },
  sftp: { form: /^sftp:\/\/[^\s/@?#]+(\/[^\s?#]*)?$/i, otherwise: 'fileTarget.sftpAddress' },
  s3: { form: /^https?:\/\/[^\s/@?#]+\/[^\s?#/][^\s?#]*$/i, otherwise: 'fileTarget.s3Address' },
}

/** Why this cannot be the address of a target of this kind; undefined when it can. */
export function targetAddressFault(kind: FileTargetKind, address: string): PlainCode | undefined {
  const { form, otherwise } = addressForms[kind]
  // Parsing takes ways up out of the path: such an address means another folder than it shows.
  const isWayUp = /\/(\.|%2e){2}(\/|$)/i.test(address)
  return form.test(address) && z.url().safeParse(address).success && !isWayUp ? undefined : otherwise
}

const shared = {
  name: z.string().trim().min(1, rule('field.required')).max(NAME_MAX, rule('name.tooLong')),
  kind: FileTargetKind,
  address: z
    .string()
    .trim()
    .min(1, rule('field.required'))
    .max(1024)
    .describe('ftp://host/folder, ftps:// with TLS, sftp://host/folder, https://host/bucket/folder'),
  username: z.string().trim().max(255).describe('Of S3 the id of the access key'),
  region: z.string().trim().max(64).describe('Of S3; "" means us-east-1'),
  hostKey: z
    .string()
    .trim()
    .refine((key) => key === '' || /^SHA256:[\w+/]{43}$/.test(key), { message: rule('fileTarget.hostKey') })
    .describe('Of SFTP: the fingerprint of the key of the server'),
  sentMetadata: SentMetadata.describe('The document that is sent next to each file'),
  sendsAll: z.boolean().describe('Files that finish from now on are sent by themselves'),
}

const secret = z.string().max(8192)

/** The secret is a password, a private key of SFTP, or the secret key of S3. */
export const FileTarget = z.object({
  id: z.string(),
  inventoryId: z.string(),
  ...shared,
  hasSecret: z.boolean().describe('The secret itself is never shown'),
})
export type FileTarget = z.infer<typeof FileTarget>

export const NewFileTarget = z
  .strictObject({
    ...shared,
    username: shared.username.default(''),
    region: shared.region.default(''),
    hostKey: shared.hostKey.default(''),
    sentMetadata: shared.sentMetadata.default('none'),
    sendsAll: shared.sendsAll.default(false),
    secret: secret.default('').describe('Stored encrypted'),
  })
  .superRefine(({ kind, address }, context) => {
    const fault = targetAddressFault(kind, address)
    if (fault !== undefined) context.addIssue({ code: 'custom', path: ['address'], message: rule(fault) })
  })
export type NewFileTarget = z.infer<typeof NewFileTarget>

/** Fields that are not given keep their value, the secret too; an empty one removes it. The kind is not changed. */
export const FileTargetChange = z
  .strictObject({ ...shared, secret })
  .omit({ kind: true })
  .partial()
export type FileTargetChange = z.infer<typeof FileTargetChange>

/**
 * 1. waiting: for its turn, or for the next try;
 * 2. sending: bytes arrive at the target;
 * 3. done: the target has all of it (final);
 * 4. failed: the target refuses it, or all tries are used (final);
 * 5. cancelled: by a user (final).
 */
export const SendingState = z.enum(['waiting', 'sending', 'done', 'failed', 'cancelled'])
export type SendingState = z.infer<typeof SendingState>

export const isSendingOver = (state: SendingState): boolean => state !== 'waiting' && state !== 'sending'

/** The way of one file to one target. */
export const FileSending = z.object({
  id: z.string(),
  fileId: z.string(),
  targetId: z.string(),
  targetName: z.string(),
  state: SendingState,
  sizeBytes: z.number().int(),
  sentBytes: z.number().int(),
  tries: z.number().int().describe('Those that failed'),
  nextTryAt: IsoTime.nullable(),
  by: z.string().nullable().describe('null: by itself'),
  startedAt: IsoTime,
  endedAt: IsoTime.nullable(),
  reason: z.string().nullable().describe('Why it failed, or why it has to try again'),
  cause: ReasonCause,
})
export type FileSending = z.infer<typeof FileSending>

/** The newest sendings of a file that are listed. */
export const SENDINGS_SHOWN = 20

/** A sending fails with the last of its tries; with the pauses that takes almost two hours. */
export const SENDING_TRIES = 12

const [firstPauseMs, longestPauseMs] = [10_000, 900_000]

/** The time that a sending waits after this many failed attempts. */
export const sendingPauseMs = (tries: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** Math.max(0, tries - 1))
