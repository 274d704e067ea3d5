/** What a unit in store and forward writes to its card, to be uploaded later. Pure. */
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'

/** By the quality of the recording encoder. */
const storedKbps = { high: 20_000, standard: 12_000, low: 6000 } as const

export function storedKbpsOf({ storeAndForwardQuality, storeAndForwardEncoder }: UnitSettings): number {
  const quality = storeAndForwardEncoder && storeAndForwardQuality?.[storeAndForwardEncoder]
  return storedKbps[quality ?? 'standard']
}

export interface StoredRecording {
  /** Below the storage. */
  path: string
  sizeBytes: number
  modifiedMs: number
}

/** Named by its beginning, with the prefix that files of the unit have. */
export function recordingOf(settings: UnitSettings, fromMs: number, toMs: number): StoredRecording {
  const [day = '', time = ''] = new Date(fromMs).toISOString().slice(0, 19).replaceAll(':', '-').split('T')
  const sizeBytes = Math.round(((toMs - fromMs) * storedKbpsOf(settings)) / 8)
  return { path: `${day}/${settings.filenamePrefix ?? ''}${time}Z.mp4`, sizeBytes, modifiedMs: toMs }
}
