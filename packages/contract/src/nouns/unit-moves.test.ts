import { expect, test } from 'vitest'
import { toldMove } from './unit-moves.ts'
import type { StatusBasis } from './unit-status.ts'

const offline: StatusBasis = { applications: null, status: 'offline' }
const idle: StatusBasis = { applications: {}, status: 'idle' }
const video = (state: string): StatusBasis => ({ applications: { video: { state } }, status: 'streaming' })

/** What is told on the way over these statuses. */
function tellAll(...statuses: StatusBasis[]) {
  let hasStarted = false
  return statuses.slice(1).map((after, at) => {
    const step = toldMove(statuses[at] as StatusBasis, after, hasStarted)
    hasStarted = step.hasStarted
    return step.move
  })
}

test('a transmission is told as started when its video flows, and once', () => {
  expect(tellAll(idle, video('connecting'), video('streaming'), idle)).toEqual([
    undefined,
    'onlineToStreaming',
    'streamingToOnline',
  ])
  const again = [video('streaming'), video('connecting'), video('streaming')]
  expect(tellAll(idle, ...again)).toEqual(['onlineToStreaming', undefined, undefined])
  expect(tellAll(offline, video('streaming'))).toEqual(['offlineToStreaming'])
})

test('what has not started does not end either', () => {
  expect(tellAll(idle, video('connecting'), idle)).toEqual([undefined, undefined])
  expect(tellAll(offline, video('connecting'), offline)).toEqual(['offlineToOnline', 'onlineToOffline'])
  expect(tellAll(idle, video('streaming'), video('connecting'), offline)).toEqual([
    'onlineToStreaming',
    undefined,
    'streamingToOffline',
  ])
})
