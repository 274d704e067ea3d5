import { expect, test } from 'vitest'
import { defaultVrSettings, feedOf, NewVrChannel, type VrInput, VrPhase, vrStatusOf } from './video-return.ts'

test('[VR-002] a channel has five statuses, and any other word counts as offline', () => {
  const words = ['idle', 'videoReturnInputConnected', 'collecting', 'offline', 'connecting']
  expect(words.map(vrStatusOf)).toEqual(words)
  expect(vrStatusOf('inputConnected')).toBe('videoReturnInputConnected')
  for (const word of ['unavailable', 'online', '', 'Collecting']) expect(vrStatusOf(word)).toBe('offline')
  expect(VrPhase.options).toEqual(['connecting', 'collecting', 'stopping'])
})

test('[VR-002] a new channel has four SDI inputs, H.264, no recording and two sound channels', () => {
  const made = NewVrChannel.parse({ name: 'Return-1', serverId: 'sv-1' })
  expect(made.inputs.map(({ id, enabled }) => [id, enabled])).toEqual(
    ['sdi-1', 'sdi-2', 'sdi-3', 'sdi-4'].map((id) => [id, true]),
  )
  expect(made).toMatchObject({ video: { codec: 'H.264' }, store: false, audio: { channels: 2 } })
})

test('[VR-004] the server takes the first input in order with a signal, or the one that users chose', () => {
  const seen: VrInput[] = (['sdi-2', 'sdi-3'] as const).map((id) => ({
    id,
    connected: true,
    standard: '1080p50',
  }))
  const { inputs } = defaultVrSettings
  const automatic = { inputs, feedSelectionMode: 'automaticByServer' as const, input: null }
  expect(feedOf(automatic, seen)?.id).toBe('sdi-2')
  expect(feedOf({ ...automatic, inputs: inputs.toReversed() }, seen)?.id).toBe('sdi-3')
  // The server that chooses the input ignores the choice of users.
  expect(feedOf(automatic, seen, 'sdi-3')?.id).toBe('sdi-2')
  const custom = { ...automatic, feedSelectionMode: 'custom' as const, input: 'sdi-3' as const }
  expect(feedOf(custom, seen)?.id).toBe('sdi-3')
  expect(feedOf(custom, seen, 'sdi-2')?.id).toBe('sdi-2')
  expect(feedOf(custom, seen, 'sdi-1')).toBeUndefined()
  const closed = inputs.map((one) => ({ ...one, enabled: one.id === 'sdi-1' }))
  expect(feedOf({ ...automatic, inputs: closed }, seen)).toBeUndefined()
})
