/** Cuts a stream of bytes into lines at LF, CR or CRLF; empty lines are skipped. */
export function createLineSplitter(onLine: (line: string) => void, longestLine = 65_536) {
  const decoder = new TextDecoder()
  let rest = ''
  return {
    push(chunk: Uint8Array): void {
      rest += decoder.decode(chunk, { stream: true })
      const lines = rest.split(/[\r\n]/)
      rest = lines.pop() ?? ''
      // A faulty program must not fill the memory: a line without end is cut.
      if (rest.length > longestLine) {
        lines.push(rest)
        rest = ''
      }
      for (const line of lines) if (line) onLine(line)
    },
    end(): void {
      if (rest) onLine(rest)
      rest = ''
    },
  }
}
