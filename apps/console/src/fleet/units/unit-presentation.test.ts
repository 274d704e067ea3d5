import { exampleUnit } from '@backhaul/contract/examples/units'
import type { Unit } from '@backhaul/contract/nouns/units'
import { expect, test } from 'vitest'
import {
  bitrateText,
  byStatusThenName,
  durationText,
  labelOf,
  locationText,
  lookOf,
  lookOfLabel,
  lossText,
  nothing,
  startRefusal,
} from './unit-presentation.ts'

const output = { ...exampleUnit.selChannel!, kind: 'OUTPUT_CHANNEL' as const }
const unit = (change: Partial<Unit> = {}): Unit => ({ ...exampleUnit, selChannel: output, ...change })
const idle = { applications: {}, status: 'idle' } as const
const offline = { applications: null, status: 'offline' } as const

test('a unit is live, ready or offline by the rules of the contract, each with its own shape', () => {
  expect([labelOf(unit()), lookOf(unit()).shape]).toEqual(['live', 'disc'])
  expect([labelOf(unit(idle)), lookOf(unit(idle)).shape]).toEqual(['ready', 'ring'])
  expect([labelOf(unit(offline)), lookOf(unit(offline)).shape]).toEqual(['offline', 'slashedRing'])
  expect(lookOf(unit({ applications: { forward: { state: 'on' } } })).shape).toBe('houseFilled')
  expect(labelOf(unit({ selChannel: exampleUnit.selChannel }))).toBe('preview')
})

test('figures are absent, not zero, when the unit does not transmit', () => {
  expect([bitrateText(unit(idle)), lossText(unit(idle)), bitrateText(unit(offline))]).toEqual([
    nothing,
    nothing,
    nothing,
  ])
  expect(bitrateText(unit({ uplink: { ...exampleUnit.uplink!, kbps: 4123 } }))).toBe('4.12 Mbps')
})

test('the list is sorted live first, then by name with numbers as numbers', () => {
  const list = [
    unit({ ...offline, name: 'A' }),
    unit({ ...idle, name: 'LU-10' }),
    unit({ ...idle, name: 'LU-9' }),
    unit({ name: 'Z' }),
  ]
  expect(list.sort(byStatusThenName).map((one) => one.name)).toEqual(['Z', 'LU-9', 'LU-10', 'A'])
})

test('a start is refused with its reason', () => {
  expect(startRefusal(unit(idle), true)).toBeUndefined()
  expect(startRefusal(unit(idle), false)).toEqual({ text: 'Not available for your user type' })
  expect(startRefusal(unit(offline), true)).toEqual({ key: 'refusal.offline' })
  expect(startRefusal(unit({ applications: { fetchlogs: { state: 'on' } } }), true)).toEqual({
    key: 'refusal.busy',
  })
  expect(
    startRefusal(unit({ ...idle, channelId: null, selectedChannelName: '', selChannel: null }), true),
  ).toEqual({
    key: 'refusal.noChannel',
  })
  expect(startRefusal(unit({ ...idle, selChannel: { ...output, status: 'offline' } }), true)).toEqual({
    text: 'Selected channel is busy or offline.',
  })
  expect(startRefusal(unit({ ...idle, license: { raHours: 0, rlHours: 1, valid: false } }), true)).toEqual({
    text: 'Unit video license is invalid.',
  })
  const fourK = { ...unit().camera, connected: true, height: 2160 } as Unit['camera']
  const big = { ...output, is4K: true }
  expect(startRefusal(unit({ ...idle, camera: fourK, services: ['video'], selChannel: big }), true)).toEqual({
    text: 'Unit has no PRO-4K license.',
    isConflict: true,
  })
  const licensed = unit({ ...idle, camera: fourK, services: ['video', 'pro4k'] })
  expect(startRefusal(licensed, true)).toEqual({ text: 'Channel does not support 4K.', isConflict: true })
  expect(startRefusal({ ...licensed, selChannel: big }, true)).toBeUndefined()
  const unsaid = { ...output, hasSmpte: true, smpte2110: false }
  expect(startRefusal(unit({ ...idle, selChannel: unsaid }), true)).toEqual({
    text: 'Channel has no SMPTE configuration.',
  })
  expect(startRefusal(unit(), true)).toBeUndefined()
})

test('durations count hours on, places without an address show their coordinates', () => {
  expect(durationText(3_600_000 * 27 + 61_000)).toBe('27:01:01')
  expect(locationText({ location: { lat: 1.23456, lng: -2, address: '' } })).toBe('1.2346, -2.0000')
})

test('a unit that is previewed differs from a live one in shape and in colour', () => {
  const [live, preview] = [lookOfLabel('live'), lookOfLabel('preview')]
  expect(preview.shape).not.toBe(live.shape)
  expect(preview.tone).not.toBe(live.tone)
})
