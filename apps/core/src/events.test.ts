import { createLog } from '@backhaul/runtime/log'
import { expect, it } from 'vitest'
import { createEvents } from './world/events.ts'

it('calls every listener that still listens, even when another one fails', () => {
  const lines: string[] = []
  const events = createEvents(createLog({ name: 'core', format: 'json', write: (line) => lines.push(line) }))
  const calls: string[] = []
  const stop = events.on('groupChanged', ({ groupId }) => calls.push(`first ${groupId}`))
  events.on('groupChanged', () => {
    throw new Error('listener failed')
  })
  events.on('groupChanged', ({ groupId }) => calls.push(`last ${groupId}`))
  events.emit('groupChanged', { groupId: 'a' })
  stop()
  events.emit('groupChanged', { groupId: 'b' })
  expect(calls).toEqual(['first a', 'last a', 'last b'])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'event listener failed', kind: 'groupChanged', err: { message: 'listener failed' } },
    { msg: 'event listener failed' },
  ])
})
