/** Where to go after a sign-in: only a path of this console, never another site and never the login page again. */
export function safeNextPath(asked: unknown): string | undefined {
  if (typeof asked !== 'string' || !asked.startsWith('/') || /^\/[/\\]/.test(asked)) return undefined
  return /^\/(login|logout|error|unauthorized_user)\b/.test(asked) ? undefined : asked
}
