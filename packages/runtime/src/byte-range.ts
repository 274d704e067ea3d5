/** The part of a file that a request names by its header `range`. */

/** Both bytes are within it. */
export interface ByteRange {
  start: number
  end: number
}

/** One range, as browsers request it; undefined for the whole file. */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'impossible' | undefined {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!found || (found[1] === '' && found[2] === '')) return undefined
  const last = size - 1
  const start = found[1] === '' ? Math.max(0, size - Number(found[2])) : Number(found[1])
  const end = found[1] === '' || found[2] === '' ? last : Math.min(last, Number(found[2]))
  return start > end || start > last ? 'impossible' : { start, end }
}
