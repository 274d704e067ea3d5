// How a check is named whose removal must turn a test red.

export interface Rule {
  /** Below apps/core/src; each file that matches is meant. */
  files: RegExp
  /** As it stands in the source; each place where it stands is a removal of its own. */
  text: string
  replacement: string
  /** Test files below apps/core/src that may notice, the likeliest first. */
  tests: readonly string[]
}

/** The tests beside the file itself. */
export const ownFeature = 'beside'

export const rules =
  (files: RegExp, tests: readonly string[]) =>
  (text: string, replacement = ''): Rule => ({ files, text, replacement, tests })
