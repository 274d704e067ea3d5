// A moment as the browser's own field for date and time writes it: in the user's own time.

/** `2026-11-21T09:30`. */
export function localTime(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000
  return new Date(ms - offsetMs).toISOString().slice(0, 16)
}
