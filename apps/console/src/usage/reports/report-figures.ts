// Formats the figures of a report.
import { decimal } from '../../ui/locale.ts'

const two = (value: number): string => String(value).padStart(2, '0')

/** `26:05:09`: hours do not stop at a day. */
export function hoursText(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** Gigabytes of 1,000,000,000 bytes, as carriers count them; a dash where nothing was measured. */
export const gigabytesText = (bytes: number | null): string =>
  bytes === null ? '—' : decimal(bytes / 1e9, bytes < 1e10 ? 3 : 1)
