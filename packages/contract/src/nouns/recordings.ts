/** What a unit records in store-and-forward mode: which camera, how much, under which name, with which labels. */
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

/** Those of the unit, under those of what it is sent out for, and how well it is recorded. */
export const recordingLabels = (settings: UnitSettings): Record<string, string> => ({
  ...settings.defaultMetadata,
  ...settings.metadata,
  quality: encodingQualities[qualityOf(settings)],
})
