import { exampleUnit } from '@backhaul/contract/examples/units'
import type { Unit } from '@backhaul/contract/nouns/units'
import { expect, test } from 'vitest'
import { isAsAnnounced, messagesOf as messagesAfter } from './unit-messages.ts'

/** The messages where the start of the transmission was announced. */
const messagesOf = (before: Unit, after: Unit) => messagesAfter(before, after, true)

const unit = (change: Partial<Unit> = {}): Unit => ({ ...exampleUnit, ...change })
const idle = unit({ applications: {}, status: 'idle' })
const offline = unit({ applications: null, status: 'offline' })

test('the moves of a unit are announced under the name of their setting', () => {
  expect(messagesOf(offline, idle)).toEqual(['offlineToOnline'])
  expect(messagesOf(idle, unit())).toEqual(['startedStreaming'])
  expect(messagesOf(unit(), idle)).toEqual(['streamingToOnline'])
  expect(messagesOf(idle, offline)).toEqual(['onlineToOffline'])
  expect(messagesOf(unit(), offline)).toEqual(['streamingToOffline'])
  expect(messagesOf(idle, idle)).toEqual([])
})

test('a start is announced when the video flows, and one that never came to that ends without a message', () => {
  const connecting = unit({ applications: { video: { state: 'connecting' } } })
  expect(messagesAfter(idle, connecting, false)).toEqual([])
  expect(messagesAfter(connecting, unit(), false)).toEqual(['startedStreaming'])
  expect(messagesAfter(connecting, idle, false)).toEqual([])
  expect(messagesAfter(connecting, unit(), true)).toEqual([])
})

test('[FILE-006] [LIVE-007] a file transfer is announced when it starts and when it is complete, under any state name', () => {
  const sending = { ...idle, fileTransfer: { state: 'uploading' } }
  const sent = { ...idle, fileTransfer: { state: 'completed' } }
  expect(messagesOf(idle, sending)).toEqual(['fileUploadStarted'])
  expect(messagesOf(sending, sent)).toEqual(['fileUploadCompleted'])
  expect(messagesOf(sent, idle)).toEqual([])
  expect(messagesOf(idle, sent)).toEqual([])
  const done = { ...idle, fileTransfer: { state: 'done' } }
  const ongoing = { ...idle, fileTransfer: { state: 'ongoing' } }
  expect(messagesOf(sent, ongoing)).toEqual(['fileUploadStarted'])
  expect(messagesOf(ongoing, done)).toEqual(['fileUploadCompleted'])
  expect(messagesOf(done, sent)).toEqual([])
})

test('a change of figures announces nothing, and any other field of the messages may', () => {
  const figures = { ...idle, reportedAt: 1, battery: null }
  expect(isAsAnnounced(idle, figures)).toBe(true)
  expect(isAsAnnounced(idle, unit())).toBe(false)
  expect(isAsAnnounced(idle, { ...idle, status: 'offline' })).toBe(false)
  expect(isAsAnnounced(idle, { ...idle, fileTransfer: { state: 'uploading' } })).toBe(false)
})
