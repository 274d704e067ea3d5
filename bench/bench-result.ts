/** What one benchmark tells: figures of the product and of a peer in the same run, and the ratios between them. */

export type Figures = Readonly<Record<string, number | string>>

export type BenchResult = {
  /** The letter and noun of the table, for example `intake`. */
  readonly name: string
  readonly title: string
  /** What was compared with what, on which load, in one or two sentences. */
  readonly setting: string
  /** One row a contestant or load; the first column is its name. */
  readonly rows: readonly ({ readonly who: string } & Figures)[]
  /** ours ÷ peer; below 1 is better when `lowerIsBetter`. */
  readonly ratios: readonly {
    readonly what: string
    readonly ratio: number
    readonly lowerIsBetter: boolean
  }[]
  /** Where we lose, and what the figures do not say. */
  readonly remarks: readonly string[]
}
