import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { redactSecrets } from './redact.ts'

/**
 * EX_CONFIG of sysexits.h: a restart does not help, for example with wrong settings or a database of a newer release, so
 * supervisors must not retry.
 */
export const WRONG_SETTINGS_CODE = 78

/** The reason why a program cannot start, as a text without a stack trace, and its exit code. */
export class CannotStart extends Error {
  readonly code: number

  constructor(message: string, code = 1) {
    super(message)
    this.name = 'CannotStart'
    this.code = code
  }
}

/** Wrong settings: one line per variable that breaks its rule. */
export class SettingsError extends CannotStart {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`Settings are wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`, WRONG_SETTINGS_CODE)
    this.name = 'SettingsError'
    this.problems = problems
  }
}

/** Reports why a program cannot start, and ends it. */
export function failStart(error: unknown): never {
  const isExpected = error instanceof CannotStart
  const { stack = String(error) } = error as { stack?: string }
  process.stderr.write(`${isExpected ? error.message : stack}\n`)
  process.exit(isExpected ? error.code : 1)
}

/** A decimal integer written as text, for instance a port: `wholeNumber(0, 65535).default(8080)`. */
export function wholeNumber(min: number, max: number) {
  const rule = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^-?\d{1,15}$/, rule)
    .transform(Number)
    .refine((value) => value >= min && value <= max, rule)
}

/**
 * Reads environment variables by a zod object whose keys are the names of the variables.
 * An empty variable counts as absent; variables the schema does not name are ignored.
 * Throws SettingsError that names every wrong variable, its value and the rule.
 */
export function readSettings<Shape extends z.ZodRawShape>(
  env: Readonly<Record<string, string | undefined>>,
  schema: z.ZodObject<Shape>,
): z.output<z.ZodObject<Shape>> {
  const given: Record<string, string> = {}
  for (const name of Object.keys(schema.shape)) {
    const value = env[name]
    if (value !== undefined && value !== '') given[name] = value
  }
  const result = schema.safeParse(given)
  if (result.success) return result.data
  throw new SettingsError(
    result.error.issues.map((issue) => {
      const name = String(issue.path[0] ?? '')
      const value = given[name]
      return value === undefined
        ? `${name}: is not set`
        : `${name}: ${issue.message} (given "${shown(name, value)}")`
    }),
  )
}

/** Each of these variables that is not set is taken from the file that `<variable>_FILE` names, if there is one. */
export function withFiles(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Record<string, string | undefined> {
  const found = { ...env }
  for (const name of names) {
    const file = env[`${name}_FILE`]
    if (env[name] || !file) continue
    try {
      found[name] = readFileSync(file, 'utf8').trim()
    } catch (error) {
      throw new SettingsError([`${name}_FILE: cannot be read (${(error as Error).message})`])
    }
  }
  return found
}

function shown(name: string, value: string): string {
  return /PASSWORD|SECRET|KEY|TOKEN/i.test(name) ? '…' : redactSecrets(value).slice(0, 80)
}
