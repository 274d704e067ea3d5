/** What a unit records in store-and-forward mode: how much, under which name, with which labels. */
import type { UnitSettings } from './unit-settings.ts'

type Codec = NonNullable<UnitSettings['storeAndForwardEncoder']>

/** Video rates of H.264/AVC by quality, in kbit/s. */
const recordedKbps = { high: 20_000, standard: 12_000, low: 6000 } as const
/** H.265/HEVC gives the same picture at so much of the rate. */
const hevcShare = 0.6

export const recordingCodec = ({ storeAndForwardEncoder = 'H.264/AVC' }: UnitSettings): Codec =>
  storeAndForwardEncoder

export function recordingKbps(settings: UnitSettings): number {
  const codec = recordingCodec(settings)
  const kbps = recordedKbps[settings.storeAndForwardQuality?.[codec] ?? 'standard']
  return codec === 'H.265/HEVC' ? kbps * hevcShare : kbps
}

/** Below the storage: a folder for each day, named by its beginning in UTC after the prefix that files of the unit have. */
export function recordingPath({ filenamePrefix = '' }: UnitSettings, beganMs: number): string {
  const [day = '', time = ''] = new Date(beganMs).toISOString().slice(0, 19).replaceAll(':', '-').split('T')
  return `${day}/${filenamePrefix}${time}Z.mp4`
}

/** Those of the unit, under those of what it is sent out for. */
export const recordingLabels = ({ metadata, defaultMetadata }: UnitSettings): Record<string, string> => ({
  ...defaultMetadata,
  ...metadata,
})
