/** docs/benchmarks.md from the results that are present. */
import { type BenchResult, type Goal, goalsOf, type Row } from './bench-result.ts'
import type { Machine } from './machine.ts'

export interface Kept {
  date: string
  tookSeconds: number
  machine: Machine
  /** The figures with a goal of the result that this one replaced, by id. */
  before?: Readonly<Record<string, number>>
  result: BenchResult
}

export function report(kept: readonly Kept[]): string {
  return `${[head, goals(kept), ...kept.map(section)].join('\n\n')}\n`
}

/** Two runs of one program differ by less. */
const worseBy = 1.1

interface Standing extends Goal {
  date: string
  before: number | undefined
  isWorse: boolean
}

/** Every figure that has a goal, with its date, since a run need not measure all. */
export const standingsOf = (kept: readonly Kept[]): Standing[] =>
  kept.flatMap(({ date, before: all, result }) =>
    goalsOf(result).map((goal) => {
      const { figure, lowerIsBetter, id } = goal
      const before = all?.[id]
      const isWorse =
        before !== undefined && (lowerIsBetter ? figure > before * worseBy : figure < before / worseBy)
      return { ...goal, date, before, isWorse }
    }),
  )

/** Names what is worse than in the run before. */
export function changesFor(standings: readonly Standing[]): string {
  const worse = standings.filter(({ isWorse }) => isWorse)
  if (worse.length === 0) return 'Nothing got worse by more than a tenth since the run before.'
  const changes = worse.map(
    ({ id, before = 0, figure, unit }) => `${id} (${withUnit(before, unit)} → ${withUnit(figure, unit)})`,
  )
  return `Worse by more than a tenth than in the run before: ${changes.join(', ')}.`
}

/** A floor that is better than the goal forbids nothing, and is no excuse. */
export function outcomeOf({ isHeld, isForbidden, floor, unit }: Goal): string {
  if (isHeld) return 'held'
  return floor && isForbidden ? `not held; floor ${withUnit(floor.value, unit)}` : 'not held'
}

const withUnit = (value: number, unit: string) => `${shown(Number(value.toPrecision(3)))} ${unit}`

function goals(kept: readonly Kept[]): string {
  const standings = standingsOf(kept)
  const rows = standings.map((one) => ({
    who: one.id,
    figure: withUnit(one.figure, one.unit),
    before: one.before === undefined ? '–' : withUnit(one.before, one.unit),
    goal: `${one.lowerIsBetter ? '≤' : '≥'} ${withUnit(one.goal, one.unit)}`,
    floor: one.floor ? withUnit(one.floor.value, one.unit) : '–',
    '': one.isHeld ? 'held' : `**${outcomeOf(one)}**`,
    date: one.date,
  }))
  const withFloor = standings.flatMap(({ id, floor }) => (floor ? [{ id, why: floor.why }] : []))
  const reasons = [...Map.groupBy(withFloor, ({ why }) => why)].map(
    ([why, some]) => `- ${some.map(({ id }) => id).join(', ')}: ${why}`,
  )
  const floors =
    'The floor is the least that the work which cannot be left out costs by the same tools, measured in the same run:'
  const below = reasons.length > 0 ? [floors, reasons.join('\n')] : []
  return ['## Goals', table(rows), changesFor(standings), ...below].join('\n\n')
}

const head = `# Benchmarks

The product and a peer, on one machine, in one run. \`npm run bench\` measures everything (about 50 minutes) and writes
this page and the raw figures in \`bench/results/\`; \`npm run bench intake push\` measures what is named. Nothing leaves
this machine, and every program ends by itself. No test asserts these figures. \`BENCH_LIST_ROWS=1000000 npm run bench lists\` has lists
of a million rows, \`BENCH_PREVIEW_MINUTES=30 npm run bench preview\` watches each buffer of a preview for half an hour, and
\`npm run bench hub-full\`, which is measured by its name alone, a full hub.

Trust the ratios rather than the figures: peer and product met the same disturbance of a shared machine. A ratio is ours
divided by the peer's. The task of each peer is described; it is often less than what the product does.`

function section({ date, tookSeconds, machine, result }: Kept): string {
  return [
    `## ${result.title}`,
    result.setting,
    ...result.tables.map(({ caption, rows }) => `**${caption}**\n\n${table(rows)}`),
    ratios(result),
    result.remarks.map((remark) => `- ${remark}`).join('\n'),
    `_${date}, ${tookSeconds} s, ${machineText(machine)}_`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function table(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => name !== 'who')
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  const isFigure = (name: string) => rows.some((row) => typeof row[name] === 'number')
  return [
    line(['', ...columns]),
    line(['---', ...columns.map((name) => (isFigure(name) ? '---:' : '---'))]),
    ...rows.map((row) => line([row.who, ...columns.map((name) => shown(row[name]))])),
  ].join('\n')
}

const shown = (value: number | string | undefined): string =>
  typeof value === 'number' ? value.toLocaleString('en-GB', { maximumFractionDigits: 3 }) : (value ?? '–')

function ratios({ ratios: all }: BenchResult): string {
  return all
    .map(({ what, ratio, unit, lowerIsBetter, goal }) => {
      const isWin = lowerIsBetter ? ratio < 1 : ratio > 1
      const near = Math.abs(ratio - 1) < 0.1
      const figure = unit === undefined ? ratio.toPrecision(3) : withUnit(ratio, unit)
      if (goal !== undefined)
        return `- ${what}: **${figure}** (goal: ${lowerIsBetter ? 'at most' : 'at least'} ${goal})`
      if (unit !== undefined) return `- ${what}: **${figure}**`
      return `- ${what}: **${ratio.toPrecision(3)}** (${lowerIsBetter ? 'lower' : 'higher'} is better: ${near ? 'equal' : isWin ? 'we win' : 'we lose'})`
    })
    .join('\n')
}

function machineText({ cores, processor, memoryGb, kernel, loadBefore, versions }: Machine): string {
  const names = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return `${cores} cores of ${processor}, ${memoryGb} GB, Linux ${kernel}, load ${loadBefore} before the run; ${names.join(', ')}`
}
