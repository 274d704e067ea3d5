/** What went wrong with the programs of one channel since the hub started; those who run them add to it. */
export interface ProgramCounts {
  /** Programs that ended by themselves and were started again. */
  restarts: number
  /** Pieces of the stream that a program did not take in time and so never got. */
  dropped: number
}

export const noCounts = (): ProgramCounts => ({ restarts: 0, dropped: 0 })
