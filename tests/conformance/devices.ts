/** The devices that a conformance run can judge. */
import { serverCases } from './server-cases.ts'
import { serverRows } from './server-rows.ts'
import { startServerUnderTest } from './server-under-test.ts'
import { simulatedServerCases } from './simulated-server-cases.ts'
import { simulatedUnitCases } from './simulated-unit-cases.ts'
import { startSimulation } from './simulation.ts'
import { unitCases } from './unit-cases.ts'
import { lookAtNetworks } from './unit-network-cases.ts'
import { unitRows } from './unit-rows.ts'
import { startUnitUnderTest } from './unit-under-test.ts'
import { type Cases, judge, type Verdict } from './verdicts.ts'

interface Wanted {
  onVerdict?: (verdict: Verdict) => void
  /** Only rows with one of these words; all without any. */
  words?: readonly string[]
}

export interface Run extends Wanted {
  ffmpegPath: string
}

const isAmong = ({ words = [] }: Wanted, row: string) =>
  words.length === 0 || words.some((word) => row.includes(word))

function judged<Device>(
  run: Wanted,
  rows: readonly string[],
  cases: Cases<Device>,
  device: Device,
): Promise<Verdict[]> {
  const isWanted = (row: string) => isAmong(run, row)
  const wanted = Object.fromEntries(Object.entries(cases).filter(([row]) => isWanted(row)))
  return judge(rows.filter(isWanted), wanted, device, run.onVerdict)
}

export async function judgeAgent(run: Run): Promise<Verdict[]> {
  const networks = lookAtNetworks((row) => isAmong(run, row))
  try {
    const unit = await startUnitUnderTest(run.ffmpegPath)
    return await judged(run, unitRows, unitCases, { ...unit, networks }).finally(unit.stop)
  } finally {
    await networks.ended()
  }
}

export async function judgeHub(run: Run): Promise<Verdict[]> {
  const server = await startServerUnderTest(run.ffmpegPath)
  return await judged(run, serverRows, serverCases, server).finally(server.stop)
}

type SimulatedKind = 'unit' | 'server'

/** The name of a row, with the simulated device that it belongs to. */
const rowOf = (kind: SimulatedKind, row: string): string => `${kind}: ${row}`

/** A unit, and a receiving server with a video return server next to it. */
export async function judgeSimulator({ onVerdict, ...run }: Wanted): Promise<Verdict[]> {
  const { unit, server, stop } = await startSimulation()
  async function judgedAs<Device>(
    kind: SimulatedKind,
    rows: readonly string[],
    cases: Cases<Device>,
    device: Device,
  ): Promise<Verdict[]> {
    const named = (verdict: Verdict) => ({ ...verdict, row: rowOf(kind, verdict.row) })
    const wanted = { ...run, onVerdict: (verdict: Verdict) => onVerdict?.(named(verdict)) }
    return (await judged(wanted, rows, cases, device)).map(named)
  }
  try {
    return [
      ...(await judgedAs('unit', unitRows, simulatedUnitCases, unit)),
      ...(await judgedAs('server', serverRows, simulatedServerCases, server)),
    ]
  } finally {
    await stop()
  }
}

type Claim = 'done' | 'absent'

/** The rows of a real device, each checked as done or as absent; some are absent only where the machine lacks what they need. */
const claimsOf = (kind: SimulatedKind, cases: Cases<never>): [row: string, Claim][] =>
  Object.entries(cases).map(([row, one]) => [rowOf(kind, row), typeof one === 'function' ? 'done' : 'absent'])

export const realClaims: ReadonlyMap<string, Claim> = new Map([
  ...claimsOf('unit', unitCases),
  ...claimsOf('server', serverCases),
])

const absencesOf = (kind: SimulatedKind, cases: Cases<never>): [row: string, reason: string][] =>
  Object.entries(cases).flatMap(([row, one]) =>
    typeof one === 'function' ? [] : [[rowOf(kind, row), one.reason]],
  )

/** The rows that no real device claims on any machine, with the reason. */
export const realAbsences: ReadonlyMap<string, string> = new Map([
  ...absencesOf('unit', unitCases),
  ...absencesOf('server', serverCases),
])
