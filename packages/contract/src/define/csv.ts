/** CSV (RFC 4180) that a spreadsheet may open without running what people typed. */
import { z } from 'zod'

/** What a call for a file answers: core may send it piece by piece, who asks gets the whole text. */
export const CsvText = z.string() as unknown as z.ZodType<string, string | AsyncIterable<string>>

export const CSV_TYPE = 'text/csv; charset=utf-8'

/** Without it a spreadsheet does not take the text for UTF-8. */
export const byteOrderMark = '\uFEFF'

/** A spreadsheet runs a cell that begins like a formula; the names people type must stay text. */
function cell(text: string): string {
  const harmless =
    /^[=+@\t\r]/.test(text) || (/^-/.test(text) && !/^-[\d.,]+$/.test(text)) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** One line with its end. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`
