import { expect, test } from 'vitest'
import { recordedCamera, recordingKbps, recordingLabels, recordingPath } from './recordings.ts'

test('[CONF-017] the quality of each codec decides the rate of a recording', () => {
  const storeAndForwardQuality = { 'H.264/AVC': 'high', 'H.265/HEVC': 'low' } as const
  expect(recordingKbps({})).toBe(12_000)
  expect(recordingKbps({ storeAndForwardQuality })).toBe(20_000)
  expect(recordingKbps({ storeAndForwardQuality, storeAndForwardEncoder: 'H.265/HEVC' })).toBe(3600)
})

test('of several cameras the one that the switcher shows is recorded, and without a switcher the first', () => {
  expect(recordedCamera({})).toBe(1)
  expect(recordedCamera({ cameraMode: 'switcher', cameraInput: 2 })).toBe(2)
  expect(recordedCamera({ cameraMode: 'switcherAndProxy', cameraInput: 3 })).toBe(3)
  expect(recordedCamera({ cameraMode: 'switcher' })).toBe(1)
  expect(recordedCamera({ cameraMode: 'highQuality', cameraInput: 2 })).toBe(1)
  expect(recordedCamera({ cameraMode: 'single', cameraInput: 2 })).toBe(1)
})

test('a recording has its prefix, its beginning and the labels of its story', () => {
  const beganMs = Date.UTC(2026, 4, 3, 9, 5, 7)
  expect(recordingPath({ filenamePrefix: 'derby-' }, beganMs)).toBe('2026-05-03/derby-09-05-07Z.mp4')
  expect(recordingPath({}, beganMs)).toBe('2026-05-03/09-05-07Z.mp4')
  const labels = { defaultMetadata: { crew: 'A', city: 'Oslo' }, metadata: { city: 'Bergen' } }
  expect(recordingLabels(labels)).toEqual({ crew: 'A', city: 'Bergen', quality: 'hd' })
  const storeAndForwardQuality = { 'H.264/AVC': 'low', 'H.265/HEVC': 'high' } as const
  expect(recordingLabels({ storeAndForwardQuality })).toEqual({ quality: 'sd' })
  expect(recordingPath({ filenamePrefix: 'derby-' }, beganMs, 3)).toBe('2026-05-03/derby-09-05-07Z_part3.mp4')
})
