/** The recording that a unit in store and forward writes to its card, to be uploaded later. Pure. */
import { recordingKbps, recordingLabels, recordingPath } from '@backhaul/contract/nouns/recordings'
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'

export interface StoredRecording {
  /** Below the storage. */
  path: string
  sizeBytes: number
  seconds: number
  modifiedMs: number
  labels: Readonly<Record<string, string>>
}

export const recordingOf = (settings: UnitSettings, fromMs: number, toMs: number): StoredRecording => ({
  path: recordingPath(settings, fromMs),
  sizeBytes: Math.round(((toMs - fromMs) * recordingKbps(settings)) / 8),
  seconds: Math.floor((toMs - fromMs) / 1000),
  modifiedMs: toMs,
  labels: recordingLabels(settings),
})
