// The file of a batch: RFC 4180 with a header, as spreadsheets write it.
import { InvalidRequest } from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import { BATCH_DEVICES_MAX, batchColumns } from '@backhaul/contract/nouns/batch-upgrades'
import { CsvError, parse } from 'csv-parse/sync'

/** A line without both values has neither. */
export interface BatchLine {
  line: number
  serialNumber: string
  targetVersion: string
}

/** Throws InvalidRequest where the file has another format; errors of a line are reported at that line. */
export function linesOf(csv: string): BatchLine[] {
  const [header, ...records] = recordsOf(csv)
  if (header?.cells.join() !== batchColumns.join()) throw InvalidRequest.at('csv', 'batch.columns')
  if (records.length === 0) throw InvalidRequest.at('csv', 'batch.empty')
  if (records.length > BATCH_DEVICES_MAX)
    throw InvalidRequest.at('csv', because('batch.tooMany', { most: BATCH_DEVICES_MAX }))
  return records.map(({ line, cells }) => {
    const [serialNumber = '', targetVersion = ''] = cells.length === batchColumns.length ? cells : []
    return { line, serialNumber, targetVersion }
  })
}

function recordsOf(csv: string): { line: number; cells: string[] }[] {
  try {
    const records = parse(csv, {
      bom: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      trim: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: 4096,
    }) as unknown as { info: { lines: number }; record: string[] }[]
    return records.map(({ info, record }) => ({ line: info.lines, cells: record }))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw InvalidRequest.at('csv', because('batch.unreadable', { line: Number(error.lines ?? 1) }))
  }
}
