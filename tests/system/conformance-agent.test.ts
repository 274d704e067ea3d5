// The agent follows the whole contract, or reports the rows that it does not support.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { expect, test } from 'vitest'
import { judgeAgent, realAbsences } from '../conformance/devices.ts'
import { judge, lineOf } from '../conformance/verdicts.ts'

const ffmpegPath = findFfmpeg()

test.runIf(ffmpegPath && process.env.TEST_BUILT_PROGRAMS)(
  'a unit does what every setting, order and wanted state of the contract means, or does not claim it',
  async () => {
    const verdicts = await judgeAgent({ ffmpegPath: ffmpegPath! })
    expect(verdicts.filter(({ state }) => state === 'wrong').map(lineOf)).toEqual([])
    expect(verdicts.filter(({ state }) => state === 'done').length).toBeGreaterThanOrEqual(50)
  },
  900_000,
)

test('a row without a case is wrong, and so is a case without a row', async () => {
  const cases = {
    seen: async () => 'an effect',
    unable: async () => ({ absent: 'no right on this machine' }),
    extra: async () => 'an effect',
    missing: { reason: 'no hardware', check: async () => 'not claimed' },
    claimed: { reason: 'no hardware', check: () => Promise.reject(new Error('it claims it')) },
    without: () => Promise.reject(new Error('no effect')),
  }
  const verdicts = await judge(['seen', 'new', 'unable', 'missing', 'claimed', 'without'], cases, undefined)
  expect(Object.fromEntries(verdicts.map(({ row, state, text }) => [row, `${state}: ${text}`]))).toEqual({
    new: 'wrong: no case checks it',
    seen: 'done: an effect',
    unable: 'absent: no right on this machine',
    extra: 'wrong: the contract has no such row',
    missing: 'absent: no hardware',
    claimed: 'wrong: it claims it',
    without: 'wrong: no effect',
  })
})

test('the rows that are absent at real devices are those of the document, with the same reasons', () => {
  const path = join(import.meta.dirname, '..', '..', 'docs', 'operators', 'devices.md')
  const named = [...readFileSync(path, 'utf8').matchAll(/^\| `((?:unit|server): [^`]+)` *\| (.*?) *\|$/gm)]
  const ofItsKind = [...realAbsences].filter(([, reason]) => !/^an order for (units|servers)$/.test(reason))
  expect(named.map(([, row, reason]) => [row, reason])).toEqual(ofItsKind)
})
