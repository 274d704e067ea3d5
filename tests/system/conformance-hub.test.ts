// The hub follows the whole contract, or reports that it does not.
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { expect, test } from 'vitest'
import { judgeHub } from '../conformance/devices.ts'
import { lineOf } from '../conformance/verdicts.ts'

const ffmpegPath = findFfmpeg()

test.runIf(ffmpegPath && process.env.TEST_BUILT_PROGRAMS)(
  'a server does what every setting, order and wanted state of the contract means, or does not claim it',
  async () => {
    const verdicts = await judgeHub({ ffmpegPath: ffmpegPath! })
    expect(verdicts.filter(({ state }) => state === 'wrong').map(lineOf)).toEqual([])
    expect(verdicts.filter(({ state }) => state === 'done').length).toBeGreaterThanOrEqual(35)
  },
  900_000,
)
