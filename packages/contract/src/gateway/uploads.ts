/** Uploads of units through a tunnel to the server: who is admitted, and the messages of both ends in its one stream. */
import { z } from 'zod'
import { DeviceCause } from '../define/refusals.ts'

/** The name of the stream that the unit opens in the tunnel. */
export const UPLOAD_STREAM = 'upload'

/** A tunnel for one attempt of one upload. */
export const AdmittedUpload = z.object({
  id: z.string().max(64),
  key: z.string().describe('base64 of 32 bytes: everything is sealed with it'),
})
export type AdmittedUpload = z.infer<typeof AdmittedUpload>

/** A file with another size or time is another file. */
export const UploadSource = z.object({
  sizeBytes: z.number().int().min(0),
  modifiedMs: z.number().int().min(0),
})
export type UploadSource = z.infer<typeof UploadSource>

/** The addresses that the unit calls over each of its links, and the file that it may send. */
export const UploadTunnel = AdmittedUpload.extend({
  targets: z.array(z.object({ host: z.string(), port: z.number().int() })).min(1),
  source: UploadSource.optional().describe('The file when the upload began: the unit refuses another one'),
})
export type UploadTunnel = z.infer<typeof UploadTunnel>

/**
 * The stream, each message as JSON in a line of its own: the unit names its file as `UploadSource`; the server answers
 * `UploadStart`; the unit sends all bytes from there on, and then `UploadSum`; the server answers `UploadEnd`, which it
 * may also do at any time before. A line has at most UPLOAD_LINE_BYTES.
 */
export const UploadStart = z.object({ from: z.number().int().min(0).describe('The first missing byte') })

export const UploadSum = z.object({
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('Of the whole file'),
})
export type UploadSum = z.infer<typeof UploadSum>

/** The end of an upload; without a reason the file is stored and has the sum that was sent. */
export const UploadEnd = z.object({ reason: z.string().max(255).optional(), cause: DeviceCause.optional() })

export const UPLOAD_LINE_BYTES = 2048

/**
 * Through core: the unit says `verified=1` with each part, and the sum with an empty one behind the last. Core sends the
 * server this header with the bytes; the server requests the sum from the same address, with `sum=1`, once it has them.
 */
export const UPLOAD_VERIFIED_HEADER = 'x-backhaul-upload-verified'
