/** The failures of the programs of one channel since the hub started; the code that runs them adds to it. */
export interface ProgramCounts {
  /** Programs that ended by themselves and were started again. */
  restarts: number
  /** Pieces of the stream that were dropped because a program did not read them in time. */
  dropped: number
}

export const noCounts = (): ProgramCounts => ({ restarts: 0, dropped: 0 })
