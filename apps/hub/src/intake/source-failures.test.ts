import { expect, test } from 'vitest'
import { sourceFailureOf } from './source-failures.ts'

test.each([
  ['source.refused', ['[tcp @ 0x1] Connection to tcp://127.0.0.1:1 failed: Connection refused']],
  [
    'source.unknownHost',
    ['[srt @ 0x1] Failed to resolve hostname nowhere.invalid: Name or service not known'],
  ],
  ['source.denied', ['[rtsp @ 0x1] method DESCRIBE failed: 401 Unauthorized']],
  [
    'source.unreachable',
    ['[srt @ 0x1] Connection to srt://192.0.2.1:1 failed: Input/output error', 'pipe:0: error'],
  ],
  ['source.noStream', ['pipe:0: Invalid data found when processing input']],
  ['source.noStream', []],
] as const)('%s', (code, messages) => {
  expect(sourceFailureOf(messages)).toBe(code)
})
