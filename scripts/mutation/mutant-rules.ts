// The form of a rule for mutants: a check without which a test must fail.

export interface Rule {
  /** Applies to each matching file below apps/core/src. */
  files: RegExp
  /** The text in the source; each of its places is a mutant of its own. */
  text: string
  replacement: string
  /** Test files below apps/core/src that may fail, the likeliest first. */
  tests: readonly string[]
}

/** The tests in the folder of the file itself. */
export const ownFeature = 'own'

export const rules =
  (files: RegExp, tests: readonly string[]) =>
  (text: string, replacement = ''): Rule => ({ files, text, replacement, tests })
