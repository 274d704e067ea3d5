import { expect, test } from 'vitest'
import { visibleMove } from './unit-moves.ts'
import type { StatusBasis } from './unit-status.ts'

const offline: StatusBasis = { applications: null, status: 'offline' }
const idle: StatusBasis = { applications: {}, status: 'idle' }
const video = (state: string): StatusBasis => ({ applications: { video: { state } }, status: 'streaming' })

/** The moves over these statuses. */
function movesOver(...statuses: StatusBasis[]) {
  let hasStarted = false
  return statuses.slice(1).map((after, at) => {
    const step = visibleMove(statuses[at] as StatusBasis, after, hasStarted)
    hasStarted = step.hasStarted
    return step.move
  })
}

test('a transmission is reported as started when its video flows, and once', () => {
  expect(movesOver(idle, video('connecting'), video('streaming'), idle)).toEqual([
    undefined,
    'onlineToStreaming',
    'streamingToOnline',
  ])
  const again = [video('streaming'), video('connecting'), video('streaming')]
  expect(movesOver(idle, ...again)).toEqual(['onlineToStreaming', undefined, undefined])
  expect(movesOver(offline, video('streaming'))).toEqual(['offlineToStreaming'])
})

test('a transmission that has not started does not end either', () => {
  expect(movesOver(idle, video('connecting'), idle)).toEqual([undefined, undefined])
  expect(movesOver(offline, video('connecting'), offline)).toEqual(['offlineToOnline', 'onlineToOffline'])
  expect(movesOver(idle, video('streaming'), video('connecting'), offline)).toEqual([
    'onlineToStreaming',
    undefined,
    'streamingToOffline',
  ])
})
