/** The devices that a conformance run can judge. */
import { serverCases } from './server-cases.ts'
import { serverRows } from './server-rows.ts'
import { startServerUnderTest } from './server-under-test.ts'
import { unitCases } from './unit-cases.ts'
import { unitRows } from './unit-rows.ts'
import { startUnitUnderTest } from './unit-under-test.ts'
import { type Cases, judge, type Verdict } from './verdicts.ts'

export interface Run {
  ffmpegPath: string
  onVerdict?: (verdict: Verdict) => void
  /** Only rows with one of these words; all without any. */
  words?: readonly string[]
}

interface Running {
  stop(): Promise<void>
}

async function judged<Device extends Running>(
  { ffmpegPath, onVerdict, words = [] }: Run,
  rows: readonly string[],
  cases: Cases<Device>,
  start: (ffmpegPath: string) => Promise<Device>,
): Promise<Verdict[]> {
  const isWanted = (row: string) => words.length === 0 || words.some((word) => row.includes(word))
  const wanted = Object.fromEntries(Object.entries(cases).filter(([row]) => isWanted(row)))
  const device = await start(ffmpegPath)
  return await judge(rows.filter(isWanted), wanted, device, onVerdict).finally(device.stop)
}

export const judgeAgent = (run: Run) => judged(run, unitRows, unitCases, startUnitUnderTest)
export const judgeHub = (run: Run) => judged(run, serverRows, serverCases, startServerUnderTest)
