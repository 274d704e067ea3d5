/** Files of channels: recordings and uploads of units; periods of the list, names, what can be played out (EN-FILE rows). */

import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import { type PlainCode, rule } from '../define/refusals.ts'
import type { Channel } from './channels.ts'
import { channelIsIn } from './channels.ts'
import { MetadataFormat } from './metadata-formats.ts'

/** Containers that hold a picture (EN-FILE-12). */
export const FileFormat = z.enum(['mp4', 'mkv', '3gp', 'mov'])
export type FileFormat = z.infer<typeof FileFormat>

/** Undefined for a file that is not a video, such as a photo or a list. */
export function formatOf(fileName: string): FileFormat | undefined {
  return FileFormat.options.find((format) => fileName.toLowerCase().endsWith(`.${format}`))
}

/** The unit id of a file from a channel that receives a standard encoder. */
export const NO_UNIT = '-'

/** The unit id of a file that another system has put into the ingest folder of a server. */
export const INGESTED = 'ingest'

/** Characters of the labels of a file together, their names included. */
export const LABELS_LENGTH = 4000
/** The metadata of a file, by the names of the labels. */
export const Labels = z.record(z.string().min(1).max(LABELS_LENGTH), z.string().max(LABELS_LENGTH))
export type Labels = z.infer<typeof Labels>

/** A valid name on every file system; the extension is its type. */
export const FILE_NAME_LENGTH = 64
export const FileName = z
  .string()
  .min(1)
  .max(FILE_NAME_LENGTH)
  .regex(/^[\w@~+={},!()-][\w@~+={},!(). -]*$/, rule('field.pattern'))
export type FileName = z.infer<typeof FileName>

export interface FileKey {
  channelId: string
  unitId: string
  fileName: string
}

/** channel/unit/filename (EN-FILE-01). */
export const fileIdOf = ({ channelId, unitId, fileName }: FileKey): string =>
  `${channelId}/${unitId}/${fileName}`

/** Undefined when the text is not a file id. */
export function fileKeyOf(fileId: string): FileKey | undefined {
  const [channelId, unitId, fileName, ...more] = fileId.split('/')
  return channelId && unitId && fileName && more.length === 0 ? { channelId, unitId, fileName } : undefined
}

/** Any other text does not name a file. */
export const FileId = z.string().min(1).max(300)

const partPattern = /^(.*)_part(\d{1,4})(\.\w+)?$/

/** `Harbour_part2.mp4` is the second part of `Harbour.mp4`, which is the first (EN-FILE-02). */
export function partOf(fileName: string): { whole: string; index: number } {
  const found = partPattern.exec(fileName)
  return found
    ? { whole: `${found[1]}${found[3] ?? ''}`, index: Number(found[2]) }
    : { whole: fileName, index: 1 }
}

/** The name of a further part: `partName('Harbour.mp4', 2)` is `Harbour_part2.mp4`. */
export function partName(whole: string, index: number): string {
  const ending = /\.\w+$/.exec(whole)?.[0] ?? ''
  return index === 1 ? whole : `${whole.slice(0, whole.length - ending.length)}_part${index}${ending}`
}

/** `recordings` are of the channel's server, `uploads` came from units. */
export const RootDirectory = z.enum(['recordings', 'uploads'])
export type RootDirectory = z.infer<typeof RootDirectory>

export const ChannelFile = z.object({
  fileId: z.string().describe('channel/unit/filename'),
  fileName: z.string(),
  luName: z.string().describe('"" when no unit sent it'),
  luAlias: z.string(),
  mmhId: z.string().describe('The channel'),
  mmhName: z.string(),
  sizeBytes: z.number().int(),
  lastModified: IsoTime,
  isTransferring: z.boolean(),
  chunkIndex: z.number().int(),
  rootDirectory: RootDirectory,
  format: FileFormat.nullable(),
  metadataFormat: MetadataFormat.describe('Of the document next to it, or of the one that it will have'),
})
export type ChannelFile = z.infer<typeof ChannelFile>

/** A part of a file that was cut in several (GAP-FILE-03). */
export const FileChunk = z.object({
  index: z.number().int(),
  fileId: z.string(),
  sizeBytes: z.number().int(),
  state: z.enum(['transferring', 'done']),
})
export type FileChunk = z.infer<typeof FileChunk>

/** The quality of a store-and-forward recording, as a label of the file (EN-FMETA-14, GAP-FILE-06). */
export const EncodingQuality = z.enum(['uhd', 'hd', 'sd'])
export type EncodingQuality = z.infer<typeof EncodingQuality>
export const encodingQualities = { high: 'uhd', standard: 'hd', low: 'sd' } as const satisfies Record<
  string,
  EncodingQuality
>

/** The properties of a finished file. */
export const FileMedia = z.object({
  lengthMs: z.number().int().min(0),
  bitrateKbps: z.number().int().min(0),
  codec: z.string().max(32),
  width: z.number().int().min(0),
  height: z.number().int().min(0),
  quality: EncodingQuality.nullish().describe('Of a recording in store and forward'),
})
export type FileMedia = z.infer<typeof FileMedia>

