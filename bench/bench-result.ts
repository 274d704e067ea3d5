/** The result of one benchmark: figures of the product and of a peer in the same run, and the ratios between them. */

export type Row = { readonly who: string } & Readonly<Record<string, number | string>>

/** The least cost of the work that the figure always includes, by the same tools on the same machine. */
export interface Floor {
  /** In the unit of the figure, measured in the same run. */
  readonly value: number
  /** The work, in one sentence. */
  readonly why: string
}

/** A figure with a name and a goal: one line of the table that ends a run. */
export interface Goal {
  readonly id: string
  readonly figure: number
  readonly unit: string
  readonly goal: number
  readonly lowerIsBetter: boolean
  readonly isHeld: boolean
  readonly floor: Floor | undefined
  /** The floor itself is beyond the goal: no program with these tools would hold it. */
  readonly isForbidden: boolean
}

/** The goals of one benchmark. */
export const goalsOf = ({ ratios }: BenchResult): Goal[] =>
  ratios.flatMap(({ id, ratio, unit = '×', goal, lowerIsBetter, floor }) => {
    if (id === undefined || goal === undefined) return []
    const holds = (figure: number) => (lowerIsBetter ? figure <= goal : figure >= goal)
    const isForbidden = floor !== undefined && !holds(floor.value)
    return [{ id, figure: ratio, unit, goal, lowerIsBetter, isHeld: holds(ratio), floor, isForbidden }]
  })

export type BenchResult = {
  /** The name of its file in bench/results, for example `intake`. */
  readonly name: string
  readonly title: string
  /** The subject of the comparison and its load, in one or two sentences. */
  readonly setting: string
  /** One row a contestant or load; the first column is its name. */
  readonly tables: readonly { readonly caption: string; readonly rows: readonly Row[] }[]
  /** Ours divided by the peer's; with `lowerIsBetter` a ratio below 1 is a win. */
  readonly ratios: readonly {
    /** Not changed from release to release. */
    readonly id?: string
    readonly what: string
    readonly ratio: number
    /** The unit of a figure that is no ratio, for example `ms`. */
    readonly unit?: string
    readonly lowerIsBetter: boolean
    /** The highest ratio wanted, or the lowest where higher is better. */
    readonly goal?: number
    readonly floor?: Floor
  }[]
  /** Where we lose, and the limits of the figures. */
  readonly remarks: readonly string[]
}

/**
 * Runs one benchmark. It registers everything that it starts with the stack, so that nothing outlives an aborted run.
 */
export type Bench = (stack: AsyncDisposableStack) => Promise<BenchResult>
