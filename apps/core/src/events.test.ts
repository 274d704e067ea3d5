import { createLog } from '@backhaul/runtime/log'
import { expect, it } from 'vitest'
import { createEvents } from './events.ts'

it('tells every listener that still listens, whatever another one does', () => {
  const lines: string[] = []
  const events = createEvents(createLog({ name: 'core', format: 'json', write: (line) => lines.push(line) }))
  const heard: string[] = []
  const stop = events.on('groupChanged', ({ groupId }) => heard.push(`first ${groupId}`))
  events.on('groupChanged', () => {
    throw new Error('deaf')
  })
  events.on('groupChanged', ({ groupId }) => heard.push(`last ${groupId}`))
  events.emit('groupChanged', { groupId: 'a' })
  stop()
  events.emit('groupChanged', { groupId: 'b' })
  expect(heard).toEqual(['first a', 'last a', 'last b'])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'event listener failed', kind: 'groupChanged', err: { message: 'deaf' } },
    { msg: 'event listener failed' },
  ])
})
