import { expect, test } from 'vitest'
import {
  recordedCamera,
  recordingKbps,
  recordingLabels,
  recordingPath,
  serverRecordingLabels,
  streamLabels,
  transmissionLabels,
} from './recordings.ts'

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

test('[CONF-020] a live picture has the labels that fit into its transport stream, each of them whole', () => {
  expect(streamLabels({})).toBe('')
  expect(streamLabels({ defaultMetadata: { crew: 'A', city: 'Oslo' }, metadata: { city: 'Bergen' } })).toBe(
    'crew=A;city=Bergen',
  )
  const metadata = { long: 'é'.repeat(110), longer: 'é'.repeat(110), short: 'x' }
  expect(streamLabels({ metadata })).toBe(`long=${metadata.long};short=x`)
})

test('the recording of a server is titled by its story, else by its unit, else by its channel', () => {
  const startedAt = new Date('2026-11-27T10:15:00.000Z')
  const place = { channelName: 'MCR-1', startedAt }
  const own = { channelName: 'MCR-1', creation_time: '2026-11-27T10:15:00.000Z' }
  expect(serverRecordingLabels(place)).toEqual({ ...own, title: 'MCR-1' })
  const labels = transmissionLabels({ name: 'Van-1', metadata: {} })
  expect(serverRecordingLabels(place, labels)).toEqual({ ...own, unitName: 'Van-1', title: 'Van-1' })
  const story = { slugline: 'HARBOUR FIRE' }
  expect(serverRecordingLabels(place, transmissionLabels({ name: 'Van-1', metadata: story }))).toEqual({
    ...own,
    ...story,
    unitName: 'Van-1',
    title: 'HARBOUR FIRE',
  })
})
