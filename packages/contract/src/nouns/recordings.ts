/** Recordings: by a unit in store-and-forward mode, with their labels; by a server; and the labels of live streams. */
import { encodingQualities, partName } from './files.ts'
import type { UnitSettings } from './unit-settings.ts'

type Codec = NonNullable<UnitSettings['storeAndForwardEncoder']>

/** Video rates of H.264/AVC by quality, in kbit/s. */
const recordedKbps = { high: 20_000, standard: 12_000, low: 6000 } as const
/** H.265/HEVC gives the same picture at so much of the rate. */
const hevcShare = 0.6

export const recordingCodec = ({ storeAndForwardEncoder = 'H.264/AVC' }: UnitSettings): Codec =>
  storeAndForwardEncoder

export function recordingKbps(settings: UnitSettings): number {
  const kbps = recordedKbps[qualityOf(settings)]
  return recordingCodec(settings) === 'H.265/HEVC' ? kbps * hevcShare : kbps
}

/** The one that the switcher shows in its modes, else the first, as in a transmission. */
export const recordedCamera = ({ cameraMode, cameraInput = 1 }: UnitSettings): number =>
  cameraMode === 'switcher' || cameraMode === 'switcherAndProxy' ? cameraInput : 1

const qualityOf = (settings: UnitSettings): keyof typeof recordedKbps =>
  settings.storeAndForwardQuality?.[recordingCodec(settings)] ?? 'standard'

/**
 * Below the storage: a folder for each day, named by its beginning in UTC after the prefix that files of the unit have.
 * A recording that was interrupted continues in the next part.
 */
export function recordingPath({ filenamePrefix = '' }: UnitSettings, beganMs: number, part = 1): string {
  const [day = '', time = ''] = new Date(beganMs).toISOString().slice(0, 19).replaceAll(':', '-').split('T')
  return `${day}/${partName(`${filenamePrefix}${time}Z.mp4`, part)}`
}

/** The labels of the unit; those of its story replace defaults of the same name. */
const labelsOf = ({ defaultMetadata, metadata }: UnitSettings): Record<string, string> => ({
  ...defaultMetadata,
  ...metadata,
})

/** The labels of the unit and the quality of its recording. */
export const recordingLabels = (settings: UnitSettings): Record<string, string> => ({
  ...labelsOf(settings),
  quality: encodingQualities[qualityOf(settings)],
})

/** The names in the table of services of a transport stream have one byte for their length, and some text has a prefix. */
const STREAM_LABEL_BYTES = 240

/** The length of a text in UTF-8 bytes. */
const bytesOf = (text: string): number =>
  encodeURIComponent(text.toWellFormed()).replaceAll(/%../g, '.').length

/**
 * The labels of a live picture as the provider of its service in the transport stream: `slugline=Final;crew=North`, which
 * is why labels hold no semicolon (VA-UNIT-10). Labels for which there is no room are left out whole; '' without any.
 */
export function streamLabels(settings: UnitSettings): string {
  return Object.entries(labelsOf(settings)).reduce((before, [name, value]) => {
    const longer = before === '' ? `${name}=${value}` : `${before};${name}=${value}`
    return bytesOf(longer) > STREAM_LABEL_BYTES ? before : longer
  }, '')
}

/** The labels of a transmission, for the recordings that a server makes of it. */
export const transmissionLabels = (unit: {
  name: string
  metadata: Readonly<Record<string, string>>
}): Record<string, string> => ({ ...unit.metadata, unitName: unit.name })

/** The labels of a file that a server records; players show `title`. */
export const serverRecordingLabels = (
  { channelName, startedAt }: { channelName: string; startedAt: Date },
  labels: Readonly<Record<string, string>> = {},
): Record<string, string> => ({
  ...labels,
  title: labels.title ?? labels.slugline ?? labels.unitName ?? channelName,
  channelName,
  creation_time: startedAt.toISOString(),
})
