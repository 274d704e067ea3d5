/** The results of a conformance run: one verdict for each message that the contract defines between core and a device. */

/** 1. done: the effect was seen; 2. absent: the device does not claim it, for a reason; 3. wrong: anything else. */
export interface Verdict {
  readonly row: string
  readonly state: 'done' | 'absent' | 'wrong'
  /** The effect that was seen, the reason of the absence, or the fault. */
  readonly text: string
}

/** The machine of this run cannot have it, and the device does not claim it. */
export interface Missing {
  readonly absent: string
}
/** Resolves with what was seen, or with why this machine lacks it; rejects when the effect is missing. */
export type Look<Device> = (device: Device) => Promise<string | Missing>
/** Resolves when the device neither claims nor confirms it; rejects otherwise. */
export interface Absence<Device> {
  readonly reason: string
  readonly check: Look<Device>
}
export type Cases<Device> = Readonly<Record<string, Look<Device> | Absence<Device>>>

/** Runs the cases one after the other, in their order. A row without a case is wrong, as is a case without a row. */
export async function judge<Device>(
  rows: readonly string[],
  cases: Cases<Device>,
  device: Device,
  onVerdict: (verdict: Verdict) => void = () => {},
): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  const note = (verdict: Verdict) => {
    verdicts.push(verdict)
    onVerdict(verdict)
  }
  for (const row of rows.filter((row) => !Object.hasOwn(cases, row)))
    note({ row, state: 'wrong', text: 'no case checks it' })
  for (const [row, one] of Object.entries(cases)) {
    if (!rows.includes(row)) note({ row, state: 'wrong', text: 'the contract has no such row' })
    else note(await verdictOf(row, one, device))
  }
  return verdicts
}

async function verdictOf<Device>(
  row: string,
  one: Look<Device> | Absence<Device>,
  device: Device,
): Promise<Verdict> {
  try {
    if (typeof one === 'function') return seen(row, await one(device))
    await one.check(device)
    return { row, state: 'absent', text: one.reason }
  } catch (error) {
    return { row, state: 'wrong', text: error instanceof Error ? error.message : String(error) }
  }
}

const seen = (row: string, found: string | Missing): Verdict =>
  typeof found === 'string'
    ? { row, state: 'done', text: found }
    : { row, state: 'absent', text: found.absent }

export const lineOf = ({ row, state, text }: Verdict): string =>
  `${state.padEnd(7)} ${row.padEnd(36)} ${text}`

/** The last line of a run. */
export function totalsOf(verdicts: readonly Verdict[]): string {
  const count = (state: Verdict['state']) => verdicts.filter((verdict) => verdict.state === state).length
  return `${count('done')} done, ${count('absent')} absent, ${count('wrong')} wrong`
}
