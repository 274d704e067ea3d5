/** CSV (RFC 4180) that a spreadsheet can open without executing texts of users. */
import { z } from 'zod'

/** The answer of a call for a file: core may send it in pieces, the caller gets the whole text. */
export const CsvText = z.string() as unknown as z.ZodType<string, string | AsyncIterable<string>>

export const CSV_TYPE = 'text/csv; charset=utf-8'

/** The first character of a file; a spreadsheet does not read the text as UTF-8 without it. */
export const byteOrderMark = '\uFEFF'

/** A spreadsheet executes a cell that begins like a formula; names that users enter must remain text. */
function cell(text: string): string {
  const harmless =
    /^[=+@\t\r]/.test(text) || (/^-/.test(text) && !/^-[\d.,]+$/.test(text)) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** One line with its end. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`