/** Position and story of a unit when its file began. */
export const FileOrigin = z.object({
  unitName: z.string(),
  unitType: z.string(),
  gps: z.object({ lat: z.number(), lng: z.number() }).nullable(),
  story: z.record(z.string(), z.string()),
  promptMetadata: z.boolean().default(false).describe('Whether users entered the labels before the upload'),
})
export type FileOrigin = z.infer<typeof FileOrigin>

/** EN-FMETA rows; unknown values are null. */
export const FileMetadata = z.object({
  dateTime: IsoTime,
  sizeBytes: z.number().int(),
  resolution: z.string().nullable().describe('1920x1080'),
  lengthMs: z.number().int().nullable(),
  bitrateKbps: z.number().int().nullable(),
  codec: z.string().nullable(),
  quality: EncodingQuality.nullable(),
  ...FileOrigin.shape,
  sendMetadata: z.boolean().describe('Whether a document goes with the file'),
  labels: z.array(z.string()).describe('Names of the labels that it has'),
})
export type FileMetadata = z.infer<typeof FileMetadata>

/** The label that decides whether a document goes with a file: it does unless the value is false (EN-FMETA-11). */
export const SEND_METADATA = 'sendMetadata'
export const sendsMetadata = (labels: Readonly<Record<string, string>>): boolean =>
  labels[SEND_METADATA] !== 'false'

/** Filters of the list of files (CO-UNIT-37). */
export const FilePeriod = z.enum([
  'all',
  'today',
  'yesterday',
  'thisWeek',
  'lastWeek',
  'thisMonth',
  'lastMonth',
  'lastThreeMonths',
])
export type FilePeriod = z.infer<typeof FilePeriod>

/** First and last moment (excluded) of a period in the time zone of `now`; weeks begin on Monday. */
export function periodBounds(period: FilePeriod, now: Date): { from?: string; to?: string } {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  const monday = day - ((now.getDay() + 6) % 7)
  const from = (y: number, m: number, d: number) => new Date(y, m, d).toISOString()
  switch (period) {
    case 'all':
      return {}
    case 'today':
      return { from: from(year, month, day) }
    case 'yesterday':
      return { from: from(year, month, day - 1), to: from(year, month, day) }
    case 'thisWeek':
      return { from: from(year, month, monday) }
    case 'lastWeek':
      return { from: from(year, month, monday - 7), to: from(year, month, monday) }
    case 'thisMonth':
      return { from: from(year, month, 1) }
    case 'lastMonth':
      return { from: from(year, month - 1, 1), to: from(year, month, 1) }
    case 'lastThreeMonths':
      return { from: from(year, month - 2, 1) }
  }
}

/** The time for which a download address is tried before it is offered (CO-ADMIN-28, PU-TIME-09). */
export const FILE_PROBE_MS = 5000

/** The address of a file at core; outside the REST base, so that a browser can open it. */
export const FILES_PATH = '/files'
export const downloadPath = (fileId: string): string =>
  `${FILES_PATH}/${fileId.split('/').map(encodeURIComponent).join('/')}`

/** The path of a file at its server, from which core fetches it. */
export const pathAtServer = ({
  rootDirectory,
  channelId,
  unitId,
  fileName,
}: FileKey & { rootDirectory: string }): string =>
  [FILES_PATH, ...[rootDirectory, channelId, unitId, fileName].map(encodeURIComponent)].join('/')

const contentTypes: Readonly<Record<FileFormat, string>> = {
  mp4: 'video/mp4',
  mkv: 'video/x-matroska',
  mov: 'video/quicktime',
  '3gp': 'video/3gpp',
}

export function contentTypeOf(fileName: string): string {
  const format = formatOf(fileName)
  return format ? contentTypes[format] : 'application/octet-stream'
}

type PlayoutChannel = Pick<Channel, 'kind' | 'status' | 'allocatedToUnitUid' | 'serverId'>

/**
 * Why the file cannot be played out to the channel now, in the words of the specification (ER-UNIT-05, -07, -08, -09,
 * GAP-FILE-04); undefined when it can. A channel that plays a file already plays the new one after it.
 */
export function playoutRefusal(
  file: { fileName: string; serverId: string; isTransferring: boolean },
  channel: PlayoutChannel,
): PlainCode | undefined {
  if (formatOf(file.fileName) === undefined) return 'playout.unplayable'
  if (channel.kind === 'PREVIEW_CHANNEL') return 'playout.previewChannel'
  if (channel.allocatedToUnitUid !== null) return 'playout.allocatedChannel'
  const { status } = channel
  const isFree = status === 'idle' || status === 'PlayStoredFile' || status === 'playstoredfile'
  if (!isFree || channelIsIn(status, 'offline') || !takesFiles(channel)) return 'channel.busyOrOffline'
  if (file.serverId !== channel.serverId) return 'file.otherServer'
  return file.isTransferring ? 'file.beingWritten' : undefined
}

/** Channels that are fed from outside or made of others cannot play files. */
const takesFiles = ({ kind }: Pick<Channel, 'kind'>): boolean =>
  kind === 'OUTPUT_CHANNEL' || kind === 'DISTRIBUTOR_CHANNEL'
