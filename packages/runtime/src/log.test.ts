import { expect, test } from 'vitest'
import { createLog } from './log.ts'

function collect(format: 'json' | 'pretty') {
  const lines: string[] = []
  return { lines, log: createLog({ name: 'core', format, write: (line) => lines.push(line) }) }
}

test('the json format writes one JSON object a line with name, level and an ISO time', () => {
  const { lines, log } = collect('json')
  log.info({ port: 8080 }, 'listening')
  expect(lines).toHaveLength(1)
  const entry = JSON.parse(lines[0]!)
  expect(entry).toMatchObject({ name: 'core', level: 30, port: 8080, msg: 'listening' })
  expect(entry.time).toMatch(/^\d{4}-\d\d-\d\dT/)
})

test('the pretty format writes a short line with the fields after the text', () => {
  const { lines, log } = collect('pretty')
  log.child({ unit: 'u1' }).warn({ rttMs: 20 }, 'link lost')
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d core warn {2}link lost unit=u1 rttMs=20\n$/)
})

test('the pretty format shows the trace of an error and hides what is below the level', () => {
  const { lines, log } = collect('pretty')
  log.debug('unseen')
  log.error(new Error('disk full'), 'cannot write')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('cannot write\nError: disk full\n    at ')
})
